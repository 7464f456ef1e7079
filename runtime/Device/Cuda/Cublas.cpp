// The table of cuBLAS: see Cublas.h.
#include "runtime/Device/Cuda/Cublas.h"

namespace blocks::cuda {

namespace {
constexpr const char *fileNames[] = {"libcublas.so.13", "libcublas.so.12",
                                     "libcublas.so.11"};
} // namespace

Cublas::Cublas() : file("cuBLAS", "BLOCKS_CUDA_CUBLAS", fileNames) {
#define BLOCKS_CUBLAS_FUNCTION(NAME, SYMBOL, PARAMETERS)                       \
  NAME = reinterpret_cast<decltype(NAME)>(file.find(#SYMBOL));
#include "runtime/Device/Cuda/Cublas.def"
#undef BLOCKS_CUBLAS_FUNCTION
  statusName = reinterpret_cast<decltype(statusName)>(
      file.findOptional("cublasGetStatusName"));
  getProperty = reinterpret_cast<decltype(getProperty)>(
      file.findOptional("cublasGetProperty"));
}

std::string Cublas::version() const {
  std::string text;
  for (int property = 0; property < 3; ++property) {
    int value = 0;
    if (!getProperty || getProperty(property, &value) != 0)
      return {};
    text += (property ? "." : "") + std::to_string(value);
  }
  return text;
}

std::string Cublas::describe(int status) const {
  const char *name = statusName ? statusName(status) : nullptr;
  return name ? name : "status " + std::to_string(status);
}

} // namespace blocks::cuda
