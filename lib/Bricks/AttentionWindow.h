//===- AttentionWindow.h - A grid of Gaussian filters over an image -------===//
//
// DRAW's window: N×N Gaussian filters whose centre, distance and width are read
// from five numbers for each example. Both directions are two stacks of
// products; the filters are not repeated for each channel.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_BRICKS_ATTENTIONWINDOW_H
#define LIB_BRICKS_ATTENTIONWINDOW_H

#include "lib/Bricks/ApplicationBuilder.h"

namespace blocks {

/// The sizes of images and of the window.
struct WindowSizes {
  int64_t channels, height, width, window;
  int64_t image() const { return channels * height * width; }
  int64_t patch() const { return channels * window * window; }
};

class AttentionWindow {
public:
  /// `parameters` are (batch, 5): vertical and horizontal centre in [-1, 1],
  /// log distance, log variance, log intensity.
  AttentionWindow(ApplicationBuilder &builder, WindowSizes sizes,
                  mlir::Value parameters);

  /// γ·F_Y·I·F_Xᵀ: (batch, channels·height·width) → (batch, channels·N·N).
  mlir::Value read(mlir::Value image);
  /// F_Yᵀ·w·F_X/γ, the other way.
  mlir::Value write(mlir::Value patch);

private:
  mlir::Value column(mlir::Value parameters, int64_t index);
  mlir::Value scaled(mlir::Value value, double factor, double shift = 0);
  mlir::Value filters(mlir::Value centre, int64_t size);
  mlir::Value product(mlir::Value a, mlir::Value b, bool ta, bool tb);
  mlir::Value split(mlir::Value value, llvm::ArrayRef<int64_t> extents);
  mlir::Value flat(mlir::Value value);
  mlir::Value swapMiddle(mlir::Value value, int64_t outer, int64_t inner,
                         int64_t last);
  mlir::Value times(mlir::Value value, mlir::Value factor);
  mlir::Value numbers(llvm::ArrayRef<double> values);

  ApplicationBuilder &builder;
  WindowSizes sizes;
  mlir::OpFoldResult batch;
  mlir::Value distance, variance, intensity; // (batch)
  mlir::Value vertical, horizontal;          // (batch, N, height or width)
};

} // namespace blocks

#endif
