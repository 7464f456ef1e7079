// Schemes whose order is a function of (seed, epoch, index): no list of rows is
// kept, any place is reached at once, and a saved place is two numbers. Beyond
// Fuel: an index shuffle, shuffled blocks of consecutive rows, weighted
// sampling, a mixture of data sets, batches of similar lengths, and shares of
// any scheme's order for several readers.
#pragma once

#include "fuel/IterationScheme.h"

namespace fuel {

/// A permutation of 0 … n-1, different for each key, that is computed element
/// by element: a Feistel network over the next even power of two, walked until
/// it falls below n.
class Permutation {
public:
  Permutation(int64_t n, uint64_t key);
  int64_t operator()(int64_t index) const;

private:
  uint64_t n, key, half, mask;
};

/// Mixes words into 64 random bits.
uint64_t mixBits(uint64_t a, uint64_t b = 0, uint64_t c = 0);

/// Batches of the rows `rowAt(0)`, `rowAt(1)`, …
class CountedScheme : public IterationScheme {
public:
  RequestKind kind() const override { return RequestKind::Batch; }
  void startEpoch() override;
  bool next(std::vector<int64_t> &request) override;
  void skip(int64_t count) override;
  std::optional<int64_t> requestsPerEpoch() const override;
  std::optional<int64_t> examplesPerEpoch() const override { return length; }
  std::string epochState() const override { return std::to_string(epoch); }
  void restoreEpoch(const std::string &state) override;

protected:
  /// `length`: examples in an epoch.
  CountedScheme(int64_t length, int64_t batchSize, uint64_t seed);
  /// Called with `epoch` set.
  virtual void beginEpoch() {}
  virtual int64_t rowAt(int64_t index) = 0;
  std::string suffix() const;

  int64_t length, batchSize;
  uint64_t seed;
  int64_t epoch = 0; ///< The current one, from 0.
  int64_t position;  ///< Examples of it that were requested.

private:
  int64_t following = 0;
};

/// Every row once, in an order that differs in each epoch.
class IndexShuffledScheme : public CountedScheme {
public:
  IndexShuffledScheme(int64_t examples, int64_t batchSize, uint64_t seed = 1);
  std::string describe() const override;

protected:
  void beginEpoch() override;
  int64_t rowAt(int64_t index) override { return order(index); }

private:
  Permutation order;
};

/// Blocks of consecutive rows in random order: nearly as fast as sequential
/// reading from a disk. Rows of a block are in order, or shuffled as well.
class BlockShuffledScheme : public CountedScheme {
public:
  BlockShuffledScheme(int64_t examples, int64_t batchSize, int64_t blockSize,
                      uint64_t seed = 1, bool shuffleWithin = false);
  std::string describe() const override;

protected:
  void beginEpoch() override;
  int64_t rowAt(int64_t index) override;

private:
  int64_t blockSize, blocks;
  bool shuffleWithin;
  Permutation order;
  int64_t shortAt = 0; ///< Where the last block, which may be short, stands.
};

/// Rows drawn with replacement, in proportion to weights of any scale.
class WeightedScheme : public CountedScheme {
public:
  /// `length`: draws in an epoch; as many as there are weights if absent.
  WeightedScheme(std::vector<double> weights, int64_t batchSize,
                 uint64_t seed = 1, std::optional<int64_t> length = {});
  std::string describe() const override;

protected:
  int64_t rowAt(int64_t index) override;

private:
  std::vector<double> sums;
};

/// Rows of several data sets that are joined end to end (see joinDatasets).
/// Each row's data set is drawn by weight; within it, rows come in shuffled
/// passes. Passes start anew with each epoch.
class MixedScheme : public CountedScheme {
public:
  MixedScheme(std::vector<int64_t> sizes, std::vector<double> weights,
              int64_t batchSize, uint64_t seed = 1,
              std::optional<int64_t> length = {});
  void skip(int64_t count) override;
  std::string describe() const override;

protected:
  void beginEpoch() override;
  int64_t rowAt(int64_t index) override;

private:
  size_t drawPart(int64_t index) const;
  std::vector<int64_t> sizes, used;
  std::vector<double> sums;
};

/// Batches of examples of similar lengths: rows are shuffled, sorted into
/// buckets by length, batched within a bucket, and the batches shuffled. The
/// last batch of each bucket may be short.
class BucketedScheme : public IterationScheme {
public:
  /// A bucket holds lengths up to and including its bound; longer ones share
  /// one more.
  BucketedScheme(std::vector<int64_t> lengths, std::vector<int64_t> bounds,
                 int64_t batchSize, uint64_t seed = 1);
  RequestKind kind() const override { return RequestKind::Batch; }
  void startEpoch() override;
  bool next(std::vector<int64_t> &request) override;
  void skip(int64_t count) override;
  std::optional<int64_t> requestsPerEpoch() const override;
  std::optional<int64_t> examplesPerEpoch() const override {
    return int64_t(bucketOf.size());
  }
  std::string epochState() const override { return std::to_string(epoch); }
  void restoreEpoch(const std::string &state) override;
  std::string describe() const override;

private:
  std::vector<int64_t> bucketOf, sizes;
  int64_t batchSize;
  uint64_t seed;
  int64_t epoch = 0, following = 0;
  std::vector<int64_t> rows;                        ///< Bucket by bucket.
  std::vector<std::pair<int64_t, int64_t>> batches; ///< Ranges of `rows`.
  size_t position;
};

/// What a share does when the examples do not divide evenly.
enum class ShardEnds {
  Keep, ///< Shares differ by one example at most.
  Drop, ///< The examples left over are visited by nobody in this epoch.
  Pad   ///< Shares that are short repeat examples of the epoch's beginning.
};

/// Share `shard` of `shards` of the order of `inner`, which must request one
/// row at a time: its rows shard, shard + shards, …, in batches.
class ShardedScheme : public IterationScheme {
public:
  ShardedScheme(std::unique_ptr<IterationScheme> inner, int64_t shard,
                int64_t shards, int64_t batchSize,
                ShardEnds ends = ShardEnds::Keep);
  RequestKind kind() const override { return RequestKind::Batch; }
  void startEpoch() override;
  bool next(std::vector<int64_t> &request) override;
  void skip(int64_t count) override;
  std::optional<int64_t> requestsPerEpoch() const override;
  std::optional<int64_t> examplesPerEpoch() const override { return length; }
  std::string epochState() const override { return inner->epochState(); }
  void restoreEpoch(const std::string &state) override {
    inner->restoreEpoch(state);
  }
  std::string describe() const override;

private:
  int64_t rowAt(int64_t index);
  void goTo(int64_t index);
  std::unique_ptr<IterationScheme> inner;
  int64_t shard, shards, batchSize, total, length;
  ShardEnds ends;
  int64_t position, innerPosition = 0;
  std::vector<int64_t> row;
};

} // namespace fuel
