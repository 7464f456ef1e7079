//===- KernelGradient.h - The gradient of a call of a user's kernel -------===//
//
// By the kernel that the called one names for it, or derived from its body,
// whose values are computed again for that.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_AUTODIFF_KERNELGRADIENT_H
#define LIB_AUTODIFF_KERNELGRADIENT_H

#include "lib/Autodiff/ReverseMode.h"

namespace blocks {

/// Adds the gradients of the call's inputs to `outer`; `results` are those of
/// its results, null where nothing flows.
llvm::LogicalResult differentiateKernelCall(CallKernelOp call,
                                            llvm::ArrayRef<mlir::Value> results,
                                            ReverseMode &outer);

} // namespace blocks

#endif
