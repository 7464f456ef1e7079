// Transformers between examples and batches: batch, unpack, cache, drop_last.
#include "fuel/IterationScheme.h"
#include "fuel/Transformers/BuiltIn.h"
#include "fuel/Transformers/HeldBatch.h"
#include "fuel/Transformers/Rows.h"

#include "blocks/Error.h"

#include <algorithm>

namespace fuel {

namespace {

/// What a constant scheme asks for, with its place.
class Sizes {
public:
  explicit Sizes(TransformerOptions &options)
      : Sizes(options.takeInteger("size"), given(options, "num_examples"),
              given(options, "times")) {}
  void startEpoch() {
    scheme.startEpoch();
    made = 0;
  }
  bool next(int64_t &size) {
    if (!scheme.next(request))
      return false;
    size = request.front();
    ++made;
    return true;
  }
  void save(Position &position) const { position.counts.push_back(made); }
  void load(PositionReader &reader) {
    int64_t count = reader.count();
    std::optional<int64_t> most = scheme.requestsPerEpoch();
    if (count < 0 || count > most.value_or(int64_t(1) << 40))
      throw blocks::InputError(
          "the saved state is at request " + std::to_string(count) + " of '" +
          scheme.describe() + "': it belongs to another pipeline");
    scheme.skip(count);
    made = count;
  }

private:
  Sizes(int64_t size, std::optional<int64_t> examples,
        std::optional<int64_t> times)
      : scheme(size, examples, times) {}
  static std::optional<int64_t> given(TransformerOptions &options,
                                      const std::string &key) {
    if (!options.has(key))
      return std::nullopt;
    return options.takeInteger(key);
  }
  ConstantScheme scheme;
  std::vector<int64_t> request;
  int64_t made = 0;
};

std::vector<TransformerKind::Option> sizeOptions() {
  return {{"size", "", "examples in a batch"},
          {"num_examples", "no limit", "examples in an epoch"},
          {"times", "no limit", "batches in an epoch"}};
}

//===-- Batch -------------------------------------------------------------===//

enum class ShortBatch { Keep, Drop, Refuse };

/// Examples into batches. Each worker makes and stacks the examples of its
/// batch.
class BatchLayer : public UpperLayer {
public:
  BatchLayer(std::unique_ptr<Layer> below, TransformerOptions &options)
      : UpperLayer(std::move(below), options.written()), sizes(options) {
    int64_t strictness = options.takeInteger("strictness", 0);
    if (strictness < 0 || strictness > 2)
      refuse("expects a strictness of 0 (keep a short last batch), 1 (drop "
             "it) or 2 (refuse it)");
    ends = ShortBatch(strictness);
    expectExamples();
    for (SourceInfo &info : infos) {
      info.ragged = std::any_of(info.shape.begin(), info.shape.end(),
                                [](int64_t extent) { return extent < 0; });
      info.shape.insert(info.shape.begin(), -1);
      info.axisLabels.insert(info.axisLabels.begin(), "batch");
    }
  }
  bool producesExamples() const override { return false; }
  std::optional<int64_t> batchesPerEpoch() const override { return {}; }
  std::unique_ptr<Work> makeWork() const override {
    return std::make_unique<Examples>();
  }
  void startEpoch() override {
    inner->startEpoch();
    sizes.startEpoch();
  }
  bool prepare(Work &base) override;
  void savePosition(Position &position) const override {
    sizes.save(position);
    inner->savePosition(position);
  }
  void loadPosition(PositionReader &reader) override {
    sizes.load(reader);
    inner->loadPosition(reader);
  }

protected:
  void produce(Work &base, Batch &batch) override;

private:
  struct Examples : Work {
    std::vector<std::unique_ptr<Work>> works;
    Batch example;
  };
  Sizes sizes;
  ShortBatch ends;
};

bool BatchLayer::prepare(Work &base) {
  auto &work = static_cast<Examples &>(base);
  int64_t wanted = 0, count = 0;
  if (!sizes.next(wanted))
    return false;
  for (; count < wanted; ++count) {
    if (size_t(count) == work.works.size())
      work.works.push_back(inner->makeWork());
    if (!inner->prepare(*work.works[size_t(count)]))
      break;
  }
  if (count == 0 || (count < wanted && ends == ShortBatch::Drop))
    return false;
  if (count < wanted && ends == ShortBatch::Refuse)
    throw blocks::InputError(
        "the last batch has " + std::to_string(count) + " examples, but '" +
        text + "' demands " + std::to_string(wanted) +
        "; choose a size that divides their number, or strictness 0 or 1");
  work.examples = count;
  return true;
}

void BatchLayer::produce(Work &base, Batch &batch) {
  auto &work = static_cast<Examples &>(base);
  RowAppender rows(infos, batch);
  for (int64_t i = 0; i < *work.examples; ++i) {
    inner->finish(*work.works[size_t(i)], work.example);
    rows.appendExample(work.example);
  }
  rows.finish();
}

//===-- Unpack ------------------------------------------------------------===//

/// The examples of batches, one by one.
class Unpack : public HoldingLayer {
public:
  Unpack(std::unique_ptr<Layer> below, TransformerOptions &options)
      : HoldingLayer(std::move(below), options.written()) {
    expectBatches();
    for (SourceInfo &info : infos) {
      info.shape.erase(info.shape.begin());
      info.ragged = false;
      if (!info.axisLabels.empty())
        info.axisLabels.erase(info.axisLabels.begin());
    }
  }
  bool producesExamples() const override { return true; }
  std::optional<int64_t> batchesPerEpoch() const override {
    return inner->examplesPerEpoch();
  }
  bool prepare(Work &base) override {
    auto &work = static_cast<InnerWork &>(base);
    while (held.exhausted())
      if (!refill())
        return false;
    takeExample(inner->sources(), held.batch, held.used++, work.input);
    work.examples = 1;
    return true;
  }
};

//===-- Cache -------------------------------------------------------------===//

/// Batches of other sizes. Like Fuel's, a request takes at most one more batch
/// from beneath, so requests larger than those batches stay short.
class Cache : public HoldingLayer {
public:
  Cache(std::unique_ptr<Layer> below, TransformerOptions &options)
      : HoldingLayer(std::move(below), options.written()), sizes(options) {
    expectBatches();
  }
  std::optional<int64_t> batchesPerEpoch() const override { return {}; }
  void startEpoch() override {
    HoldingLayer::startEpoch();
    sizes.startEpoch();
  }
  bool prepare(Work &base) override;
  void savePosition(Position &position) const override {
    sizes.save(position);
    HoldingLayer::savePosition(position);
  }
  void loadPosition(PositionReader &reader) override {
    sizes.load(reader);
    HoldingLayer::loadPosition(reader);
  }

private:
  Sizes sizes;
};

bool Cache::prepare(Work &base) {
  auto &work = static_cast<InnerWork &>(base);
  int64_t wanted = 0;
  if (!sizes.next(wanted))
    return false;
  RowAppender rows(infos, work.input);
  auto take = [&] {
    while (work.input.examples < wanted && !held.exhausted())
      rows.append(held.batch, held.used++);
  };
  bool enough = held.parts - held.used >= wanted;
  take();
  if (!enough && refill())
    take();
  rows.finish();
  work.examples = work.input.examples;
  return work.input.examples > 0;
}

//===-- DropLast ----------------------------------------------------------===//

class DropLast : public UpperLayer {
public:
  DropLast(std::unique_ptr<Layer> below, TransformerOptions &options)
      : UpperLayer(std::move(below), options.written()),
        size(options.takeInteger("size")) {
    expectBatches();
  }
  std::optional<int64_t> batchesPerEpoch() const override {
    std::optional<int64_t> examples = inner->examplesPerEpoch();
    if (!examples || size < 1)
      return std::nullopt;
    return *examples / size;
  }
  std::optional<int64_t> examplesPerEpoch() const override {
    std::optional<int64_t> batches = batchesPerEpoch();
    if (!batches)
      return std::nullopt;
    return *batches * size;
  }
  bool prepare(Work &base) override {
    auto &work = static_cast<InnerWork &>(base);
    while (UpperLayer::prepare(work)) {
      if (!work.examples || *work.examples >= size)
        return true;
    }
    return false;
  }

protected:
  void produce(Work &base, Batch &batch) override {
    inner->finish(*static_cast<InnerWork &>(base).inner, batch);
  }

private:
  int64_t size;
};

template <typename T>
std::unique_ptr<Layer> makeLayer(std::unique_ptr<Layer> inner,
                                 TransformerOptions &options) {
  return std::make_unique<T>(std::move(inner), options);
}
} // namespace

void addBatchingKinds(Registry &registry) {
  std::vector<TransformerKind::Option> batch = sizeOptions();
  batch.push_back({"strictness", "0",
                   "a short last batch: 0 keeps, 1 drops, 2 refuses it"});
  registry.add(
      {"batch", "examples into batches", batch, makeLayer<BatchLayer>});
  registry.add({"unpack", "batches into examples", {}, makeLayer<Unpack>});
  registry.add({"cache",
                "batches of another size; takes at most one batch from beneath "
                "for each, as Fuel does",
                sizeOptions(), makeLayer<Cache>});
  registry.add({"drop_last",
                "leaves out batches that are not full",
                {{"size", "", "examples in a full batch"}},
                makeLayer<DropLast>});
}

} // namespace fuel
