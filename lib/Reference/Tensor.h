//===- Tensor.h - The values of the reference interpreter -----------------===//
//
// A Tensor is an element type, a shape and the elements in row-major order.
// Floating-point elements are kept as doubles that are rounded to the element
// type whenever they are stored, so an f32 tensor holds honest f32 numbers;
// integers are kept as 64 bits, wrapped to their width. Scalars (f32, i1,
// index) are tensors of rank 0. Relies on MLIR's types alone.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_REFERENCE_TENSOR_H
#define LIB_REFERENCE_TENSOR_H

#include "blocks/Array.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Support/Error.h>
#include <mlir/IR/BuiltinAttributes.h>
#include <mlir/IR/BuiltinTypes.h>

#include <string>
#include <vector>

namespace blocks::reference {

/// A position or a shape: one number per axis.
using Index = llvm::SmallVector<int64_t, 4>;

class Tensor {
public:
  Tensor() = default;
  /// Zeros.
  Tensor(mlir::Type elementType, llvm::ArrayRef<int64_t> shape);

  static Tensor scalar(mlir::Type elementType, double value);
  static Tensor index(mlir::MLIRContext *context, int64_t value);
  /// The elements of a constant: a dense attribute, a number or a boolean.
  static mlir::FailureOr<Tensor> fromAttribute(mlir::Attribute attribute);

  mlir::Type elementType() const { return type; }
  llvm::ArrayRef<int64_t> shape() const { return extents; }
  int64_t rank() const { return int64_t(extents.size()); }
  int64_t extent(int64_t axis) const { return extents[size_t(axis)]; }
  int64_t size() const { return count; }
  bool isReal() const { return llvm::isa<mlir::FloatType>(type); }

  /// Element number `i` in row-major order; rounds or wraps when storing.
  double real(int64_t i) const { return reals[size_t(i)]; }
  void setReal(int64_t i, double value);
  int64_t integer(int64_t i) const { return integers[size_t(i)]; }
  void setInteger(int64_t i, int64_t value);
  /// Copies an element of a tensor of the same element type.
  void setElement(int64_t i, const Tensor &from, int64_t j);

  /// Rounds `value` to this tensor's floating-point type.
  double round(double value) const;

  /// The same elements under another shape of the same size.
  Tensor reshaped(llvm::ArrayRef<int64_t> shape) const;
  /// Elements [i] along axis 0, and their replacement.
  Tensor slice(int64_t i) const;
  void setSlice(int64_t i, const Tensor &slice);

private:
  mlir::Type type;
  Index extents;
  int64_t count = 0;
  std::vector<double> reals;     // if isReal()
  std::vector<int64_t> integers; // if not
};

/// Product of the extents; 1 for a scalar.
int64_t sizeOf(llvm::ArrayRef<int64_t> shape);
/// The row-major number of the element at `position`, and back.
int64_t linearIndex(llvm::ArrayRef<int64_t> position,
                    llvm::ArrayRef<int64_t> shape);
Index positionOf(int64_t linear, llvm::ArrayRef<int64_t> shape);

/// `bits` as a number of integer type `type`: sign-extended for signless and
/// signed types, zero-extended for unsigned ones, 0 or 1 for i1.
int64_t wrapInteger(int64_t bits, mlir::Type type);
/// The bits of `value` that `type` has room for, as an unsigned number.
uint64_t unsignedBits(int64_t value, mlir::Type type);

/// Between tensors and the arrays of the runtime. Element types that NumPy
/// lacks (i4 …) are an error.
llvm::Expected<DType> dtypeOf(mlir::Type elementType);
Tensor fromArray(const ArrayView &array, mlir::Type elementType);
llvm::Expected<Array> toArray(const Tensor &tensor);

/// "3x4xf32 [[0.5, …], …]"; floats so that they read back to the same bits.
std::string toText(const Tensor &tensor);
/// "3x4xf32".
std::string typeText(const Tensor &tensor);

} // namespace blocks::reference

#endif
