// The table of cuBLASLt: see CublasLt.h.
#include "runtime/Device/Cuda/CublasLt.h"

namespace blocks::cuda {

namespace {
constexpr const char *fileNames[] = {"libcublasLt.so.13", "libcublasLt.so.12",
                                     "libcublasLt.so.11"};
} // namespace

CublasLt::CublasLt() : file("cuBLASLt", "BLOCKS_CUDA_CUBLASLT", fileNames) {
#define BLOCKS_CUBLASLT_FUNCTION(NAME, SYMBOL, PARAMETERS)                     \
  NAME = reinterpret_cast<decltype(NAME)>(file.find(#SYMBOL));
#include "runtime/Device/Cuda/CublasLt.def"
#undef BLOCKS_CUBLASLT_FUNCTION
  getProperty = reinterpret_cast<decltype(getProperty)>(
      file.findOptional("cublasLtGetProperty"));
}

std::string CublasLt::version() const {
  std::string text;
  for (int property = 0; property < 3; ++property) {
    int value = 0;
    if (!getProperty || getProperty(property, &value) != 0)
      return {};
    text += (property ? "." : "") + std::to_string(value);
  }
  return text;
}

} // namespace blocks::cuda
