// Modules: loading PTX, functions, variables, attributes, occupancy.
#include "Emulator.h"

#include "../linker/Image.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

using namespace ptxemu;

namespace {

/// The log buffers that the caller gave among the JIT options.
class JitLog {
public:
  JitLog(unsigned count, const int *options, void **values) : values(values) {
    for (unsigned i = 0; i < count; ++i) {
      if (options[i] == 5)
        buffer = static_cast<char *>(values[i]);
      if (options[i] == 6)
        sizeAt = int(i);
      if (options[i] == 4)
        values[i] = nullptr; // the size of the empty information log
    }
    if (sizeAt >= 0)
      size = reinterpret_cast<size_t>(values[sizeAt]) & 0xFFFFFFFF;
  }

  void write(const std::string &text) const {
    size_t length = buffer && size ? std::min(text.size(), size - 1) : 0;
    if (buffer && size) {
      std::memcpy(buffer, text.data(), length);
      buffer[length] = 0;
    }
    if (sizeAt >= 0)
      values[sizeAt] = reinterpret_cast<void *>(length);
  }

private:
  void **values;
  char *buffer = nullptr;
  size_t size = 0;
  int sizeAt = -1;
};

std::string versionText(unsigned version) {
  return std::to_string(version / 10) + "." + std::to_string(version % 10);
}

/// Code is for one generation, from its own architecture on.
bool takesImage(int arch, int device) {
  return arch / 10 == device / 10 && arch <= device;
}

/// Whether this device and driver take the module; else the log says why.
CUresult checkTarget(const Module &module, const Settings &settings,
                     std::string &log) {
  unsigned newest = newestPtx(settings.driverVersion);
  if (module.version > newest) {
    log = "Unsupported .version " + versionText(module.version) +
          "; current version is '" + versionText(newest) + "'";
    return CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
  }
  auto arch = unsigned(settings.arch);
  bool fits = module.targetSuffix == 'a' ? module.target == arch
              : module.targetSuffix == 'f'
                  ? module.target / 10 == arch / 10 && module.target <= arch
                  : module.target <= arch;
  if (fits)
    return CUDA_SUCCESS;
  log = "the module is for sm_" + std::to_string(module.target) +
        (module.targetSuffix ? std::string(1, module.targetSuffix) : "") +
        ", the device is sm_" + std::to_string(settings.arch);
  return CUDA_ERROR_NO_BINARY_FOR_GPU;
}

CUresult load(Emulator &e, CUmodule *module, const char *image,
              const JitLog &log) {
  log.write("");
  checked(module);
  auto refuse = [&](CUresult code, const std::string &text) {
    log.write("ptx emulator: " + text);
    e.lastReport = text;
    return code;
  };
  if (e.settings.fails("module"))
    return refuse(CUDA_ERROR_INVALID_PTX,
                  "asked for by BLOCKS_PTX_EMULATOR_FAIL");
  Image linked = readImage(&checked(image));
  if (linked.arch && !takesImage(linked.arch, e.settings.arch))
    return refuse(CUDA_ERROR_NO_BINARY_FOR_GPU,
                  "the code is for sm_" + std::to_string(linked.arch) +
                      ", the device is sm_" +
                      std::to_string(e.settings.arch));
  if (linked.arch)
    image = linked.ptx;
  if (!std::memcmp(image,
                   "\x7f"
                   "ELF",
                   4) ||
      !std::memcmp(image, "\x50\xed\x55\xba", 4))
    return refuse(CUDA_ERROR_NO_BINARY_FOR_GPU,
                  "this is machine code for a GPU; the emulator runs PTX only");
  std::string text = image, why;
  try {
    Module parsed = parsePtx(text);
    if (CUresult code = checkTarget(parsed, e.settings, why))
      return refuse(code, why);
    auto loaded = std::make_unique<CUmod_st>();
    loaded->code = loadModule(parsed, text, e.memory);
    loaded->ptxVersion = parsed.version;
    *module = e.modules.add(std::move(loaded));
    return CUDA_SUCCESS;
  } catch (const PtxError &error) {
    return refuse(CUDA_ERROR_INVALID_PTX, error.what());
  }
}

CUfunc_st &functionOf(CUfunction function) { return checked(function); }

/// How many blocks fit on a multiprocessor, by threads and shared memory.
int blocksThatFit(const Emulator &e, const CUfunc_st &function, int threads,
                  size_t dynamicShared) {
  int byThreads = (e.settings.arch == 75 ? 1024 : 1536) / std::max(threads, 1);
  uint64_t shared = function.code->staticShared + dynamicShared + 1024;
  return std::min({byThreads, int(100 * 1024 / shared), 16});
}

} // namespace

CUDA_API cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count,
                            int *options, void **values) {
  return entry(Need::context, [&](Emulator &e) {
    return load(e, module, static_cast<const char *>(image),
                JitLog(count, options, values));
  });
}

CUDA_API cuModuleLoadData(CUmodule *module, const void *image) {
  return cuModuleLoadDataEx(module, image, 0, nullptr, nullptr);
}

