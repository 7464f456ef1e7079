// Functions of f64 numbers as functions of scalar operations, for devices that
// no runtime serves. Accurate to a few units in the last place; the sine and
// the cosine as far as their argument is below a million or so.
#ifndef BLOCKS_LIB_CONVERSION_LINALGTOCPU_WIDEMATH_H
#define BLOCKS_LIB_CONVERSION_LINALGTOCPU_WIDEMATH_H

#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/IR/BuiltinOps.h>

namespace blocks {

/// The function called `name` ("exp"), which is added to the module, with those
/// that it calls, if it is not there yet. Null if there is no such function.
mlir::func::FuncOp getWideFunction(mlir::ModuleOp module, llvm::StringRef name);

} // namespace blocks
#endif
