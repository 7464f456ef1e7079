// The driver's table and its errors: see CudaDriver.h.
#include "runtime/Device/Cuda/CudaDriver.h"

#include "blocks/Error.h"

namespace blocks::cuda {

namespace {
constexpr const char *fileNames[] = {"libcuda.so.1"};
} // namespace

CudaDriver::CudaDriver()
    : file("CUDA driver", "BLOCKS_CUDA_DRIVER", fileNames) {
  resolve();
  if (file.found())
    start();
}

void CudaDriver::resolve() {
#define BLOCKS_CUDA_FUNCTION(NAME, SYMBOL, PARAMETERS)                         \
  NAME = reinterpret_cast<decltype(NAME)>(file.find(#SYMBOL));
#include "runtime/Device/Cuda/CudaDriver.def"
#undef BLOCKS_CUDA_FUNCTION
}

void CudaDriver::start() {
  driverGetVersion(&cudaVersion);
  int count = 0;
  Result result = init(0);
  if (result == Success)
    result = deviceGetCount(&count);
  if (result == NoDevice || (result == Success && count == 0))
    startProblem = file.file() + " finds no GPU on this machine";
  else if (result != Success)
    startProblem = file.file() + " cannot start: " + describe(result);
}

std::string CudaDriver::problem() const {
  return file.found() ? startProblem : file.problem();
}

std::string CudaDriver::describe(Result result) const {
  const char *name = nullptr, *text = nullptr;
  if (getErrorName(result, &name) != Success || !name)
    return "error " + std::to_string(int(result));
  if (getErrorString(result, &text) != Success || !text)
    return name;
  return std::string(name) + " (" + text + ")";
}

void CudaDriver::fail(Result result, std::string_view what) const {
  throw UnsupportedError("cannot " + std::string(what) + ": " +
                         describe(result) +
                         "; blocks-run doctor shows the state of the GPU");
}

std::string formatCudaVersion(int version) {
  return std::to_string(version / 1000) + "." +
         std::to_string(version % 1000 / 10);
}

} // namespace blocks::cuda
