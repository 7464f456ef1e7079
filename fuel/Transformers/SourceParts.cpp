// SourceLayer in parts: see include/fuel/SourceLayers.h. A batch of images is
// larger than the caches; made as a whole, each layer of a chain would read and
// write the memory once more.
#include "fuel/SourceLayers.h"

#include "blocks/Error.h"
#include "fuel/Transformers/ByteScale.h"

#include <algorithm>
#include <cstring>

namespace fuel {

using blocks::ArrayView;

namespace {
size_t bytesOfExample(const SourceInfo &info) {
  size_t bytes = blocks::dtypeSize(info.dtype);
  for (size_t axis = 1; axis < info.shape.size(); ++axis)
    bytes *= size_t(info.shape[axis]);
  return bytes;
}

size_t bytesOfExample(const std::vector<SourceInfo> &infos) {
  size_t bytes = 0;
  for (const SourceInfo &info : infos)
    bytes += bytesOfExample(info);
  return bytes;
}
} // namespace

std::unique_ptr<Layer::Work> SourceLayer::makeWork() const {
  auto work = std::make_unique<SourceWork>();
  work->inner = inner->makeWork();
  return work;
}

bool SourceLayer::divisible() const {
  return changesParts() && inner->divisible() &&
         std::ranges::all_of(inner->sources(), haveOneShape) &&
         std::ranges::all_of(infos, haveOneShape);
}

int64_t SourceLayer::partOf(const SourceWork &work) const {
  constexpr size_t whole = size_t(512) << 10, part = size_t(64) << 10;
  if (!work.examples || !divisible())
    return 0;
  size_t each = std::max<size_t>(bytesOfExample(inner->sources()), 1);
  if (each * size_t(*work.examples) < whole)
    return 0;
  return int64_t(std::max<size_t>(part / each, 1));
}

void SourceLayer::produceInParts(SourceWork &work, int64_t each, Batch &batch) {
  int64_t examples = *work.examples;
  batch.examples = examples;
  batch.request.clear();
  batch.resize(infos.size());
  for (size_t i = 0; i < infos.size(); ++i) {
    work.shape.assign(infos[i].shape.begin() + 1, infos[i].shape.end());
    batch.sources[i].resizeRows(infos[i].dtype, examples, work.shape);
  }
  for (int64_t start = 0; start < examples; start += each) {
    Part &part = work.part;
    inner->viewPart(*work.inner, start, std::min(each, examples - start), part);
    batch.request.insert(batch.request.end(), part.request.begin(),
                         part.request.end());
    for (size_t i = 0; i < infos.size(); ++i) {
      blocks::Array &array = batch.sources[i];
      std::byte *out = array.data() + size_t(start) * bytesOfExample(infos[i]);
      if (selected[i])
        changePart(work, i, part.sources[i], start, out,
                   ByteScale::isLarge(array.bytes()));
      else if (size_t bytes = part.sources[i].bytes())
        std::memcpy(out, part.sources[i].data, bytes);
    }
  }
}

void SourceLayer::producePart(Work &base, int64_t start, int64_t count,
                              Part &part) {
  auto &work = static_cast<SourceWork &>(base);
  inner->viewPart(*work.inner, start, count, part);
  work.changed.resize(infos.size());
  for (size_t i = 0; i < infos.size(); ++i) {
    if (!selected[i])
      continue;
    ArrayView &view = part.sources[i];
    blocks::Array &array = work.changed[i];
    work.shape.assign(infos[i].shape.begin() + 1, infos[i].shape.end());
    array.resizeRows(infos[i].dtype, count, work.shape);
    changePart(work, i, view, start, array.data(), /*large=*/false);
    view.dtype = array.dtype();
    view.shape = array.shape();
    view.data = array.data();
  }
}

void ItemLayer::changePart(InnerWork &work, size_t source, const ArrayView &in,
                           int64_t start, std::byte *out, bool) const {
  std::span<const int64_t> shape = std::span(in.shape).subspan(1);
  std::span<const int64_t> after = std::span(infos[source].shape).subspan(1);
  size_t bytesIn = in.bytes() / size_t(in.shape[0]);
  size_t bytesOut = bytesOfExample(infos[source]);
  for (int64_t k = 0; k < in.shape[0]; ++k, out += bytesOut) {
    ItemView item{in.data + size_t(k) * bytesIn, shape, in.dtype};
    std::span<const double> draws = drawsOf(work, source, start + k);
    shapeOf(item, draws, work.shape);
    if (!std::ranges::equal(work.shape, after))
      refuse("gives an example of '" + infos[source].name + "' the shape " +
             blocks::formatShape(work.shape) + ", but announced " +
             blocks::formatShape({after.begin(), after.end()}));
    changeItem(item, draws, work.shape, out);
  }
}

} // namespace fuel
