// A product of matrices on the GPU: a call of the runtime, which hands it to
// cuBLAS. A stack of products is one call.
#include "lib/Conversion/LinalgToCpu/Access.h"
#include "lib/Conversion/LinalgToGpu/LaunchDispatch.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Arith/Utils/Utils.h>

using namespace mlir;

namespace blocks {

namespace {

class ProductCall {
public:
  ProductCall(linalg::LinalgOp op, DeviceEntry &entry)
      : op(op), entry(entry), builder(op), loc(op.getLoc()),
        isStack(isBatchProduct(op)), row(isStack ? 1 : 0) {}

  void emit() {
    Type element = getElementTypeOrSelf(op->getOperand(2).getType());
    SmallVector<Value> operands{entry.getContext(),
                                entry.getConstant(builder, isTransposed(0)),
                                entry.getConstant(builder, isTransposed(1))};
    for (unsigned loop = row; loop < row + 3; ++loop)
      operands.push_back(materialize(entry.extents.getLoop(op, loop)));
    operands.push_back(createNumber(element, 1));
    addMatrix(operands, 0);
    addMatrix(operands, 1);
    operands.push_back(
        createNumber(element, op->hasAttr(kOverwriteAttr) ? 0 : 1));
    addMatrix(operands, 2);
    if (isStack) {
      for (unsigned number = 0; number < 3; ++number)
        operands.push_back(
            materialize(entry.extents.getStride(op->getOperand(number), 0)));
      operands.push_back(materialize(entry.extents.getLoop(op, 0)));
    }
    std::string name = std::string("blocks_rt_device_gemm_") +
                       (isStack ? "stack_" : "") +
                       (element.isF32() ? "f32" : "f64");
    func::FuncOp function =
        entry.module.declareOnHost(name, ValueRange(operands).getTypes());
    func::CallOp::create(builder, loc, function, operands);
  }

private:
  Value materialize(OpFoldResult size) {
    return getValueOrCreateConstantIndexOp(builder, loc, size);
  }

  Value createNumber(Type element, double value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getFloatAttr(element, value));
  }

  /// Of the left factor's rows, or the right one's, which loop comes first?
  bool isTransposed(unsigned number) {
    AffineMap map = op.getMatchingIndexingMap(&op->getOpOperand(number));
    return map.getDimPosition(row) != (number == 0 ? row : row + 2);
  }

  void addMatrix(SmallVectorImpl<Value> &operands, unsigned number) {
    Value matrix = op->getOperand(number);
    operands.push_back(entry.addressing.getPointer(matrix));
    operands.push_back(materialize(entry.extents.getStride(matrix, row)));
  }

  linalg::LinalgOp op;
  DeviceEntry &entry;
  OpBuilder builder;
  Location loc;
  bool isStack;
  unsigned row; ///< The loop over rows, and the dimension of them.
};

} // namespace

void callProduct(linalg::LinalgOp op, DeviceEntry &entry) {
  ProductCall(op, entry).emit();
}

} // namespace blocks
