//===- Blocks.h - The blocks dialect: umbrella header ---------------------===//
//
// Include this to use the dialect: bricks, graphs, annotations, tensor
// operations. Definitions are in the .td files of this folder.
//
//===----------------------------------------------------------------------===//
#ifndef DIALECTS_BLOCKS_BLOCKS_H
#define DIALECTS_BLOCKS_BLOCKS_H

#include "dialects/Blocks/Roles.h"

#include <mlir/Bytecode/BytecodeOpInterface.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Math/IR/Math.h>
#include <mlir/Dialect/Tensor/IR/Tensor.h>
#include <mlir/IR/Builders.h>
#include <mlir/IR/BuiltinTypes.h>
#include <mlir/IR/Dialect.h>
#include <mlir/IR/OpDefinition.h>
#include <mlir/IR/OpImplementation.h>
#include <mlir/IR/RegionKindInterface.h>
#include <mlir/IR/SymbolTable.h>
#include <mlir/Interfaces/CallInterfaces.h>
#include <mlir/Interfaces/ControlFlowInterfaces.h>
#include <mlir/Interfaces/DestinationStyleOpInterface.h>
#include <mlir/Interfaces/FunctionInterfaces.h>
#include <mlir/Interfaces/InferTypeOpInterface.h>
#include <mlir/Interfaces/SideEffectInterfaces.h>

#include "dialects/Blocks/BlocksDialect.h.inc"

#include "dialects/Blocks/BlocksAttrInterfaces.h.inc"

namespace blocks {
// Helpers of the generated parsers and printers of floating-point parameters.
mlir::FailureOr<llvm::APFloat> parseNumber(mlir::AsmParser &parser);
void printNumber(mlir::AsmPrinter &printer, const llvm::APFloat &value);
} // namespace blocks

#define GET_ATTRDEF_CLASSES
#include "dialects/Blocks/BlocksAttributes.h.inc"

#include "dialects/Blocks/BlocksOpInterfaces.h.inc"

#define GET_OP_CLASSES
#include "dialects/Blocks/BlocksOps.h.inc"

namespace blocks {

/// What the dialect asks of the brick library (lib/Bricks attaches it): the
/// signatures of library bricks that are not expanded yet.
class BrickLibraryInterface
    : public mlir::DialectInterface::Base<BrickLibraryInterface> {
public:
  BrickLibraryInterface(mlir::Dialect *dialect) : Base(dialect) {}
  /// Checks kind and configuration of a library brick.
  virtual mlir::LogicalResult verifyBrick(BrickOp brick) const = 0;
  /// Checks a call of an application that is not expanded yet. `brick` is the
  /// nearest enclosing brick that exists, `rest` the symbols below it.
  virtual mlir::LogicalResult
  verifyCall(ApplyOp apply, BrickOp brick,
             llvm::ArrayRef<mlir::FlatSymbolRefAttr> rest) const = 0;
};

/// "/mlp/linear_0.W" of @mlp::@linear_0::@W; the last symbol is a parameter.
std::string parameterPath(mlir::SymbolRefAttr reference);
/// "/mlp/linear_0" of @mlp::@linear_0.
std::string brickPath(mlir::SymbolRefAttr reference);
/// The reference to `name` inside the brick `brick`: @a::@b → @a::@b::@name.
mlir::SymbolRefAttr nestedReference(mlir::SymbolRefAttr brick,
                                    llvm::StringRef name);
/// The reference without its last symbol; null if there is just one.
mlir::SymbolRefAttr parentReference(mlir::SymbolRefAttr reference);

/// The extent of a convolution's result along one axis.
int64_t convolvedExtent(int64_t image, int64_t kernel, int64_t stride,
                        int64_t paddingSum);
/// The extent of a pool's result along one axis, by Blocks' rules; `partial` is
/// the opposite of its ignore_border. Below 1 if no window fits.
int64_t pooledExtent(int64_t image, int64_t window, int64_t stride,
                     int64_t padding, bool partial);

/// The state after the last step that was made of a scan's stacked states; what
/// it started from if there were no steps.
mlir::Value lastState(mlir::OpBuilder &ops, mlir::Location loc,
                      mlir::Value stacked, bool reverse);

/// True if two extents can be equal: a dynamic one fits any.
inline bool extentsFit(int64_t a, int64_t b) {
  return a == b || mlir::ShapedType::isDynamic(a) ||
         mlir::ShapedType::isDynamic(b);
}
/// "128x784", "?x10", "scalar": shapes as users read them.
std::string shapeText(mlir::Type type);

} // namespace blocks

#endif
