//===- TensorText.cpp - Tensors as people read them -----------------------===//
//
// Numbers are printed with the fewest digits that read back to the same bits,
// so that a test can hold them.
//
//===----------------------------------------------------------------------===//
#include "lib/Reference/Tensor.h"

#include <charconv>
#include <cmath>

using namespace mlir;

namespace blocks::reference {

static std::string realText(double value, bool isF64) {
  if (std::isnan(value)) // without its sign, which no two libraries agree on
    return "nan";
  char text[40];
  auto end = isF64 ? std::to_chars(text, text + sizeof(text), value).ptr
                   : std::to_chars(text, text + sizeof(text), float(value)).ptr;
  return std::string(text, end);
}

static std::string elementText(const Tensor &tensor, int64_t i) {
  if (tensor.isReal())
    return realText(tensor.real(i), tensor.elementType().isF64());
  if (tensor.elementType().isUnsignedInteger())
    return std::to_string(uint64_t(tensor.integer(i)));
  return std::to_string(tensor.integer(i));
}

/// The elements of one sub-tensor, which begin at `next`.
static std::string nestedText(const Tensor &tensor, int64_t axis,
                              int64_t &next) {
  if (axis == tensor.rank())
    return elementText(tensor, next++);
  std::string text = "[";
  for (int64_t i = 0; i < tensor.extent(axis); ++i)
    text += (i ? ", " : "") + nestedText(tensor, axis + 1, next);
  return text + "]";
}

std::string typeText(const Tensor &tensor) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (int64_t extent : tensor.shape())
    stream << extent << 'x';
  stream << tensor.elementType();
  return text;
}

std::string toText(const Tensor &tensor) {
  int64_t next = 0;
  return typeText(tensor) + " " + nestedText(tensor, 0, next);
}

} // namespace blocks::reference
