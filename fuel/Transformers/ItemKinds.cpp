// Transformers of whole items: filters, mappings and the order in a batch; see
// include/fuel/Transformers.h.
#include "fuel/Transformers.h"
#include "fuel/Transformers/BuiltIn.h"
#include "fuel/Transformers/Elements.h"
#include "fuel/Transformers/Rows.h"

#include "blocks/Error.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace fuel {

namespace {

/// Must see an item to judge it, so all beneath runs in order.
class FilterLayer : public UpperLayer {
public:
  FilterLayer(std::unique_ptr<Layer> below,
              std::function<bool(const Batch &)> keep, std::string text)
      : UpperLayer(std::move(below), std::move(text)), keep(std::move(keep)) {}
  std::optional<int64_t> batchesPerEpoch() const override { return {}; }
  std::optional<int64_t> examplesPerEpoch() const override { return {}; }
  bool prepare(Work &base) override {
    auto &work = static_cast<InnerWork &>(base);
    while (inner->prepare(*work.inner)) {
      inner->finish(*work.inner, work.input);
      if (!keep(work.input))
        continue;
      work.examples = work.input.examples;
      return true;
    }
    return false;
  }

protected:
  void produce(Work &base, Batch &batch) override {
    std::swap(batch, static_cast<InnerWork &>(base).input);
  }

private:
  std::function<bool(const Batch &)> keep;
};

class MappingLayer : public UpperLayer {
public:
  MappingLayer(std::unique_ptr<Layer> below, Mapping map,
               std::vector<SourceInfo> made, bool add, std::string text)
      : UpperLayer(std::move(below), std::move(text)), map(std::move(map)),
        added(add ? made.size() : 0) {
    if (!add)
      infos.clear();
    for (SourceInfo &info : made) {
      for (const SourceInfo &other : infos)
        if (other.name == info.name)
          refuse("makes a source '" + info.name + "', which there is already");
      infos.push_back(std::move(info));
    }
  }

protected:
  void produce(Work &base, Batch &batch) override {
    auto &work = static_cast<InnerWork &>(base);
    inner->finish(*work.inner, work.input);
    Batch made;
    made.examples = work.input.examples;
    made.request = work.input.request;
    made.resize(added ? added : infos.size());
    map(work.input, made);
    if (made.sources.size() != (added ? added : infos.size()))
      throw blocks::UsageError("the mapping '" + text + "' made " +
                               std::to_string(made.sources.size()) +
                               " sources; expected " +
                               std::to_string(added ? added : infos.size()));
    if (!added)
      return std::swap(batch, made);
    std::swap(batch, work.input);
    for (size_t i = 0; i < added; ++i) {
      batch.sources.push_back(std::move(made.sources[i]));
      batch.items.push_back(std::move(made.items[i]));
    }
  }

private:
  Mapping map;
  size_t added;
};

class SortLayer : public UpperLayer {
public:
  SortLayer(std::unique_ptr<Layer> below, SortKey key, bool reverse,
            std::string text)
      : UpperLayer(std::move(below), std::move(text)), key(std::move(key)),
        reverse(reverse) {
    expectBatches();
  }

protected:
  void produce(Work &base, Batch &batch) override {
    auto &work = static_cast<InnerWork &>(base);
    inner->finish(*work.inner, work.input);
    const Batch &input = work.input;
    std::vector<double> keys;
    for (int64_t i = 0; i < input.examples; ++i)
      keys.push_back(key(input, i));
    std::vector<int64_t> order(keys.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      double x = keys[size_t(a)], y = keys[size_t(b)];
      if (x != y)
        return reverse ? x > y : x < y;
      return a < b; // Equal ones stay in order.
    });
    RowAppender rows(infos, batch);
    for (int64_t i : order)
      rows.append(input, i);
    rows.finish();
  }

private:
  SortKey key;
  bool reverse;
};

