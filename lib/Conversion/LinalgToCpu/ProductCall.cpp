// The product of one block of rows and columns as a call of the runtime's gemm.
// A transposed operand is cut along its other dimension; the contracted
// dimension is never cut, so the sums do not depend on the cut.
#include "lib/Conversion/LinalgToCpu/Access.h"
#include "lib/Conversion/LinalgToCpu/LoopNest.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/LLVMIR/LLVMDialect.h>
#include <mlir/Dialect/SCF/IR/SCF.h>

using namespace mlir;

namespace blocks {

namespace {

/// One matrix of the call: where its block starts, and how it is laid out.
struct Matrix {
  Value pointer, leading;
  bool isTransposed;
};

class ProductCall {
public:
  ProductCall(linalg::LinalgOp op, Kernel &kernel, const DispatchBlock &block)
      : op(op), kernel(kernel), block(block), builder(kernel.builder),
        loc(kernel.loc) {}

  /// One product: all of it, or the block.
  void emit() {
    Type element = getElementTypeOrSelf(op->getOperand(2).getType());
    Value m = getSize(block.rows, row), n = getSize(block.columns, row + 1);
    Value k = kernel.getOwn(kernel.getExtents().getLoop(op, row + 2));
    Matrix a = getMatrix(0, row), b = getMatrix(1, row + 2),
           c = getMatrix(2, row);
    if (block.rows) {
      advance(a, 0, !a.isTransposed, block.rows->low);
      advance(c, 2, true, block.rows->low);
    }
    bool isPacked = op->hasAttr(kPackedAttr);
    if (block.columns) {
      if (!isPacked) // Else the runtime finds them.
        advance(b, 1, b.isTransposed, block.columns->low);
      advance(c, 2, false, block.columns->low);
    }
    Value one = createNumber(element, 1.0);
    Value beta = createNumber(element, op->hasAttr(kOverwriteAttr) ? 0.0 : 1.0);
    Value transposeA = kernel.getConstant(a.isTransposed);
    if (isPacked) {
      Value column = block.columns ? block.columns->low : kernel.getConstant(0);
      call("blocks_rt_gemm_packed_",
           {kernel.getContext(), transposeA, m, n, k, one, a.pointer, a.leading,
            b.pointer, b.leading, column, beta, c.pointer, c.leading});
      return;
    }
    call("blocks_rt_gemm_",
         {kernel.getContext(), transposeA, kernel.getConstant(b.isTransposed),
          m, n, k, one, a.pointer, a.leading, b.pointer, b.leading, beta,
          c.pointer, c.leading});
  }

  /// The copy of rows of a matrix to where packed products read it.
  void emitPack() {
    Value k = kernel.getExtent(kernel.getExtents().getLoop(op, 0)),
          n = kernel.getExtent(kernel.getExtents().getLoop(op, 1));
    Value low = block.rows ? block.rows->low : kernel.getConstant(0),
          high = block.rows ? block.rows->high : k;
    Matrix from = getMatrix(0, 0), to = getMatrix(1, 0);
    call("blocks_rt_gemm_pack_",
         {kernel.getContext(), kernel.getConstant(from.isTransposed), low, high,
          n, k, from.pointer, from.leading, to.pointer, to.leading});
  }

  /// Of a stack of products those at `positions`, or all, one after the other.
  void emitStack(const std::optional<Range> &positions) {
    Value low = positions ? positions->low : kernel.getConstant(0);
    Value high = positions
                     ? positions->high
                     : kernel.getExtent(kernel.getExtents().getLoop(op, 0));
    auto loop =
        scf::ForOp::create(builder, loc, low, high, kernel.getConstant(1));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    position = loop.getInductionVar();
    row = 1;
    emit();
  }

private:
  void call(StringRef name, ArrayRef<Value> operands) {
    Type element = getElementTypeOrSelf(op->getOperand(0).getType());
    func::CallOp::create(builder, loc,
                         (name + (element.isF32() ? "f32" : "f64")).str(),
                         TypeRange{}, operands);
  }

  Value createNumber(Type element, double value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getFloatAttr(element, value));
  }

  Value getSize(const std::optional<Range> &range, unsigned loop) {
    if (range)
      return arith::SubIOp::create(builder, loc, range->high, range->low);
    return kernel.getExtent(kernel.getExtents().getLoop(op, loop));
  }

  /// Moves a matrix's start by `count` lines, or by elements within a line.
  void advance(Matrix &matrix, unsigned number, bool lines, Value count) {
    if (lines)
      count = arith::MulIOp::create(builder, loc, count, matrix.leading,
                                    arith::IntegerOverflowFlags::nsw);
    matrix.pointer = createElementPointer(
        builder, loc, getElementTypeOrSelf(op->getOperand(number).getType()),
        matrix.pointer, count);
  }

  /// `first` is the loop of the rows of the matrix when it is not transposed.
  Matrix getMatrix(unsigned number, unsigned first) {
    OpOperand &operand = op->getOpOperand(number);
    AffineMap map = op.getMatchingIndexingMap(&operand);
    Value leading =
        kernel.getOwn(kernel.getExtents().getStride(operand.get(), row));
    Value pointer = kernel.getPointer(operand.get());
    if (position)
      pointer = createElementPointer(
          builder, loc, getElementTypeOrSelf(operand.get().getType()), pointer,
          arith::MulIOp::create(
              builder, loc, position,
              kernel.getOwn(kernel.getExtents().getStride(operand.get(), 0)),
              arith::IntegerOverflowFlags::nsw));
    return {pointer, leading, map.getDimPosition(row) != first};
  }

  linalg::LinalgOp op;
  Kernel &kernel;
  const DispatchBlock &block;
  OpBuilder &builder;
  Location loc;
  Value position;   ///< In a stack of products; null for one product.
  unsigned row = 0; ///< The loop over the rows, and the dimension of them.
};

} // namespace

void emitProductCall(linalg::LinalgOp op, Kernel &kernel,
                     const DispatchBlock &block) {
  ProductCall(op, kernel, block).emit();
}

void emitPackCall(linalg::LinalgOp op, Kernel &kernel,
                  const DispatchBlock &block) {
  ProductCall(op, kernel, block).emitPack();
}

void emitBatchProductCalls(linalg::LinalgOp op, Kernel &kernel,
                           const DispatchBlock &block) {
  DispatchBlock whole;
  ProductCall(op, kernel, whole).emitStack(block.rows);
}

} // namespace blocks
