//===- ImageWriter.cpp - Random convolutions and pools --------------------===//
//
// Over values of four axes whose first is the batch. Geometry is drawn, and
// what does not fit is given up.
//
//===----------------------------------------------------------------------===//
#include "test/lib/Reference/random_graphs/GraphWriter.h"

#include <algorithm>

namespace blocks::testing {

static bool isImage(const RandomValue &x) {
  return x.rank() == 4 && x.shape[0] == dynamicExtent &&
         std::all_of(x.shape.begin() + 1, x.shape.end(),
                     [](int extent) { return extent > 0; });
}

static bool isFilters(const RandomValue &x) {
  return x.rank() == 4 && std::all_of(x.shape.begin(), x.shape.end(),
                                      [](int extent) { return extent > 0; });
}

namespace {
/// Strides of two axes and paddings of their four ends.
struct Geometry {
  std::vector<int> strides, padding;

  std::string text() const {
    return " strides " + listText(strides) + " padding " + listText(padding);
  }
  int padded(int axis, int extent) const {
    return extent + padding[size_t(2 * axis)] + padding[size_t(2 * axis + 1)];
  }
};
} // namespace

static Geometry drawGeometry(GraphWriter &writer) {
  Geometry geometry;
  for (int i = 0; i < 2; ++i)
    geometry.strides.push_back(1 + int(writer.draw(2)));
  for (int i = 0; i < 4; ++i)
    geometry.padding.push_back(int(writer.draw(2)));
  return geometry;
}

std::optional<std::pair<RandomValue, RandomValue>>
GraphWriter::drawImagesAndFilters(size_t axis) {
  std::optional<RandomValue> images = oneThat(isImage);
  if (!images)
    return std::nullopt;
  std::optional<RandomValue> filters = oneThat([&](const RandomValue &value) {
    return isFilters(value) && value.shape[axis] == images->shape[1];
  });
  if (!filters)
    return std::nullopt;
  return std::pair(*images, *filters);
}

void GraphWriter::addConvolution() {
  auto operands = drawImagesAndFilters(1);
  if (!operands)
    return;
  const auto &[x, w] = *operands;
  Geometry geometry = drawGeometry(*this);
  std::vector<int> shape{dynamicExtent, w.shape[0]};
  for (int axis = 0; axis < 2; ++axis) {
    int room = geometry.padded(axis, x.shape[size_t(2 + axis)]) -
               w.shape[size_t(2 + axis)];
    if (room < 0)
      return;
    shape.push_back(room / geometry.strides[size_t(axis)] + 1);
  }
  know(tame(emit("blocks.convolution " + std::string(coin() ? "flipped " : "") +
                     x.name + ", " + w.name + geometry.text() + " : " +
                     typeOf(x) + ", " + typeOf(w) + " to " + tensorType(shape),
                 shape, 20 * x.bound * w.bound)));
}

void GraphWriter::addConvolutionTransposed() {
  auto operands = drawImagesAndFilters(0);
  if (!operands)
    return;
  const auto &[x, w] = *operands;
  Geometry geometry = drawGeometry(*this);
  std::vector<int> shape{dynamicExtent, w.shape[1]};
  for (int axis = 0; axis < 2; ++axis) {
    int stride = geometry.strides[size_t(axis)];
    int whole = (x.shape[size_t(2 + axis)] - 1) * stride +
                w.shape[size_t(2 + axis)] + int(draw(uint32_t(stride)));
    int size = 2 * whole - geometry.padded(axis, whole);
    if (size < 1 || size > 9)
      return;
    shape.push_back(size);
  }
  know(tame(emit("blocks.convolution_input_grad " +
                     std::string(coin() ? "flipped " : "") + x.name + ", " +
                     w.name + geometry.text() + " : " + typeOf(x) + ", " +
                     typeOf(w) + " to " + tensorType(shape),
                 shape, 20 * x.bound * w.bound)));
}

/// The extent of a pool along one axis, by the rules of `blocks.pool`.
static int pooled(int image, int window, int stride, int padding,
                  bool partial) {
  if (!partial)
    return (image + 2 * padding - window) / stride + 1;
  if (stride >= window)
    return (image - 1) / stride + 1;
  return std::max(0, (image - 1 - window + stride) / stride) + 1;
}

void GraphWriter::addPool() {
  std::optional<RandomValue> image = oneThat(isImage);
  if (!image)
    return;
  RandomValue x = *image;
  bool partial = draw(3) == 0;
  std::vector<int> window, strides, padding, shape{dynamicExtent, x.shape[1]};
  for (size_t axis = 2; axis < 4; ++axis) {
    int extent = x.shape[axis];
    window.push_back(1 + int(draw(uint32_t(std::min(extent, 3)))));
    strides.push_back(1 + int(draw(2)));
    padding.push_back(partial || window.back() == 1 ? 0 : int(draw(2)));
    shape.push_back(
        pooled(extent, window.back(), strides.back(), padding.back(), partial));
  }
  static const std::vector<std::string> kinds{"max", "average",
                                              "average_padded"};
  know(emit("blocks.pool " + choose(kinds) + " " + x.name + " window " +
                listText(window) + " strides " + listText(strides) +
                " padding " + listText(padding) + (partial ? " partial" : "") +
                " : " + typeOf(x) + " to " + tensorType(shape),
            shape, x.bound));
}

} // namespace blocks::testing
