// Several streams or data sets as one: see include/fuel/Transformers.h.
#include "fuel/Streams/Pipeline.h"
#include "fuel/Transformers.h"
#include "fuel/Transformers/Rows.h"

#include "blocks/Error.h"

#include <algorithm>
#include <cstring>
#include <set>

namespace fuel {

using blocks::UsageError;

namespace {

//===-- Merge -------------------------------------------------------------===//

class Merge : public Layer {
public:
  Merge(std::vector<std::unique_ptr<Layer>> below,
        const std::vector<std::string> &names);
  bool producesExamples() const override {
    return parts.front()->producesExamples();
  }
  std::optional<int64_t> batchesPerEpoch() const override {
    return least([](const Layer &part) { return part.batchesPerEpoch(); });
  }
  std::optional<int64_t> examplesPerEpoch() const override {
    return least([](const Layer &part) { return part.examplesPerEpoch(); });
  }
  std::unique_ptr<Work> makeWork() const override {
    auto work = std::make_unique<Items>();
    for (const auto &part : parts)
      work->works.push_back(part->makeWork());
    work->inputs.resize(parts.size());
    return work;
  }
  void startEpoch() override {
    for (auto &part : parts)
      part->startEpoch();
  }
  bool prepare(Work &base) override {
    auto &work = static_cast<Items &>(base);
    for (size_t i = 0; i < parts.size(); ++i)
      if (!parts[i]->prepare(*work.works[i]))
        return false;
    work.examples = work.works.front()->examples;
    return true;
  }
  void savePosition(Position &position) const override {
    for (const auto &part : parts)
      part->savePosition(position);
  }
  void loadPosition(PositionReader &reader) override {
    for (auto &part : parts)
      part->loadPosition(reader);
  }
  void saveRandom(std::vector<std::string> &states) const override {
    for (const auto &part : parts)
      part->saveRandom(states);
  }
  void loadRandom(RandomReader &reader) override {
    for (auto &part : parts)
      part->loadRandom(reader);
  }
  std::string fingerprint() const override {
    std::string text = "merge";
    for (const auto &part : parts)
      text += " {" + part->fingerprint() + "}";
    for (const SourceInfo &info : infos)
      text += " " + info.name;
    return text;
  }
  void addTimes(std::vector<LayerTime> &times) const override {
    times.push_back(timeTaken("merge"));
  }
  bool usableFromAnyThread() const override {
    return std::all_of(parts.begin(), parts.end(), [](const auto &part) {
      return part->usableFromAnyThread();
    });
  }

protected:
  void produce(Work &base, Batch &batch) override;

private:
  struct Items : Work {
    std::vector<std::unique_ptr<Work>> works;
    std::vector<Batch> inputs;
  };
  template <typename Count> std::optional<int64_t> least(Count count) const {
    std::optional<int64_t> smallest;
    for (const auto &part : parts) {
      std::optional<int64_t> n = count(*part);
      if (!n)
        return std::nullopt;
      smallest = smallest ? std::min(*smallest, *n) : *n;
    }
    return smallest;
  }
  std::vector<std::unique_ptr<Layer>> parts;
};

Merge::Merge(std::vector<std::unique_ptr<Layer>> below,
             const std::vector<std::string> &names)
    : parts(std::move(below)) {
  if (parts.empty())
    throw UsageError("nothing to merge: no stream was given");
  for (const auto &part : parts) {
    if (part->producesExamples() != producesExamples())
      throw UsageError("cannot merge a stream of batches with one of single "
                       "examples; batch or unpack one of them");
    infos.insert(infos.end(), part->sources().begin(), part->sources().end());
  }
  if (!names.empty() && names.size() != infos.size())
    throw UsageError("merging gives " + std::to_string(infos.size()) +
                     " sources, but " + std::to_string(names.size()) +
                     " names were given");
  std::set<std::string> seen;
  for (size_t i = 0; i < infos.size(); ++i) {
    if (!names.empty())
      infos[i].name = names[i];
    if (!seen.insert(infos[i].name).second)
      throw UsageError("merging would make two sources named '" +
                       infos[i].name + "'; give names for all");
  }
}

void Merge::produce(Work &base, Batch &batch) {
  auto &work = static_cast<Items &>(base);
  batch.resize(infos.size());
  size_t out = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    Batch &input = work.inputs[i];
    parts[i]->finish(*work.works[i], input);
    if (i == 0) {
      batch.examples = input.examples;
      std::swap(batch.request, input.request);
    } else if (input.examples != batch.examples) {
      throw blocks::InputError("merged streams gave batches of " +
                               std::to_string(batch.examples) + " and " +
                               std::to_string(input.examples) +
                               " examples; use equal batch sizes and data of "
                               "equal length");
    }
    for (size_t k = 0; k < input.sources.size(); ++k, ++out) {
      std::swap(batch.sources[out], input.sources[k]);
      std::swap(batch.items[out], input.items[k]);
    }
  }
}

//===-- Joined data sets --------------------------------------------------===//

class JoinedDataset : public Dataset {
public:
  explicit JoinedDataset(std::vector<std::shared_ptr<const Dataset>> datasets);
  const std::vector<SourceInfo> &sources() const override { return infos; }
  const std::vector<std::string> &providesSources() const override {
    return parts.front()->providesSources();
  }
  const std::map<std::string, std::vector<std::string>> &
  axisLabels() const override {
    return parts.front()->axisLabels();
  }
  int64_t numExamples() const override { return ends.back(); }
  void getRows(std::span<const int64_t> rows, Batch &batch) const override;
  void getSlice(int64_t start, int64_t stop, Batch &batch) const override {
    std::vector<int64_t> rows;
    for (int64_t row = start; row < stop; ++row)
      rows.push_back(row);
    getRows(rows, batch);
  }
  void getExample(int64_t row, Batch &batch) const override {
    size_t part = partOf(row);
    parts[part]->getExample(row - begin(part), batch);
  }
  bool viewRow(int64_t row,
               std::vector<blocks::ArrayView> &views) const override {
    size_t part = partOf(row);
    return parts[part]->viewRow(row - begin(part), views);
  }
  std::string fingerprint() const override {
    std::string text = "joined";
    for (const auto &part : parts)
      text += " {" + part->fingerprint() + "}";
    return text;
  }
  bool usableFromAnyThread() const override {
    return std::all_of(parts.begin(), parts.end(), [](const auto &part) {
      return part->usableFromAnyThread();
    });
  }

private:
  size_t partOf(int64_t row) const {
    if (row < 0 || row >= numExamples())
      throw blocks::InputError("row " + std::to_string(row) +
                               " of joined data sets was asked for; expected "
                               "0 to " +
                               std::to_string(numExamples() - 1));
    return size_t(std::upper_bound(ends.begin(), ends.end(), row) -
                  ends.begin());
  }
  int64_t begin(size_t part) const { return part ? ends[part - 1] : 0; }
  std::vector<std::shared_ptr<const Dataset>> parts;
  std::vector<int64_t> ends;
  std::vector<SourceInfo> infos;
};

JoinedDataset::JoinedDataset(
    std::vector<std::shared_ptr<const Dataset>> datasets)
    : parts(std::move(datasets)) {
  if (parts.empty())
    throw UsageError("nothing to join: no data set was given");
  infos = parts.front()->sources();
  int64_t end = 0;
  for (const auto &part : parts) {
    ends.push_back(end += part->numExamples());
    const std::vector<SourceInfo> &other = part->sources();
    bool same = other.size() == infos.size();
    for (size_t i = 0; same && i < infos.size(); ++i)
      same = other[i].name == infos[i].name &&
             other[i].dtype == infos[i].dtype &&
             other[i].shape == infos[i].shape &&
             other[i].ragged == infos[i].ragged;
    if (!same)
      throw UsageError("data sets can be joined only if they have the same "
                       "sources with equal types and shapes; choose them with "
                       "sources, or change one of the files");
  }
}

// Rows of one data set are fetched together and then put in their places.
void JoinedDataset::getRows(std::span<const int64_t> rows, Batch &batch) const {
  std::vector<std::vector<int64_t>> wanted(parts.size());
  std::vector<std::pair<size_t, int64_t>> places;
  for (int64_t row : rows) {
    size_t part = partOf(row);
    places.emplace_back(part, int64_t(wanted[part].size()));
    wanted[part].push_back(row - begin(part));
  }
  std::vector<Batch> fetched(parts.size());
  for (size_t part = 0; part < parts.size(); ++part)
    if (!wanted[part].empty())
      parts[part]->getRows(wanted[part], fetched[part]);
  std::vector<int64_t> request = std::move(batch.request);
  RowAppender appender(infos, batch);
  for (auto [part, place] : places)
    appender.append(fetched[part], place);
  appender.finish();
  batch.request = std::move(request);
}
} // namespace

std::unique_ptr<DataStream>
mergeStreams(std::vector<std::unique_ptr<DataStream>> streams,
             std::vector<std::string> names) {
  std::vector<std::unique_ptr<Layer>> layers;
  for (auto &stream : streams)
    layers.push_back(takeLayers(std::move(stream)));
  return std::make_unique<Pipeline>(
      std::make_unique<Merge>(std::move(layers), names));
}

std::unique_ptr<Dataset>
joinDatasets(std::vector<std::shared_ptr<const Dataset>> datasets) {
  return std::make_unique<JoinedDataset>(std::move(datasets));
}

} // namespace fuel
