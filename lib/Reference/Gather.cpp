//===- Gather.cpp - Rows of a table by number -----------------------------===//
//
// An index out of range gives zeros and adds nothing; the interpreter reports
// it.
//
//===----------------------------------------------------------------------===//
#include "lib/Reference/Ops.h"

using namespace mlir;

namespace blocks::reference {

static bool inRange(int64_t index, const Tensor &table) {
  return index >= 0 && index < table.extent(0);
}

static int64_t elementsPerRow(const Tensor &table) {
  return sizeOf(table.shape().drop_front());
}

Tensor gather(const Tensor &table, const Tensor &indices) {
  Index shape(indices.shape());
  llvm::append_range(shape, table.shape().drop_front());
  Tensor result(table.elementType(), shape);
  int64_t columns = elementsPerRow(table);
  for (int64_t row = 0; row < indices.size(); ++row)
    if (int64_t from = indices.integer(row); inRange(from, table))
      for (int64_t j = 0; j < columns; ++j)
        result.setElement(row * columns + j, table, from * columns + j);
  return result;
}

Tensor scatterAdd(const Tensor &rows, const Tensor &indices,
                  ArrayRef<int64_t> shape) {
  Tensor result(rows.elementType(), shape);
  int64_t columns = elementsPerRow(result);
  for (int64_t row = 0; row < indices.size(); ++row)
    if (int64_t to = indices.integer(row); inRange(to, result))
      for (int64_t j = 0; j < columns; ++j)
        result.setReal(to * columns + j, result.real(to * columns + j) +
                                             rows.real(row * columns + j));
  return result;
}

} // namespace blocks::reference
