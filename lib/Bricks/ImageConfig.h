//===- ImageConfig.h - Settings of bricks over images ---------------------===//
//
// Reads what convolutions and pools are configured by, and computes the sizes
// of what they make by Blocks' rules. A setting of two numbers is (height,
// width).
//
//===----------------------------------------------------------------------===//
#ifndef LIB_BRICKS_IMAGECONFIG_H
#define LIB_BRICKS_IMAGECONFIG_H

#include "lib/Bricks/ApplicationBuilder.h"

#include <array>
#include <optional>

namespace blocks {

using Pair = std::array<int64_t, 2>;

/// "5x7".
std::string pairText(Pair pair);

/// A list of two integers of at least `least`; `otherwise` if absent, and
/// without that the setting must be there.
mlir::FailureOr<Pair> readPair(const BrickConfig &config, llvm::StringRef key,
                               int64_t least,
                               std::optional<Pair> otherwise = std::nullopt);

/// How far images are padded by the setting `border_mode`, for a kernel.
mlir::FailureOr<Pair> readBorderMode(const BrickConfig &config, Pair kernel);

/// What a Convolutional or ConvolutionalTranspose is configured by.
struct ConvolutionConfig {
  Pair filterSize, step, padding;
  int64_t filters, channels;
  std::optional<Pair> imageSize;
  bool tiedBiases, useBias, flipped;

  static mlir::FailureOr<ConvolutionConfig> read(const BrickConfig &config);
  /// Height and width of the result for an image of that size.
  Pair resultSize(Pair image) const;
  /// [top, bottom, left, right].
  std::array<int64_t, 4> sides() const {
    return {padding[0], padding[0], padding[1], padding[1]};
  }
};

/// What a pool is configured by.
struct PoolConfig {
  Pair window, step, padding;
  bool partial; ///< Not ignore_border.

  static mlir::FailureOr<PoolConfig> read(const BrickConfig &config);
  Pair resultSize(Pair image) const;
};

/// The type of argument 0 if it is a batch of images whose channels, height and
/// width are known; null after an error.
mlir::RankedTensorType imagesOf(ApplicationBuilder &builder);

} // namespace blocks

#endif
