// Transformers of sequences: padding, window, ngrams.
#include "fuel/Transformers/BuiltIn.h"
#include "fuel/Transformers/Elements.h"
#include "fuel/Transformers/HeldBatch.h"

#include "blocks/Error.h"

#include <algorithm>
#include <cstring>

namespace fuel {

using blocks::Array;
using blocks::DType;

namespace {

//===-- Padding -----------------------------------------------------------===//

/// Sequences of a batch filled up with zeros to the longest, and a source
/// NAME_mask after each that says where there was something.
class Padding : public UpperLayer {
public:
  Padding(std::unique_ptr<Layer> below, TransformerOptions &options);

protected:
  void produce(Work &base, Batch &batch) override;

private:
  struct Target {
    size_t source;
    bool pad, mask;
  };
  void padRagged(const SourceInfo &info, const Array &in,
                 const RaggedItems &items, Array &out) const;
  void fillMask(const SourceInfo &info, const Array &padded,
                const RaggedItems &items, int64_t examples, Array &mask) const;
  std::vector<Target> targets; ///< In the order of the sources beneath.
  DType maskType;
};

Padding::Padding(std::unique_ptr<Layer> below, TransformerOptions &options)
    : UpperLayer(std::move(below), options.written()) {
  expectBatches();
  std::vector<std::string> which = options.takeWhich();
  bool masks = options.takeBool("masks", true);
  maskType = options.takeDType("mask_dtype", "f32");
  const std::vector<SourceInfo> &before = inner->sources();
  std::vector<bool> chosen(before.size(), which.empty());
  for (const std::string &name : which)
    chosen[sourceIndex(name)] = true;
  infos.clear();
  for (size_t i = 0; i < before.size(); ++i) {
    SourceInfo info = before[i];
    bool pad = chosen[i] && info.shape.size() > 1;
    if (pad && info.ragged)
      info.ragged = false;
    targets.push_back({i, pad && before[i].ragged, pad && masks});
    infos.push_back(info);
    if (!targets.back().mask)
      continue;
    SourceInfo mask{info.name + "_mask", maskType, {-1, info.shape[1]}, {}};
    if (info.axisLabels.size() >= 2)
      mask.axisLabels = {info.axisLabels[0], info.axisLabels[1]};
    infos.push_back(mask);
  }
}

void Padding::produce(Work &base, Batch &batch) {
  auto &work = static_cast<InnerWork &>(base);
  inner->finish(*work.inner, work.input);
  Batch &input = work.input;
  batch.resize(infos.size());
  batch.examples = input.examples;
  std::swap(batch.request, input.request);
  size_t out = 0;
  for (const Target &target : targets) {
    const SourceInfo &info = inner->sources()[target.source];
    Array &array = input.sources[target.source];
    RaggedItems &items = input.items[target.source];
    size_t padded = out++;
    if (target.pad)
      padRagged(info, array, items, batch.sources[padded]);
    else
      std::swap(array, batch.sources[padded]);
    if (target.mask)
      fillMask(info, batch.sources[padded], items, input.examples,
               batch.sources[out++]);
    if (!target.pad)
      std::swap(items, batch.items[padded]);
  }
}

void Padding::padRagged(const SourceInfo &info, const Array &in,
                        const RaggedItems &items, Array &out) const {
  int64_t longest = 0, count = items.count(), rest = 1;
  blocks::Shape shape(size_t(items.rank), 0);
  for (int64_t i = 0; i < count; ++i) {
    auto item = items.shape(i);
    longest = std::max(longest, item[0]);
    if (i == 0)
      std::copy(item.begin() + 1, item.end(), shape.begin() + 1);
    else if (!std::equal(item.begin() + 1, item.end(), shape.begin() + 1))
      throw blocks::InputError(
          "cannot pad '" + info.name + "': its examples have the shapes " +
          blocks::formatShape({items.shape(0).begin(), items.shape(0).end()}) +
          " and " + blocks::formatShape({item.begin(), item.end()}) +
          "; all axes but the first must agree");
  }
  if (count == 0)
    for (size_t k = 1; k < shape.size(); ++k)
      shape[k] = std::max<int64_t>(info.shape[k + 1], 0);
  shape[0] = longest;
  for (size_t k = 1; k < shape.size(); ++k)
    rest *= shape[k];
  out.resizeRows(in.dtype(), count, shape);
  size_t width = blocks::dtypeSize(in.dtype());
  size_t row = size_t(longest * rest) * width;
  for (int64_t i = 0; i < count; ++i) {
    size_t bytes = size_t(items.size(i)) * width;
    std::byte *begin = out.data() + size_t(i) * row;
    if (bytes)
      std::memcpy(begin, in.data() + size_t(items.offsets[size_t(i)]) * width,
                  bytes);
    if (row > bytes)
      std::memset(begin + bytes, 0, row - bytes);
  }
}

void Padding::fillMask(const SourceInfo &info, const Array &padded,
                       const RaggedItems &items, int64_t examples,
                       Array &mask) const {
  int64_t length = padded.shape().size() > 1 ? padded.shape()[1] : 0;
  Array ones(DType::UInt8, {examples, length});
  for (int64_t i = 0; i < examples; ++i) {
    int64_t there = info.ragged ? items.shape(i)[0] : length;
    if (length == 0)
      continue;
    uint8_t *row = ones.as<uint8_t>() + i * length;
    std::memset(row, 1, size_t(there));
    std::memset(row + there, 0, size_t(length - there));
  }
  castElements(ones, maskType, mask);
}

//===-- Window ------------------------------------------------------------===//

struct WindowShape {
  int64_t offset, source, target;
  bool overlapping;
  bool single; ///< The target is one element without an axis.
};

/// All full windows of each sequence, one after the other, with a second
/// window as the target.
class Window : public HoldingLayer {
public:
  Window(std::unique_ptr<Layer> below, TransformerOptions &options,
         WindowShape window)
      : HoldingLayer(std::move(below), options.written()), window(window) {
    expectExamples();
    if (infos.size() != 1 || infos[0].shape.empty())
      refuse("takes a stream of one source of sequences, but there are " +
             std::to_string(infos.size()) +
             " sources; choose one with filter_sources(sources=…)");
    if (window.source < 1 || window.target < 1)
      refuse("expects windows of 1 or more elements");
    SourceInfo target = infos[0];
    infos[0].shape[0] = window.source;
    target.name = options.take("target_source", "targets");
    if (target.name == infos[0].name)
      refuse("makes a source '" + target.name + "', which there is already");
    target.shape[0] = window.target;
    if (window.single) {
      target.shape.erase(target.shape.begin());
      if (!target.axisLabels.empty())
        target.axisLabels.erase(target.axisLabels.begin());
    }
    infos.push_back(target);
  }
  std::optional<int64_t> batchesPerEpoch() const override { return {}; }
  std::optional<int64_t> examplesPerEpoch() const override { return {}; }
  bool prepare(Work &base) override;

private:
  int64_t targetStart() const {
    return (window.overlapping ? 0 : window.source) + window.offset;
  }
  int64_t firstStart() const { return std::max<int64_t>(0, -targetStart()); }
  int64_t countParts() const override;
  void cut(int64_t start, int64_t length, bool single, Array &out) const;
  WindowShape window;
};

int64_t Window::countParts() const {
  int64_t length = held.batch.sources[0].shape()[0];
  int64_t end = std::max(window.source, targetStart() + window.target);
  return std::max<int64_t>(0, length - end - firstStart() + 1);
}

bool Window::prepare(Work &base) {
  auto &work = static_cast<InnerWork &>(base);
  while (held.exhausted())
    if (!refill())
      return false;
  int64_t start = firstStart() + held.used++;
  Batch &out = work.input;
  out.resize(2);
  out.examples = 1;
  work.examples = 1;
  out.request = held.batch.request;
  cut(start, window.source, false, out.sources[0]);
  cut(start + targetStart(), window.target, window.single, out.sources[1]);
  return true;
}

void Window::cut(int64_t start, int64_t length, bool single, Array &out) const {
  const Array &sequence = held.batch.sources[0];
  blocks::Shape shape = sequence.shape();
  size_t step = sequence.bytes() / size_t(shape[0]);
  shape[0] = length;
  if (single)
    shape.erase(shape.begin());
  out.resize(sequence.dtype(), shape);
  if (out.bytes())
    std::memcpy(out.data(), sequence.data() + size_t(start) * step,
                out.bytes());
}

std::unique_ptr<Layer> makeWindow(std::unique_ptr<Layer> inner,
                                  TransformerOptions &options) {
  constexpr int64_t most = int64_t(1) << 31;
  WindowShape window{options.takeInteger("offset"),
                     options.takeInteger("source_window"),
                     options.takeInteger("target_window"),
                     options.takeBool("overlapping", true), false};
  if (std::max({window.offset, window.source, window.target}) > most ||
      window.offset < -most)
    options.refuse("has a window or an offset that is absurdly large");
  return std::make_unique<Window>(std::move(inner), options, window);
}

std::unique_ptr<Layer> makeNGrams(std::unique_ptr<Layer> inner,
                                  TransformerOptions &options) {
  int64_t order = options.takeInteger("order");
  if (order > (int64_t(1) << 31))
    options.refuse("has an order that is absurdly large");
  return std::make_unique<Window>(std::move(inner), options,
                                  WindowShape{0, order, 1, false, true});
}
} // namespace

void addSequenceKinds(Registry &registry) {
  registry.add({"padding",
                "sequences of a batch filled with zeros to the longest, and "
                "NAME_mask",
                {{"which", "all", "the sources to pad: a+b"},
                 {"masks", "true", "false: no masks"},
                 {"mask_dtype", "f32", "element type of the masks"}},
                [](std::unique_ptr<Layer> inner, TransformerOptions &options) {
                  return std::make_unique<Padding>(std::move(inner), options);
                }});
  registry.add({"window",
                "windows of each sequence, and a second window as targets",
                {{"offset", "",
                  "of the target's window to the source's, or "
                  "to its end"},
                 {"source_window", "", "elements of the source's window"},
                 {"target_window", "", "elements of the target's"},
                 {"overlapping", "true", "false: offset counts from the end"},
                 {"target_source", "targets", "name of the second source"}},
                makeWindow});
  registry.add({"ngrams",
                "n elements of a sequence, and the one that follows as target",
                {{"order", "", "n"},
                 {"target_source", "targets", "name of the second source"}},
                makeNGrams});
}

} // namespace fuel
