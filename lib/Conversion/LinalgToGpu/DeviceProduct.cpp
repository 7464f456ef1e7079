// A product of matrices on the GPU: a call of the runtime, which hands it to
// cuBLAS. A stack of products is one call, and so is a product with what is
// done to it before it is written.
#include "lib/Conversion/LinalgToGpu/DeviceProduct.h"
#include "lib/Conversion/LinalgToCpu/Access.h"
#include "lib/Conversion/LinalgToGpu/LaunchDispatch.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Arith/Utils/Utils.h>

using namespace mlir;

namespace blocks {

/// The bias, or null, and whether to rectify.
static void addEpilogue(OpBuilder &builder, DeviceEntry &entry,
                        const ProductEpilogue &epilogue,
                        SmallVectorImpl<Value> &operands) {
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  operands.push_back(
      epilogue.bias
          ? entry.addressing.getPointer(epilogue.bias)
          : LLVM::ZeroOp::create(builder, entry.function.getLoc(), pointer)
                .getResult());
  operands.push_back(entry.getConstant(builder, epilogue.rectifies));
}

void callProduct(OpBuilder &builder, DeviceEntry &entry, Type element,
                 const DeviceProduct &product) {
  Location loc = entry.function.getLoc();
  const DeviceMatrix &a = product.a, &b = product.b, &c = product.c;
  Value one =
      arith::ConstantOp::create(builder, loc, builder.getFloatAttr(element, 1));
  SmallVector<Value> operands{entry.getContext(),
                              entry.getConstant(builder, a.isTransposed),
                              entry.getConstant(builder, b.isTransposed),
                              product.m,
                              product.n,
                              product.k,
                              one,
                              a.pointer,
                              a.leading,
                              b.pointer,
                              b.leading,
                              product.old,
                              c.pointer,
                              c.leading};
  if (product.count)
    operands.append({a.stride, b.stride, c.stride, product.count});
  if (product.epilogue)
    addEpilogue(builder, entry, *product.epilogue, operands);
  std::string name = std::string("blocks_rt_device_gemm_") +
                     (product.count      ? "stack_"
                      : product.epilogue ? "epilogue_"
                                         : "") +
                     (product.isRounded ? "bf16"
                      : element.isF32() ? "f32"
                                        : "f64");
  func::FuncOp function =
      entry.module.declareOnHost(name, ValueRange(operands).getTypes());
  func::CallOp::create(builder, loc, function, operands);
}

namespace {

class ProductCall {
public:
  ProductCall(linalg::LinalgOp op, linalg::GenericOp epilogue,
              DeviceEntry &entry)
      : op(op), epilogue(epilogue), entry(entry), builder(op), loc(op.getLoc()),
        isStack(isBatchProduct(op)), row(isStack ? 1 : 0) {
    if (epilogue) // Its operands are there, too.
      builder.setInsertionPoint(epilogue);
  }

  void emit() {
    Type element = getElementTypeOrSelf(op->getOperand(2).getType());
    DeviceProduct product;
    product.m = getLoop(row);
    product.n = getLoop(row + 1);
    product.k = getLoop(row + 2);
    product.a = getMatrix(0);
    product.a.isTransposed = isTransposed(0);
    product.b = getMatrix(1);
    product.b.isTransposed = isTransposed(1);
    product.c = getMatrix(2);
    product.old = arith::ConstantOp::create(
        builder, loc,
        builder.getFloatAttr(element, op->hasAttr(kOverwriteAttr) ? 0 : 1));
    if (isStack)
      product.count = getLoop(0);
    product.isRounded =
        getElementTypeOrSelf(op->getOperand(0).getType()) != element;
    if (epilogue)
      product.epilogue = getEpilogue(epilogue);
    callProduct(builder, entry, element, product);
  }

private:
  Value getLoop(unsigned loop) {
    return materialize(entry.extents.getLoop(op, loop));
  }

  Value materialize(OpFoldResult size) {
    return getValueOrCreateConstantIndexOp(builder, loc, size);
  }

  /// Of the left factor's rows, or the right one's, which loop comes first?
  bool isTransposed(unsigned number) {
    AffineMap map = op.getMatchingIndexingMap(&op->getOpOperand(number));
    return map.getDimPosition(row) != (number == 0 ? row : row + 2);
  }

  DeviceMatrix getMatrix(unsigned number) {
    Value matrix = op->getOperand(number);
    DeviceMatrix found{entry.addressing.getPointer(matrix),
                       materialize(entry.extents.getStride(matrix, row))};
    if (isStack)
      found.stride = materialize(entry.extents.getStride(matrix, 0));
    return found;
  }

  linalg::LinalgOp op;
  linalg::GenericOp epilogue; ///< Or null.
  DeviceEntry &entry;
  OpBuilder builder;
  Location loc;
  bool isStack;
  unsigned row; ///< The loop over rows, and the dimension of them.
};

} // namespace

void callProduct(linalg::LinalgOp op, linalg::GenericOp epilogue,
                 DeviceEntry &entry) {
  ProductCall(op, epilogue, entry).emit();
}

} // namespace blocks
