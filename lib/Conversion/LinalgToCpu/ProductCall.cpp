// The product of one block of rows as a call of the runtime's gemm. A product
// whose left operand is transposed is cut by the columns of that operand; the
// contracted dimension is never cut, so the sums do not depend on the cut.
#include "lib/Conversion/LinalgToCpu/Access.h"
#include "lib/Conversion/LinalgToCpu/LoopNest.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/LLVMIR/LLVMDialect.h>

using namespace mlir;

namespace blocks {

namespace {

/// One matrix of the call: where its block starts, and how it is laid out.
struct Matrix {
  Value pointer, leading, transposed;
};

class ProductCall {
public:
  ProductCall(linalg::LinalgOp op, Kernel &kernel, std::optional<RowRange> rows)
      : op(op), kernel(kernel), rows(rows), builder(kernel.builder),
        loc(kernel.loc) {}

  void emit() {
    Type element = getElementTypeOrSelf(op->getOperand(2).getType());
    Value m =
        rows ? Value(arith::SubIOp::create(builder, loc, rows->high, rows->low))
             : kernel.getExtent(kernel.getExtents().getLoop(op, 0));
    Value n = kernel.getExtent(kernel.getExtents().getLoop(op, 1));
    Value k = kernel.getOwn(kernel.getExtents().getLoop(op, 2));
    Matrix a = getMatrix(0, 0), b = getMatrix(1, 2), c = getMatrix(2, 0);
    Value one = createNumber(element, 1.0);
    Value beta = createNumber(element, op->hasAttr(kOverwriteAttr) ? 0.0 : 1.0);
    SmallVector<Value> operands{kernel.getContext(),
                                a.transposed,
                                b.transposed,
                                m,
                                n,
                                k,
                                one,
                                a.pointer,
                                a.leading,
                                b.pointer,
                                b.leading,
                                beta,
                                c.pointer,
                                c.leading};
    func::CallOp::create(builder, loc,
                         element.isF32() ? "blocks_rt_gemm_f32"
                                         : "blocks_rt_gemm_f64",
                         TypeRange{}, operands);
  }

private:
  Value createNumber(Type element, double value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getFloatAttr(element, value));
  }

  /// `first` is the loop of the rows of the matrix when it is not transposed.
  Matrix getMatrix(unsigned number, unsigned first) {
    OpOperand &operand = op->getOpOperand(number);
    AffineMap map = op.getMatchingIndexingMap(&operand);
    bool transposed = map.getDimPosition(0) != first;
    Matrix matrix;
    matrix.transposed = kernel.getConstant(transposed);
    matrix.leading =
        kernel.getOwn(kernel.getExtents().getStride(operand.get(), 0));
    matrix.pointer = kernel.getPointer(operand.get());
    // Only the left operand and the result have the rows that are cut.
    if (rows && number != 1) {
      Value offset = rows->low;
      if (!transposed)
        offset = arith::MulIOp::create(builder, loc, offset, matrix.leading,
                                       arith::IntegerOverflowFlags::nsw);
      matrix.pointer = createElementPointer(
          builder, loc, getElementTypeOrSelf(operand.get().getType()),
          matrix.pointer, offset);
    }
    return matrix;
  }

  linalg::LinalgOp op;
  Kernel &kernel;
  std::optional<RowRange> rows;
  OpBuilder &builder;
  Location loc;
};

} // namespace

void emitProductCall(linalg::LinalgOp op, Kernel &kernel,
                     std::optional<RowRange> rows) {
  ProductCall(op, kernel, rows).emit();
}

} // namespace blocks