CUDA_API cuModuleUnload(CUmodule module) {
  return entry(Need::waits, [&](Emulator &e) {
    CUmod_st &gone = e.modules.get(module);
    e.drainAll();
    unloadModule(*gone.code, e.memory);
    e.modules.remove(module);
    return CUDA_SUCCESS;
  });
}

CUDA_API cuModuleGetFunction(CUfunction *function, CUmodule module,
                             const char *name) {
  return entry(Need::context, [&](Emulator &e) {
    CUmod_st &in = e.modules.get(module);
    Code *code = in.code->find(&checked(name));
    if (!code || !code->entry)
      return CUDA_ERROR_NOT_FOUND;
    for (CUfunc_st &known : in.functions)
      if (known.code == code) {
        checked(function) = &known;
        return CUDA_SUCCESS;
      }
    CUfunc_st &made = in.functions.emplace_back();
    made.code = code;
    made.module = module;
    checked(function) = &made;
    return CUDA_SUCCESS;
  });
}

CUDA_API cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *bytes,
                              CUmodule module, const char *name) {
  return entry(Need::context, [&](Emulator &e) {
    for (const auto &global : e.modules.get(module).code->globals)
      if (global.name == &checked(name)) {
        if (address)
          *address = global.address;
        if (bytes)
          *bytes = global.size;
        return CUDA_SUCCESS;
      }
    return CUDA_ERROR_NOT_FOUND;
  });
}

CUDA_API cuModuleGetLoadingMode(int *mode) {
  return entry(Need::nothing, [&](Emulator &) {
    checked(mode) = 1; // eager
    return CUDA_SUCCESS;
  });
}

CUDA_API cuFuncGetAttribute(int *value, int attribute, CUfunction function) {
  return entry(Need::context, [&](Emulator &e) {
    CUfunc_st &f = functionOf(function);
    const Code &code = *f.code;
    const int values[] = {int(code.maxThreads),
                          int(code.staticShared),
                          0,
                          int(code.localBytes),
                          int(std::clamp(code.registers / 2, 16u, 255u)),
                          int(f.module->ptxVersion),
                          e.settings.arch,
                          0,
                          f.maxDynamicShared,
                          f.carveout};
    if (attribute < 0 || attribute > 9)
      return CUDA_ERROR_INVALID_VALUE;
    checked(value) = values[attribute];
    return CUDA_SUCCESS;
  });
}

CUDA_API cuDeviceGetAttribute(int *value, int attribute, CUdevice device);

CUDA_API cuFuncSetAttribute(CUfunction function, int attribute, int value) {
  return entry(Need::context, [&](Emulator &) {
    CUfunc_st &f = functionOf(function);
    int most = 0;
    cuDeviceGetAttribute(&most, 97, 0);
    if (attribute == 9) {
      f.carveout = value;
      return CUDA_SUCCESS;
    }
    if (attribute != 8 || value < 0 || value + int(f.code->staticShared) > most)
      return CUDA_ERROR_INVALID_VALUE;
    f.maxDynamicShared = value;
    return CUDA_SUCCESS;
  });
}

CUDA_API cuFuncSetCacheConfig(CUfunction, int) {
  return entry(Need::context, [&](Emulator &) { return CUDA_SUCCESS; });
}

CUDA_API cuFuncGetModule(CUmodule *module, CUfunction function) {
  return entry(Need::context, [&](Emulator &) {
    checked(module) = functionOf(function).module;
    return CUDA_SUCCESS;
  });
}

CUDA_API cuFuncGetName(const char **name, CUfunction function) {
  return entry(Need::context, [&](Emulator &) {
    checked(name) = functionOf(function).code->name.c_str();
    return CUDA_SUCCESS;
  });
}

CUDA_API cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset,
                            size_t *size) {
  return entry(Need::context, [&](Emulator &) {
    const auto &params = functionOf(function).code->params;
    if (index >= params.size())
      return CUDA_ERROR_INVALID_VALUE;
    checked(offset) = params[index].offset;
    if (size)
      *size = params[index].size;
    return CUDA_SUCCESS;
  });
}

CUDA_API cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks,
                                                     CUfunction function,
                                                     int threads,
                                                     size_t shared) {
  return entry(Need::context, [&](Emulator &e) {
    checked(blocks) = blocksThatFit(e, functionOf(function), threads, shared);
    return CUDA_SUCCESS;
  });
}

CUDA_API cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, CUfunction function, int threads, size_t shared, unsigned) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads,
                                                     shared);
}

CUDA_API cuOccupancyMaxPotentialBlockSize(int *minGrid, int *blockSize,
                                          CUfunction function,
                                          size_t (*sharedFor)(int),
                                          size_t shared, int limit) {
  return entry(Need::context, [&](Emulator &e) {
    CUfunc_st &f = functionOf(function);
    int size = std::min(256, int(f.code->maxThreads));
    if (limit > 0)
      size = std::min(size, limit);
    size_t dynamic = sharedFor ? sharedFor(size) : shared;
    checked(blockSize) = size;
    checked(minGrid) = 16 * std::max(1, blocksThatFit(e, f, size, dynamic));
    return CUDA_SUCCESS;
  });
}
