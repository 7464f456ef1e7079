// Names and sentences of error codes, and the look-up of entry points.
#include "Emulator.h"

#include <cstring>
#include <dlfcn.h>

using namespace ptxemu;

namespace {

struct ErrorText {
  CUresult code;
  const char *name, *text;
};

constexpr ErrorText texts[] = {
    {0, "CUDA_SUCCESS", "no error"},
    {1, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {2, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {3, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {100, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {101, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {200, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {201, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {209, "CUDA_ERROR_NO_BINARY_FOR_GPU",
     "no kernel image is available for execution on the device"},
    {218, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
     "the provided PTX was compiled with an unsupported toolchain."},
    {400, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {500, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {600, "CUDA_ERROR_NOT_READY", "device not ready"},
    {700, "CUDA_ERROR_ILLEGAL_ADDRESS",
     "an illegal memory access was encountered"},
    {701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
     "too many resources requested for launch"},
    {710, "CUDA_ERROR_ASSERT", "device-side assert triggered"},
    {712, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED",
     "part or all of the requested memory range is already mapped"},
    {713, "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED",
     "pointer does not correspond to a registered memory region"},
    {715, "CUDA_ERROR_ILLEGAL_INSTRUCTION",
     "an illegal instruction was encountered"},
    {716, "CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address"},
    {719, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {801, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported"},
    {900, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
     "operation not permitted when stream is capturing"},
    {901, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED",
     "operation failed due to a previous error during capture"},
    {902, "CUDA_ERROR_STREAM_CAPTURE_MERGE",
     "operation would result in a merge of separate capture sequences"},
    {903, "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED",
     "capture was not ended in the same stream as it began"},
    {904, "CUDA_ERROR_STREAM_CAPTURE_UNJOINED",
     "capturing stream has unjoined work"},
    {905, "CUDA_ERROR_STREAM_CAPTURE_ISOLATION",
     "dependency created on uncaptured work in another stream"},
    {906, "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT",
     "operation would make the legacy stream depend on a capturing blocking "
     "stream"},
    {907, "CUDA_ERROR_CAPTURED_EVENT",
     "operation not permitted on an event last recorded in a capturing stream"},
    {910, "CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE",
     "the graph update was not performed because it included changes which "
     "violated constraints specific to instantiated graph update"},
    {999, "CUDA_ERROR_UNKNOWN", "unknown error"}};

const ErrorText *find(CUresult code) {
  for (const ErrorText &text : texts)
    if (text.code == code)
      return &text;
  return nullptr;
}

/// The library's own exports, whatever else the process has.
void *ownSymbol(const std::string &name) {
  static void *self = [] {
    Dl_info info;
    dladdr(reinterpret_cast<void *>(&find), &info);
    return dlopen(info.dli_fname, RTLD_NOLOAD | RTLD_LAZY);
  }();
  return self ? dlsym(self, name.c_str()) : nullptr;
}

} // namespace

CUDA_API cuGetErrorName(CUresult code, const char **name) {
  const ErrorText *text = find(code);
  if (!name)
    return CUDA_ERROR_INVALID_VALUE;
  *name = text ? text->name : nullptr;
  return text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUDA_API cuGetErrorString(CUresult code, const char **string) {
  const ErrorText *text = find(code);
  if (!string)
    return CUDA_ERROR_INVALID_VALUE;
  *string = text ? text->text : nullptr;
  return text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/// The newest version of an entry point that this library has and that the
/// caller's header (`version`) knew.
CUDA_API cuGetProcAddress_v2(const char *symbol, void **function, int version,
                             uint64_t, int *status) {
  if (!symbol || !function)
    return CUDA_ERROR_INVALID_VALUE;
  std::string name = symbol;
  *function = nullptr;
  if (name == "cuGraphInstantiate")
    name = version >= 12000 ? "cuGraphInstantiateWithFlags" : name;
  for (const char *suffix : {"_v4", "_v3", "_v2", ""}) {
    bool tooNew =
        version < 13000 &&
        (std::strcmp(suffix, "_v4") == 0 ||
         (name == "cuEventElapsedTime" && std::strcmp(suffix, "_v2") == 0) ||
         (name == "cuGraphAddDependencies" && std::strcmp(suffix, "_v2") == 0));
    if (!tooNew && (*function = ownSymbol(name + suffix)))
      break;
  }
  if (status)
    *status = *function ? 0 : 1;
  return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUDA_API cuGetProcAddress(const char *symbol, void **function, int version,
                          uint64_t flags) {
  return cuGetProcAddress_v2(symbol, function, version, flags, nullptr);
}
