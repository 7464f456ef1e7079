// Iteration schemes: which rows make up the batches of an epoch, in Fuel's
// order for equal seeds. A scheme's whole state is its generator at the start
// of the epoch and the number of requests made since; the shuffle is redone
// when a state is restored.
#pragma once

#include "fuel/Mt19937.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fuel {

/// What the numbers of a request mean.
enum class RequestKind {
  Batch,    ///< Rows of one batch.
  Example,  ///< The one row of an example.
  BatchSize ///< How many examples to take (ConstantScheme), no rows.
};

class IterationScheme {
public:
  virtual ~IterationScheme() = default;
  virtual RequestKind kind() const = 0;

  /// Starts a fresh epoch; a shuffled scheme's generator goes on, so that
  /// epochs differ.
  virtual void startEpoch() = 0;
  /// Fills `request`, or returns false at the end of the epoch. Reuses the
  /// storage of `request`.
  virtual bool next(std::vector<int64_t> &request) = 0;
  /// Passes over `count` requests of this epoch.
  virtual void skip(int64_t count);

  /// Requests in an epoch; nothing if it never ends.
  virtual std::optional<int64_t> requestsPerEpoch() const = 0;
  /// Examples in an epoch; nothing if it never ends.
  virtual std::optional<int64_t> examplesPerEpoch() const = 0;

  /// The generator at the start of the current epoch (of the first one before
  /// any): a printable word, "-" if there is nothing random.
  virtual std::string epochState() const { return "-"; }
  /// Puts the generator there; follow with `startEpoch` and `skip`.
  virtual void restoreEpoch(const std::string &state);
  /// Kind, sizes and seed in one line. Equal descriptions make equal requests.
  virtual std::string describe() const = 0;
};

/// The examples that a scheme visits: 0 … n-1, or a list in this order.
class Examples {
public:
  Examples(int64_t count);
  Examples(std::vector<int64_t> rows) : rows(std::move(rows)) {}
  Examples(std::initializer_list<int64_t> rows) : rows(rows) {}
  std::vector<int64_t> rows;
  /// "n=60000", or the length and a checksum of a list.
  std::string describe() const;
};

/// Batches of at most `batchSize` rows in order; the last may be short.
class SequentialScheme : public IterationScheme {
public:
  SequentialScheme(Examples examples, int64_t batchSize);
  RequestKind kind() const override { return RequestKind::Batch; }
  void startEpoch() override { position = 0; }
  bool next(std::vector<int64_t> &request) override;
  void skip(int64_t count) override;
  std::optional<int64_t> requestsPerEpoch() const override;
  std::optional<int64_t> examplesPerEpoch() const override;
  std::string describe() const override;

protected:
  std::vector<int64_t> order;
  int64_t batchSize;
  int64_t position;
  std::string examplesText;
};

/// The same after a shuffle, anew in each epoch. With `sortedIndices` the rows
/// of a batch are in increasing order.
class ShuffledScheme : public SequentialScheme {
public:
  ShuffledScheme(Examples examples, int64_t batchSize, uint64_t seed = 1,
                 bool sortedIndices = false);
  void startEpoch() override;
  bool next(std::vector<int64_t> &request) override;
  std::string epochState() const override { return atEpoch.state(); }
  void restoreEpoch(const std::string &state) override;
  std::string describe() const override;

private:
  std::vector<int64_t> unshuffled;
  Mt19937 generator, atEpoch;
  uint64_t seed;
  bool sortedIndices;
};

/// One row at a time, in order.
class SequentialExampleScheme : public SequentialScheme {
public:
  explicit SequentialExampleScheme(Examples examples)
      : SequentialScheme(std::move(examples), 1) {}
  RequestKind kind() const override { return RequestKind::Example; }
  std::string describe() const override;
};

/// One row at a time, shuffled anew in each epoch.
class ShuffledExampleScheme : public ShuffledScheme {
public:
  explicit ShuffledExampleScheme(Examples examples, uint64_t seed = 1)
      : ShuffledScheme(std::move(examples), 1, seed) {}
  RequestKind kind() const override { return RequestKind::Example; }
  std::string describe() const override;
};

/// Asks for `batchSize` examples: `times` times, or until `numExamples` were
/// asked for (the last request is the rest), or for ever. Not both.
class ConstantScheme : public IterationScheme {
public:
  explicit ConstantScheme(int64_t batchSize,
                          std::optional<int64_t> numExamples = {},
                          std::optional<int64_t> times = {});
  RequestKind kind() const override { return RequestKind::BatchSize; }
  void startEpoch() override { requested = 0; }
  bool next(std::vector<int64_t> &request) override;
  void skip(int64_t count) override { requested += count; }
  std::optional<int64_t> requestsPerEpoch() const override;
  std::optional<int64_t> examplesPerEpoch() const override;
  std::string describe() const override;

private:
  int64_t batchSize;
  std::optional<int64_t> numExamples, times;
  int64_t requested;
};

/// One scheme after the other; all must make the same kind of request.
class ConcatenatedScheme : public IterationScheme {
public:
  explicit ConcatenatedScheme(
      std::vector<std::unique_ptr<IterationScheme>> schemes);
  RequestKind kind() const override { return schemes.front()->kind(); }
  void startEpoch() override;
  bool next(std::vector<int64_t> &request) override;
  std::optional<int64_t> requestsPerEpoch() const override;
  std::optional<int64_t> examplesPerEpoch() const override;
  std::string epochState() const override;
  void restoreEpoch(const std::string &state) override;
  std::string describe() const override;

private:
  std::vector<std::unique_ptr<IterationScheme>> schemes;
  size_t current;
};

/// One division of the examples into training and validation.
struct Fold {
  std::unique_ptr<IterationScheme> train, valid;
  int64_t validExamples = 0;
};
using SchemeFactory = std::function<std::unique_ptr<IterationScheme>(Examples)>;

/// k-fold cross-validation over 0 … n-1: fold i validates on [n*i/k, n*(i+1)/k)
/// and trains on the rest. `strict` requires that k divides n.
std::vector<Fold> crossValidation(const SchemeFactory &makeScheme,
                                  int64_t numExamples, int64_t numFolds,
                                  bool strict = true);

} // namespace fuel
