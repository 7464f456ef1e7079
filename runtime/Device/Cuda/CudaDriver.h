// CudaDriver: the functions of the CUDA driver, opened with dlopen. The driver
// rather than the runtime library, because it comes with the GPU: a machine
// that only runs programs has nothing else installed.
#pragma once

#include "runtime/Device/Cuda/CudaTypes.h"
#include "runtime/Device/Cuda/DynamicLibrary.h"

#include <string>
#include <string_view>

namespace blocks::cuda {

class CudaDriver {
public:
  /// Looks for $BLOCKS_CUDA_DRIVER, else libcuda.so.1, and starts it. Never
  /// throws: `problem` says why it cannot be used.
  CudaDriver();

  /// True if the driver started; there is a GPU then, too.
  bool usable() const { return problem().empty(); }
  std::string problem() const;
  const DynamicLibrary &library() const { return file; }
  /// The newest CUDA that the driver knows: 13000 is 13.0. 0 without a driver.
  int version() const { return cudaVersion; }

  /// "CUDA_ERROR_OUT_OF_MEMORY (out of memory)".
  std::string describe(Result result) const;
  /// Throws an UnsupportedError "cannot <what>: …" unless it went well.
  void check(Result result, std::string_view what) const {
    if (result != Success)
      fail(result, what);
  }
  [[noreturn]] void fail(Result result, std::string_view what) const;

#define BLOCKS_CUDA_FUNCTION(NAME, SYMBOL, PARAMETERS)                         \
  Result(*NAME) PARAMETERS = nullptr;
#include "runtime/Device/Cuda/CudaDriver.def"
#undef BLOCKS_CUDA_FUNCTION

private:
  void resolve();
  void start();

  DynamicLibrary file;
  std::string startProblem;
  int cudaVersion = 0;
};

/// "13.0" of 13000.
std::string formatCudaVersion(int version);

} // namespace blocks::cuda
