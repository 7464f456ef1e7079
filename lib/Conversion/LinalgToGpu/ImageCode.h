// What kernels over images have in common: a call's geometry by name, and the
// arithmetic of places in images, results and filters.
#ifndef BLOCKS_LIB_CONVERSION_LINALGTOGPU_IMAGECODE_H
#define BLOCKS_LIB_CONVERSION_LINALGTOGPU_IMAGECODE_H

#include "lib/Conversion/LinalgToGpu/DeviceKernel.h"

#include <array>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/SCF/IR/SCF.h>

namespace blocks {

/// What an ImageCallOp's geometry says, by name.
struct Geometry {
  explicit Geometry(llvm::ArrayRef<int64_t> numbers)
      : channels(numbers[0]), height(numbers[1]), width(numbers[2]),
        filters(numbers[3]), kernel{numbers[4], numbers[5]},
        out{numbers[6], numbers[7]}, stride{numbers[8], numbers[9]},
        pad{numbers[10], numbers[11]}, option(numbers[12]) {}

  int64_t extent(unsigned axis) const { return axis == 0 ? height : width; }
  bool isFlipped() const { return option == 1; }

  int64_t channels, height, width, filters;
  int64_t kernel[2], out[2], stride[2], pad[2];
  int64_t option;
};

/// Two coordinates: down and across.
using Place = std::array<mlir::Value, 2>;

/// A kernel under construction, each of whose threads computes one element.
class ImageCode {
protected:
  /// `site`: the operation in whose place the kernel is launched.
  ImageCode(mlir::Operation *site, DeviceEntry &entry,
            llvm::ArrayRef<int64_t> geometry, mlir::Type element)
      : entry(entry), kernel(site, entry), builder(kernel.builder),
        loc(kernel.loc), geometry(geometry), element(element), site(site) {}

  /// Emits `compute` for the number of an element, in threads that have one,
  /// stores what it returns at that number, and launches the kernel.
  void launchElements(mlir::OpFoldResult count, mlir::Value to,
                      llvm::function_ref<mlir::Value(mlir::Value)> compute);

  // --- Scalars ---------------------------------------------------------------
  mlir::Value constant(int64_t value) { return kernel.getConstant(value); }
  mlir::Value real(double value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value add(mlir::Value a, int64_t b) {
    return b == 0 ? a : add(a, constant(b));
  }
  mlir::Value multiply(mlir::Value a, mlir::Value b);
  mlir::Value multiply(mlir::Value a, int64_t b);
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value a,
                      mlir::Value b);
  mlir::Value both(mlir::Value a, mlir::Value b);
  mlir::Value addTo(mlir::Value sum, mlir::Value a, mlir::Value b);
  /// Takes a number apart; the first extent may be anything.
  llvm::SmallVector<mlir::Value> split(mlir::Value number,
                                       llvm::ArrayRef<int64_t> extents);
  /// The inverse of split.
  mlir::Value join(mlir::ValueRange parts, llvm::ArrayRef<int64_t> extents);
  /// Of a memref of the entry, or of a pointer that the entry has.
  mlir::Value getPointer(mlir::Value array, mlir::Value number);
  mlir::Type getStored(mlir::Value array);
  /// As a number of the type in which the kernel computes.
  mlir::Value load(mlir::Value array, mlir::Value number);
  mlir::Value loadImage(mlir::Value memref, mlir::Value n, mlir::Value c,
                        const Place &at);
  mlir::Value loadResult(mlir::Value memref, mlir::Value n, mlir::Value f,
                         const Place &at);
  mlir::Value loadFilter(mlir::Value memref, mlir::Value f, mlir::Value c,
                         const Place &at);

  // --- Loops -----------------------------------------------------------------
  using Body = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      mlir::Value, mlir::ValueRange)>;
  llvm::SmallVector<mlir::Value> emitLoop(mlir::Value low, mlir::Value high,
                                          mlir::ValueRange carried, Body body);
  llvm::SmallVector<mlir::Value> emitLoop(int64_t count,
                                          mlir::ValueRange carried, Body body);
  /// Loops over the places of a kernel or window.
  llvm::SmallVector<mlir::Value> emitPlaces(
      mlir::ValueRange carried,
      llvm::function_ref<llvm::SmallVector<mlir::Value>(const Place &,
                                                        mlir::ValueRange)>
          body);
  /// `body` where the condition holds, else the carried values. A null
  /// condition always holds.
  llvm::SmallVector<mlir::Value>
  emitIf(mlir::Value condition, mlir::ValueRange carried,
         llvm::function_ref<llvm::SmallVector<mlir::Value>()> body);

  // --- Geometry --------------------------------------------------------------
  /// Where the tap of a kernel at a pixel of the result lies in the image.
  Place getTap(const Place &pixel, const Place &tap);
  /// True if 0 <= at < the extent, as one unsigned comparison; null if no tap
  /// ever lies outside of the image.
  mlir::Value isInImage(const Place &at);
  /// The place in the filters that a tap uses.
  Place getWeight(const Place &tap);
  /// Of an axis: the pixel of the result whose tap lies at `at`, and whether
  /// there is one.
  std::pair<mlir::Value, mlir::Value> getPixel(unsigned axis, mlir::Value at,
                                               mlir::Value tap);

  DeviceEntry &entry;
  DeviceKernel kernel;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  Geometry geometry;
  mlir::Type element;

private:
  mlir::Operation *site;
};

} // namespace blocks
#endif
