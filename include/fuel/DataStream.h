// DataStream: what a training loop iterates over. The interface is all that
// runtime/Train knows about data; datasets, schemes and transformers stand
// behind it (fuel/). Names follow Fuel (van Merriënboer et al. 2015).
#pragma once

#include "blocks/Array.h"
#include "fuel/StreamStatistics.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace fuel {

/// What one source of a stream delivers.
struct SourceInfo {
  std::string name;
  blocks::DType dtype = blocks::DType::Float32;
  /// Shape of a batch; -1 where it varies (axis 0 of a batch stream, and the
  /// axes of a ragged source's items).
  blocks::Shape shape;
  /// One label per axis, "" where unlabelled.
  std::vector<std::string> axisLabels;
  /// The items of a batch have shapes of their own (see RaggedItems).
  bool ragged = false;
  /// The elements (of type UInt8) are characters: the last axis is a string.
  bool text = false;
};

/// Where the items of a ragged source lie in a batch. The batch's array holds
/// their elements one item after the other, each in C order, as one axis.
struct RaggedItems {
  /// Axes of an item; all items of a source have equally many.
  int64_t rank = 0;
  /// Shape of item i at [i * rank, (i + 1) * rank).
  std::vector<int64_t> shapes;
  /// Item i has elements [offsets[i], offsets[i + 1]); examples + 1 entries.
  std::vector<int64_t> offsets;

  int64_t count() const {
    return offsets.empty() ? 0 : int64_t(offsets.size()) - 1;
  }
  std::span<const int64_t> shape(int64_t item) const {
    return {shapes.data() + item * rank, size_t(rank)};
  }
  int64_t size(int64_t item) const {
    return offsets[size_t(item) + 1] - offsets[size_t(item)];
  }
  /// No items, of `axes` axes. Keeps the storage.
  void clear(int64_t axes);
  /// Appends an item of this shape and returns where its elements begin.
  int64_t append(std::span<const int64_t> shape);
};

/// One batch (or example). Buffers are reused: passing the same Batch to
/// `next` again allocates nothing once the largest batch was seen.
struct Batch {
  std::vector<blocks::Array> sources; ///< In the order of DataStream::sources.
  /// As many as sources; used where SourceInfo::ragged says so, and only in
  /// batches: an example is an array of its own shape.
  std::vector<RaggedItems> items;
  int64_t examples = 0;         ///< Length of the batch axis.
  std::vector<int64_t> request; ///< The rows asked for, when known.

  /// Room for `count` sources.
  void resize(size_t count) {
    sources.resize(count);
    items.resize(count);
  }
};

/// A stream of batches, epoch after epoch. Single-threaded use; an
/// implementation may run threads of its own.
class DataStream {
public:
  virtual ~DataStream() = default;

  virtual const std::vector<SourceInfo> &sources() const = 0;
  /// True if `next` delivers single examples (no batch axis).
  virtual bool producesExamples() const { return false; }
  /// Batches in one epoch, if known beforehand.
  virtual std::optional<int64_t> batchesPerEpoch() const = 0;
  /// Examples in one epoch, if known beforehand.
  virtual std::optional<int64_t> examplesPerEpoch() const = 0;

  /// Starts a fresh epoch, discarding what an abandoned one left.
  virtual void startEpoch() = 0;
  /// Fills `batch` with the next batch; false at the end of the epoch (the
  /// batch is then unspecified). Throws blocks::Error.
  virtual bool next(Batch &batch) = 0;

  /// Everything that an exact resume needs, as of the last batch that `next`
  /// returned: a short printable string, versioned by its kind. Prefetched but
  /// undelivered batches do not count.
  virtual std::string state() const = 0;
  /// Continues from `state()` of an equally built stream, possibly in another
  /// process. After it, `next` goes on inside the epoch (no `startEpoch`).
  /// Throws InputError if the state belongs to another kind of stream.
  virtual void restore(const std::string &state) = 0;
  /// Identifies the data and its order: file, sizes, splits, scheme, batch
  /// size, seed. Equal fingerprints deliver equal batches. Used to refuse
  /// resuming on other data.
  virtual std::string fingerprint() const = 0;
  /// Where the time went so far, if this stream keeps account of it.
  virtual std::optional<StreamStatistics> statistics() const { return {}; }
};

} // namespace fuel
