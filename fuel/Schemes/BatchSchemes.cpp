// Sequential and shuffled schemes, by batch and by example: see
// include/fuel/IterationScheme.h. An example scheme is a batch scheme of
// size one whose requests are read otherwise.
#include "fuel/IterationScheme.h"

#include "blocks/Error.h"
#include "fuel/Schemes/BatchSize.h"

#include <algorithm>
#include <numeric>

namespace fuel {

void IterationScheme::skip(int64_t count) {
  std::vector<int64_t> ignored;
  while (count-- > 0)
    if (!next(ignored))
      return;
}

void IterationScheme::restoreEpoch(const std::string &state) {
  if (state != "-")
    throw blocks::InputError("the saved state holds a random generator, but "
                             "the scheme '" +
                             describe() + "' has none");
}

Examples::Examples(int64_t count) {
  checkLength("the number of examples of a scheme", count);
  rows.resize(size_t(count));
  std::iota(rows.begin(), rows.end(), 0);
}

std::string Examples::describe() const {
  bool counting = true;
  uint64_t hash = 14695981039346656037u; // FNV-1a over the rows.
  for (size_t i = 0; i < rows.size(); ++i) {
    counting &= rows[i] == int64_t(i);
    hash = (hash ^ uint64_t(rows[i])) * 1099511628211u;
  }
  std::string text = "n=" + std::to_string(rows.size());
  return counting ? text : text + " list=" + std::to_string(hash);
}

//===-- SequentialScheme --------------------------------------------------===//

SequentialScheme::SequentialScheme(Examples examples, int64_t batchSize)
    : order(std::move(examples.rows)), batchSize(batchSize),
      position(int64_t(order.size())) {
  checkSize("the batch size", batchSize);
  examplesText = Examples(order).describe();
}

bool SequentialScheme::next(std::vector<int64_t> &request) {
  int64_t end = std::min(position + batchSize, int64_t(order.size()));
  if (position >= end)
    return false;
  request.assign(order.begin() + position, order.begin() + end);
  position = end;
  return true;
}

void SequentialScheme::skip(int64_t count) {
  int64_t requests = *requestsPerEpoch();
  position = count >= requests ? int64_t(order.size())
                               : std::min(position + count * batchSize,
                                          int64_t(order.size()));
}

std::optional<int64_t> SequentialScheme::requestsPerEpoch() const {
  int64_t n = int64_t(order.size());
  return n / batchSize + (n % batchSize != 0);
}

std::optional<int64_t> SequentialScheme::examplesPerEpoch() const {
  return int64_t(order.size());
}

std::string SequentialScheme::describe() const {
  return "sequential " + examplesText + " batch=" + std::to_string(batchSize);
}

std::string SequentialExampleScheme::describe() const {
  return "sequential-examples " + examplesText;
}

//===-- ShuffledScheme ----------------------------------------------------===//

ShuffledScheme::ShuffledScheme(Examples examples, int64_t batchSize,
                               uint64_t seed, bool sortedIndices)
    : SequentialScheme(std::move(examples), batchSize), unshuffled(order),
      generator(seed), atEpoch(generator), seed(seed),
      sortedIndices(sortedIndices) {}

// Each epoch shuffles the original order, not the previous epoch's.
void ShuffledScheme::startEpoch() {
  atEpoch = generator;
  order = unshuffled;
  generator.shuffle(order);
  position = 0;
}

bool ShuffledScheme::next(std::vector<int64_t> &request) {
  if (!SequentialScheme::next(request))
    return false;
  if (sortedIndices)
    std::sort(request.begin(), request.end());
  return true;
}

void ShuffledScheme::restoreEpoch(const std::string &state) {
  generator.restore(state);
  atEpoch = generator;
}

std::string ShuffledScheme::describe() const {
  return "shuffled " + examplesText + " batch=" + std::to_string(batchSize) +
         " seed=" + std::to_string(seed) + (sortedIndices ? " sorted" : "");
}

std::string ShuffledExampleScheme::describe() const {
  return "examples: " + ShuffledScheme::describe();
}

} // namespace fuel
