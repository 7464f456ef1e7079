// Layer: one stage of a pipeline. A pipeline is a chain of them, with a source
// of items (a dataset under a scheme, another stream) at its end.
//
// An item passes a layer in two steps. `prepare` runs in the order of the items
// and decides: it takes the next request, draws random numbers, counts.
// `finish` does the labour (reading, decoding, arithmetic) and may run for
// several items at once, each with its own Work, in any order. So the results
// do not depend on the number of threads. A layer that must see data to decide
// (a filter) finishes what is beneath within `prepare`.
//
// Large batches are made in parts, so that a few examples go through several
// layers while they are in the cache: then a layer above asks for the examples
// one after the other (`viewPart`) in place of `finish`.
//
// A layer's place is a few numbers (`savePosition`, as of the last `prepare`)
// together with its generators at the start of the epoch (`saveRandom`).
#pragma once

#include "fuel/DataStream.h"
#include "fuel/Mt19937.h"
#include "fuel/StreamStatistics.h"

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace fuel {

/// Where a chain stands within an epoch: counts of all its layers, in the order
/// in which they save them, and the states of streams that are no chain.
struct Position {
  std::vector<int64_t> counts;
  std::vector<std::string> texts;
  void clear() {
    counts.clear();
    texts.clear();
  }
  void append(const Position &other);
};

/// Gives a Position's entries back in order; InputError when there are none
/// left, or one that cannot be.
class PositionReader {
public:
  explicit PositionReader(const Position &position) : position(position) {}
  int64_t count();
  const std::string &text();
  void expectEnd() const;

private:
  const Position &position;
  size_t counts = 0, texts = 0;
};

/// The same for generators.
class RandomReader {
public:
  explicit RandomReader(const std::vector<std::string> &states)
      : states(states) {}
  const std::string &next();
  void expectEnd() const;

private:
  const std::vector<std::string> &states;
  size_t taken = 0;
};

/// Some examples of a batch, where they lie: in the data set's memory, or in a
/// Work's buffers. All have an axis of examples.
struct Part {
  std::vector<blocks::ArrayView> sources;
  std::span<const int64_t> request;
};

/// Whether all examples of a source in a batch have the same shape, known
/// beforehand.
bool haveOneShape(const SourceInfo &info);

class Layer {
public:
  /// What a layer keeps about one item between `prepare` and `finish`, and its
  /// buffers. `examples` is the item's length, where that is known beforehand.
  struct Work {
    virtual ~Work() = default;
    std::optional<int64_t> examples;
  };

  virtual ~Layer() = default;
  const std::vector<SourceInfo> &sources() const { return infos; }
  virtual bool producesExamples() const = 0;
  virtual std::optional<int64_t> batchesPerEpoch() const = 0;
  virtual std::optional<int64_t> examplesPerEpoch() const = 0;

  virtual std::unique_ptr<Work> makeWork() const = 0;
  virtual void startEpoch() = 0;
  /// False at the end of the epoch. One call at a time, in order.
  virtual bool prepare(Work &work) = 0;
  /// Makes the item; once for each `prepare`. Measures the time that it takes.
  void finish(Work &work, Batch &batch);
  /// Whether `viewPart` may be called: batches of examples of known shapes.
  virtual bool divisible() const { return false; }
  /// Instead of `finish`: examples [start, start + count) of a prepared item,
  /// until the next use of `work`. Measures the time that it takes.
  void viewPart(Work &work, int64_t start, int64_t count, Part &part);

  virtual void savePosition(Position &position) const = 0;
  /// After `loadRandom` and `startEpoch`.
  virtual void loadPosition(PositionReader &reader) = 0;
  virtual void saveRandom(std::vector<std::string> &states) const = 0;
  virtual void loadRandom(RandomReader &reader) = 0;

  /// What decides the data and its order, in a line.
  virtual std::string fingerprint() const = 0;
  /// Adds this layer's time to those beneath.
  virtual void addTimes(std::vector<LayerTime> &times) const = 0;
  /// Whether `finish` may run in any thread.
  virtual bool usableFromAnyThread() const { return true; }

protected:
  virtual void produce(Work &work, Batch &batch) = 0;
  virtual void producePart(Work &, int64_t, int64_t, Part &) {}
  /// This layer's time and that of all beneath it.
  LayerTime timeTaken(const std::string &name) const;

  std::vector<SourceInfo> infos;

private:
  template <typename Run> void measure(Run run, int64_t count);
  std::atomic<int64_t> nanoseconds = 0, items = 0;
};

/// A layer above one other: passes on what it does not change.
class UpperLayer : public Layer {
public:
  /// `text` is the written form, for errors and the fingerprint.
  UpperLayer(std::unique_ptr<Layer> inner, std::string text);

  bool producesExamples() const override { return inner->producesExamples(); }
  std::optional<int64_t> batchesPerEpoch() const override {
    return inner->batchesPerEpoch();
  }
  std::optional<int64_t> examplesPerEpoch() const override {
    return inner->examplesPerEpoch();
  }
  std::unique_ptr<Work> makeWork() const override;
  void startEpoch() override { inner->startEpoch(); }
  bool prepare(Work &work) override;
  void savePosition(Position &position) const override {
    inner->savePosition(position);
  }
  void loadPosition(PositionReader &reader) override {
    inner->loadPosition(reader);
  }
  void saveRandom(std::vector<std::string> &states) const override {
    inner->saveRandom(states);
  }
  void loadRandom(RandomReader &reader) override { inner->loadRandom(reader); }
  std::string fingerprint() const override {
    return inner->fingerprint() + "; " + text;
  }
  void addTimes(std::vector<LayerTime> &times) const override;
  bool usableFromAnyThread() const override {
    return inner->usableFromAnyThread();
  }

protected:
  /// An item of the layer beneath.
  struct InnerWork : Work {
    std::unique_ptr<Work> inner;
    Batch input;
    std::vector<int64_t> shape; ///< Scratch.
  };
  /// UsageError that begins with the written form.
  [[noreturn]] void refuse(const std::string &why) const;
  void expectBatches() const;
  void expectExamples() const;
  /// Index of a source; UsageError that lists those there are.
  size_t sourceIndex(const std::string &name) const;

  std::unique_ptr<Layer> inner;
  std::string text;
};

/// A generator of a layer: its state is that at the start of the epoch and how
/// many numbers were drawn since, so that saving it after each item is cheap.
class LayerRandom {
public:
  explicit LayerRandom(uint64_t seed) : now(seed), atEpoch(now) {}
  void startEpoch() {
    atEpoch = now;
    start = now.drawn();
  }
  Mt19937 &generator() { return now; }
  void savePosition(Position &position) const {
    position.counts.push_back(int64_t(now.drawn() - start));
  }
  void loadPosition(PositionReader &reader);
  void saveRandom(std::vector<std::string> &states) const {
    states.push_back(atEpoch.state());
  }
  void loadRandom(RandomReader &reader);

private:
  Mt19937 now, atEpoch;
  uint64_t start = 0;
};

} // namespace fuel
