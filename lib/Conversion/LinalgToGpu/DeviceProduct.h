// A call of the runtime's product on the GPU; see DeviceProduct.cpp.
#ifndef BLOCKS_LIB_CONVERSION_LINALGTOGPU_DEVICEPRODUCT_H
#define BLOCKS_LIB_CONVERSION_LINALGTOGPU_DEVICEPRODUCT_H

#include "lib/Conversion/LinalgToGpu/DeviceEntry.h"

#include <mlir/Dialect/Linalg/IR/Linalg.h>

namespace blocks {

/// A matrix by rows in the GPU's memory, `leading` elements apart; of a stack,
/// matrices are `stride` elements apart.
struct DeviceMatrix {
  mlir::Value pointer, leading, stride;
  bool isTransposed = false;
};

/// On an operation: the product before it does it, too.
inline constexpr llvm::StringLiteral kEpilogueAttr = "blocks.epilogue";

/// What is done to a product before it is written: a bias, if it is not null,
/// is added to each row, then numbers below 0 become 0.
struct ProductEpilogue {
  mlir::Value bias; ///< A memref.
  bool rectifies = false;
};
/// Of an operation with the mark.
ProductEpilogue getEpilogue(mlir::linalg::GenericOp op);

/// c := a·b + old·c, of m×k and k×n; a stack of `count`, unless that is null.
struct DeviceProduct {
  mlir::Value m, n, k;
  DeviceMatrix a, b, c;
  mlir::Value old;
  mlir::Value count;
  bool isRounded = false;                  ///< a and b are bf16, c is f32.
  std::optional<ProductEpilogue> epilogue; ///< Of no stack.
};

/// Calls the runtime where the entry stands in `builder`; `element`: of c.
void callProduct(mlir::OpBuilder &builder, DeviceEntry &entry,
                 mlir::Type element, const DeviceProduct &product);

} // namespace blocks
#endif
