// Layer and what layers share: see include/fuel/Layer.h.
#include "fuel/Layer.h"

#include "blocks/Error.h"

#include <algorithm>
#include <chrono>

namespace fuel {

//===-- Places ------------------------------------------------------------===//

void Position::append(const Position &other) {
  counts.insert(counts.end(), other.counts.begin(), other.counts.end());
  texts.insert(texts.end(), other.texts.begin(), other.texts.end());
}

namespace {
[[noreturn]] void otherPipeline(const std::string &what) {
  throw blocks::InputError("the saved state " + what +
                           ": it belongs to another pipeline; resume with the "
                           "data, scheme and transformers it was saved with");
}
} // namespace

int64_t PositionReader::count() {
  if (counts == position.counts.size())
    otherPipeline("holds too few counts");
  return position.counts[counts++];
}

const std::string &PositionReader::text() {
  if (texts == position.texts.size())
    otherPipeline("holds the states of too few streams");
  return position.texts[texts++];
}

void PositionReader::expectEnd() const {
  if (counts != position.counts.size() || texts != position.texts.size())
    otherPipeline("holds more than this pipeline has");
}

const std::string &RandomReader::next() {
  if (taken == states.size())
    otherPipeline("holds too few random generators");
  return states[taken++];
}

void RandomReader::expectEnd() const {
  if (taken != states.size())
    otherPipeline("holds more random generators than this pipeline has");
}

void LayerRandom::loadPosition(PositionReader &reader) {
  constexpr int64_t most = int64_t(1) << 31; // Some seconds.
  int64_t count = reader.count();
  if (count < 0 || count > most)
    throw blocks::InputError("the saved state says that " +
                             std::to_string(count) +
                             " random numbers were drawn in an epoch; expected "
                             "0 to " +
                             std::to_string(most));
  now.discard(uint64_t(count));
}

void LayerRandom::loadRandom(RandomReader &reader) {
  now.restore(reader.next());
  atEpoch = now;
}

bool haveOneShape(const SourceInfo &info) {
  return !info.ragged && !info.shape.empty() &&
         std::all_of(info.shape.begin() + 1, info.shape.end(),
                     [](int64_t extent) { return extent >= 0; });
}

//===-- Layer -------------------------------------------------------------===//

template <typename Run> void Layer::measure(Run run, int64_t count) {
  auto before = std::chrono::steady_clock::now();
  run();
  auto taken = std::chrono::steady_clock::now() - before;
  nanoseconds.fetch_add(
      std::chrono::duration_cast<std::chrono::nanoseconds>(taken).count(),
      std::memory_order_relaxed);
  items.fetch_add(count, std::memory_order_relaxed);
}

void Layer::finish(Work &work, Batch &batch) {
  measure([&] { produce(work, batch); }, 1);
}

void Layer::viewPart(Work &work, int64_t start, int64_t count, Part &part) {
  measure([&] { producePart(work, start, count, part); }, start == 0);
}

LayerTime Layer::timeTaken(const std::string &name) const {
  return {name, items.load(), double(nanoseconds.load()) * 1e-9};
}

//===-- UpperLayer --------------------------------------------------------===//

UpperLayer::UpperLayer(std::unique_ptr<Layer> below, std::string description)
    : inner(std::move(below)), text(std::move(description)) {
  infos = inner->sources();
}

std::unique_ptr<Layer::Work> UpperLayer::makeWork() const {
  auto work = std::make_unique<InnerWork>();
  work->inner = inner->makeWork();
  return work;
}

bool UpperLayer::prepare(Work &work) {
  Work &below = *static_cast<InnerWork &>(work).inner;
  bool more = inner->prepare(below);
  work.examples = below.examples;
  return more;
}

// Layers below were timed within this one's `finish`, or within its `prepare`.
void UpperLayer::addTimes(std::vector<LayerTime> &times) const {
  inner->addTimes(times);
  times.push_back(timeTaken(text));
}

void UpperLayer::refuse(const std::string &why) const {
  throw blocks::UsageError("the transformer '" + text + "' " + why);
}

void UpperLayer::expectBatches() const {
  if (inner->producesExamples())
    refuse("takes batches, but the stream before it gives single examples; put "
           "a 'batch' transformer between them");
}

void UpperLayer::expectExamples() const {
  if (!inner->producesExamples())
    refuse("takes single examples, but the stream before it gives batches; put "
           "'unpack' between them or use an example scheme");
}

size_t UpperLayer::sourceIndex(const std::string &name) const {
  std::string known;
  const auto &before = inner->sources();
  for (size_t i = 0; i < before.size(); ++i) {
    if (before[i].name == name)
      return i;
    known += (known.empty() ? "'" : ", '") + before[i].name + "'";
  }
  refuse("names the source '" + name + "'; the stream has: " + known);
}

} // namespace fuel