/// What is judged: an example's length, or its value.
class Measure {
public:
  Measure(const Layer &inner, size_t source, const std::string &by,
          const TransformerOptions &options)
      : source(source), info(inner.sources()[source]),
        example(inner.producesExamples()), byLength(by == "length") {
    if (!byLength && by != "value")
      options.refuse("has by=" + by + "; expected length or value");
  }
  double operator()(const Batch &batch, int64_t row) const {
    const blocks::Array &array = batch.sources[source];
    const auto &shape = array.shape();
    if (byLength) {
      if (info.ragged)
        return batch.items[source].rank
                   ? double(batch.items[source].shape(row)[0])
                   : 0;
      size_t axis = example ? 0 : 1;
      return shape.size() > axis ? double(shape[axis]) : 0;
    }
    int64_t at = info.ragged ? batch.items[source].offsets[size_t(row)]
                 : example || shape.empty() || shape[0] == 0
                     ? 0
                     : row * (array.size() / shape[0]);
    if (at >= array.size())
      return std::numeric_limits<double>::quiet_NaN();
    blocks::Array number(array.dtype(), {1}), real;
    size_t width = blocks::dtypeSize(array.dtype());
    std::copy_n(array.data() + size_t(at) * width, width, number.data());
    castElements(number, blocks::DType::Float64, real);
    return *real.as<double>();
  }

private:
  size_t source;
  SourceInfo info;
  bool example, byLength;
};

size_t findSource(const Layer &inner, TransformerOptions &options) {
  std::string name = options.take("source");
  std::string known;
  for (size_t i = 0; i < inner.sources().size(); ++i) {
    if (inner.sources()[i].name == name)
      return i;
    known += (known.empty() ? "'" : ", '") + inner.sources()[i].name + "'";
  }
  options.refuse("names the source '" + name + "'; the stream has: " + known);
}

std::unique_ptr<Layer> makeFilter(std::unique_ptr<Layer> inner,
                                  TransformerOptions &options) {
  if (!inner->producesExamples())
    options.refuse("judges examples, but the stream before it gives batches; "
                   "put 'unpack' between them, and 'batch' after it");
  constexpr double all = std::numeric_limits<double>::max();
  size_t source = findSource(*inner, options);
  Measure measure(*inner, source, options.take("by", "value"), options);
  double low = options.takeNumber("minimum", -all);
  double high = options.takeNumber("maximum", all);
  return filterLayer(
      std::move(inner),
      [=](const Batch &batch) {
        double value = measure(batch, 0);
        return value >= low && value <= high;
      },
      options.written());
}

std::unique_ptr<Layer> makeSort(std::unique_ptr<Layer> inner,
                                TransformerOptions &options) {
  size_t source = findSource(*inner, options);
  Measure measure(*inner, source, options.take("by", "length"), options);
  bool reverse = options.takeBool("reverse", false);
  return sortLayer(std::move(inner), measure, reverse, options.written());
}
} // namespace

std::unique_ptr<Layer> filterLayer(std::unique_ptr<Layer> inner,
                                   std::function<bool(const Batch &)> keep,
                                   std::string text) {
  return std::make_unique<FilterLayer>(std::move(inner), std::move(keep),
                                       std::move(text));
}

std::unique_ptr<Layer> mappingLayer(std::unique_ptr<Layer> inner, Mapping map,
                                    std::vector<SourceInfo> sources,
                                    bool addSources, std::string text) {
  return std::make_unique<MappingLayer>(std::move(inner), std::move(map),
                                        std::move(sources), addSources,
                                        std::move(text));
}

std::unique_ptr<Layer> sortLayer(std::unique_ptr<Layer> inner, SortKey key,
                                 bool reverse, std::string text) {
  return std::make_unique<SortLayer>(std::move(inner), std::move(key), reverse,
                                     std::move(text));
}

void addItemKinds(Registry &registry) {
  registry.add({"filter",
                "keeps examples by a source's first value or length",
                {{"source", "", "the source to judge by"},
                 {"by", "value", "value or length"},
                 {"minimum", "no limit", "smallest that stays"},
                 {"maximum", "no limit", "largest that stays"}},
                makeFilter});
  registry.add({"sort",
                "the examples of each batch in increasing order",
                {{"source", "", "the source to sort by"},
                 {"by", "length", "length or value"},
                 {"reverse", "false", "true: decreasing"}},
                makeSort});
}

} // namespace fuel
