// compileOrLoad: cache key, object cache, and only when that misses the
// compiler. See include/blocks/Compiler.h.
#include "blocks/Compiler.h"

#include "blocks/Error.h"
#include "blocks/abi/StepABI.h"
#include "runtime/Base/NamedCalls.h"
#include "runtime/Base/Sha256.h"
#include "runtime/Compile/CompilerLibrary.h"
#include "runtime/Compile/KernelFiles.h"
#include "runtime/Compile/Request.h"
#include "runtime/Device/CpuInfo.h"
#include "runtime/Device/Cuda/CudaArch.h"
#include "runtime/Device/Cuda/CudaDevice.h"
#include "runtime/Program/ObjectCache.h"

#include <chrono>
#include <cstdlib>
#include <sys/stat.h>

namespace blocks {

/// The architecture of GPU number `gpu`, as models are compiled for it.
static std::string archOf(int gpu) {
  int capability = cuda::findDevice(cuda::CudaDriver(), gpu).capability;
  return cuda::archName(cuda::archForCapability(capability));
}

/// "native" as the level of this machine, and no architecture as that of its
/// GPU, so that the key and the manifest name what the object needs.
static CompileRequest resolved(const CompileRequest &request, int gpu) {
  CompileRequest result = request;
  if (request.cpuLevel == "native")
    result.cpuLevel = levelName(detectCpu().level);
  if (request.device == "cpu") {
    result.cudaArch.clear();
  } else if (request.device != "cuda") {
    throw UsageError("there is no device '" + request.device +
                     "'; models run on 'cpu' or 'cuda'");
  } else if (request.cudaArch.empty()) {
    result.cudaArch = archOf(gpu);
  } else {
    cuda::parseArch(request.cudaArch); // An unknown one ends here.
  }
  readKernelFiles(result);
  decideKernels(result);
  return result;
}

/// Changes whenever the compiler was rebuilt: its size and time of change. Where
/// there is no compiler, but a cache that one filled elsewhere (test/device),
/// its identity is named by the environment.
static std::string compilerIdentity() {
  struct stat status;
  std::string path = findCompilerLibrary();
  if (path.empty() || stat(path.c_str(), &status) != 0) {
    const char *named = std::getenv("BLOCKS_COMPILER_IDENTITY");
    return named ? named : "none";
  }
  return std::to_string(status.st_size) + "." +
         std::to_string(status.st_mtim.tv_sec) + "." +
         std::to_string(status.st_mtim.tv_nsec);
}

std::string cacheKey(const CompileRequest &request) {
  CompileRequest keyed = resolved(request, 0);
  // The values of hyperparameters are state, not code. Names of files are not
  // part of what is compiled.
  if (keyed.training)
    keyed.stepRule = callStructure(keyed.stepRule);
  keyed.modelName.clear();
  std::string text = requestToJson(keyed, "");
  text += "|abi " + std::to_string(BLOCKS_ABI_VERSION) + "|compiler " +
          compilerIdentity();
  return Sha256::hexOf(text);
}

/// The program from the cache; none if it is not there or does not load.
static std::unique_ptr<Program> loadCached(const ObjectCache &cache,
                                           const std::string &key,
                                           const LoadOptions &options) {
  std::optional<CachedObject> cached = cache.find(key);
  if (!cached)
    return nullptr;
  try {
    return loadProgram(cached->manifest, cached->object, options,
                       cached->deviceText);
  } catch (const Error &) {
    return nullptr; // damaged, or another version's: compile anew, overwrite
  }
}

static std::unique_ptr<Program> compileFresh(const CompileRequest &request,
                                             ObjectCache &cache,
                                             const std::string &key,
                                             const LoadOptions &options) {
  CompileOutput output = compileWithLibrary(requestToJson(request, ""));
  auto program =
      loadProgram(output.manifest, output.object, options, output.deviceText);
  if (program->spec().device != request.device)
    throw UnsupportedError("the compiler (" + findCompilerLibrary() +
                           ") makes no programs for '" + request.device +
                           "'; build it anew, or run with --device cpu");
  cache.store(key, output.manifest, output.object, output.deviceText);
  return program;
}

/// The cache that the options ask for; one without a folder keeps nothing.
static ObjectCache openCache(const LoadOptions &options) {
  if (!options.cache)
    return ObjectCache("");
  return ObjectCache(options.cacheDirectory.empty()
                         ? ObjectCache::defaultDirectory()
                         : options.cacheDirectory);
}

CompiledModel compileOrLoad(const CompileRequest &request,
                            const LoadOptions &wishes) {
  LoadOptions options = wishes;
  auto start = std::chrono::steady_clock::now();
  CompileRequest wanted = resolved(request, options.gpu);
  if (wanted.device == "cuda") // Before minutes of compiling for nothing.
    cuda::findDevice(cuda::CudaDriver(), options.gpu);
  std::string key = cacheKey(wanted);
  ObjectCache cache = openCache(options);
  options.kernelCache = &cache;
  CompiledModel model;
  model.program = loadCached(cache, key, options);
  model.cached = bool(model.program);
  if (!model.cached)
    model.program = compileFresh(wanted, cache, key, options);
  model.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  return model;
}

std::string compileUntil(const CompileRequest &request,
                         const std::string &stage) {
  if (cuda::CudaDriver driver;
      request.device == "cuda" && request.cudaArch.empty() && !driver.usable())
    throw UsageError("there is no GPU whose architecture to compile for (" +
                     driver.problem() +
                     "); name the architecture with --cuda-arch");
  return compileWithLibrary(requestToJson(resolved(request, 0), stage)).text;
}

} // namespace blocks
