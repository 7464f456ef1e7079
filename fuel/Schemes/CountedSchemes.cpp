// Orders that are functions of (seed, epoch, index): see
// include/fuel/CountedSchemes.h.
#include "fuel/CountedSchemes.h"

#include "blocks/Error.h"
#include "fuel/Schemes/BatchSize.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

namespace fuel {

using blocks::UsageError;

//===-- Random bits -------------------------------------------------------===//

// SplitMix64's finaliser (Steele, Lea & Flood 2014) over a running sum.
uint64_t mixBits(uint64_t a, uint64_t b, uint64_t c) {
  uint64_t x = 0;
  for (uint64_t word : {a, b, c}) {
    x += word + 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    x ^= x >> 31;
  }
  return x;
}

/// Uniform in [0, 1), with 53 bits.
static double uniform(uint64_t bits) { return double(bits >> 11) * 0x1p-53; }

//===-- Permutation -------------------------------------------------------===//

Permutation::Permutation(int64_t count, uint64_t key)
    : n(uint64_t(count)), key(key) {
  int bits = n > 1 ? int(std::bit_width(n - 1)) : 1;
  half = uint64_t((bits + 1) / 2);
  mask = (uint64_t(1) << half) - 1;
}

int64_t Permutation::operator()(int64_t index) const {
  auto x = uint64_t(index);
  do {
    uint64_t left = x >> half, right = x & mask;
    for (uint64_t round = 0; round < 4; ++round) {
      uint64_t mixed = left ^ (mixBits(key, round, right) & mask);
      left = right;
      right = mixed;
    }
    x = left << half | right;
  } while (x >= n); // Fewer than four walks on average.
  return int64_t(x);
}

//===-- CountedScheme -----------------------------------------------------===//

namespace {
void checkSizes(int64_t length, int64_t batchSize) {
  checkSize("the batch size", batchSize);
  checkLength("the number of examples of a scheme", length);
}

int64_t ceilDivide(int64_t a, int64_t b) { return a / b + (a % b != 0); }

int64_t parseEpoch(const std::string &state) {
  int64_t epoch = -1;
  const char *end = state.data() + state.size();
  auto [stopped, error] = std::from_chars(state.data(), end, epoch);
  if (error != std::errc() || stopped != end || epoch < 0 ||
      epoch > mostExamples)
    throw blocks::InputError("the saved state of a scheme is '" +
                             state.substr(0, 40) +
                             "'; expected the number of an epoch: it belongs "
                             "to another scheme");
  return epoch;
}

/// Running sums of weights; UsageError unless they are usable.
std::vector<double> sumsOf(const std::vector<double> &weights) {
  std::vector<double> sums;
  double sum = 0;
  for (double weight : weights) {
    if (!(weight >= 0) || !std::isfinite(weight))
      throw UsageError("a weight is " + std::to_string(weight) +
                       "; expected 0 or a positive number");
    sums.push_back(sum += weight);
  }
  if (!(sum > 0) || !std::isfinite(sum))
    throw UsageError("the weights add up to " + std::to_string(sum) +
                     "; expected a positive number");
  return sums;
}

int64_t drawBy(const std::vector<double> &sums, uint64_t bits) {
  double at = uniform(bits) * sums.back();
  return std::upper_bound(sums.begin(), sums.end(), at) - sums.begin();
}

std::string checksumOf(const std::vector<double> &values) {
  uint64_t hash = 0;
  for (double value : values)
    hash = mixBits(hash, std::bit_cast<uint64_t>(value));
  return std::to_string(hash);
}
} // namespace

CountedScheme::CountedScheme(int64_t length, int64_t batchSize, uint64_t seed)
    : length(length), batchSize(batchSize), seed(seed), position(length) {
  checkSizes(length, batchSize);
}

void CountedScheme::startEpoch() {
  epoch = following++;
  position = 0;
  beginEpoch();
}

bool CountedScheme::next(std::vector<int64_t> &request) {
  int64_t count = std::min(batchSize, length - position);
  if (count <= 0)
    return false;
  request.resize(size_t(count));
  for (int64_t &row : request)
    row = rowAt(position++);
  return true;
}

void CountedScheme::skip(int64_t count) {
  bool all = count >= ceilDivide(length, batchSize);
  position = all ? length : std::min(length, position + count * batchSize);
}

std::optional<int64_t> CountedScheme::requestsPerEpoch() const {
  return ceilDivide(length, batchSize);
}

void CountedScheme::restoreEpoch(const std::string &state) {
  epoch = following = parseEpoch(state);
}

std::string CountedScheme::suffix() const {
  return " batch=" + std::to_string(batchSize) +
         " seed=" + std::to_string(seed);
}

//===-- IndexShuffledScheme -----------------------------------------------===//

IndexShuffledScheme::IndexShuffledScheme(int64_t examples, int64_t batchSize,
                                         uint64_t seed)
    : CountedScheme(examples, batchSize, seed), order(examples, 0) {}

void IndexShuffledScheme::beginEpoch() {
  order = Permutation(length, mixBits(seed, uint64_t(epoch)));
}

std::string IndexShuffledScheme::describe() const {
  return "index-shuffled n=" + std::to_string(length) + suffix();
}

//===-- BlockShuffledScheme -----------------------------------------------===//

BlockShuffledScheme::BlockShuffledScheme(int64_t examples, int64_t batchSize,
                                         int64_t blockSize, uint64_t seed,
                                         bool shuffleWithin)
    : CountedScheme(examples, batchSize, seed), blockSize(blockSize), blocks(0),
      shuffleWithin(shuffleWithin), order(0, 0) {
  checkSize("the block size", blockSize);
  blocks = ceilDivide(examples, blockSize);
}

void BlockShuffledScheme::beginEpoch() {
  order = Permutation(blocks, mixBits(seed, uint64_t(epoch)));
  shortAt = 0;
  while (shortAt < blocks && order(shortAt) != blocks - 1)
    ++shortAt;
}

// All blocks before the last one's place are full, and all after it.
int64_t BlockShuffledScheme::rowAt(int64_t index) {
  int64_t shortSize = length - (blocks - 1) * blockSize;
  int64_t at = index / blockSize, within = index % blockSize;
  if (at >= shortAt && index >= shortAt * blockSize + shortSize) {
    int64_t after = index - shortAt * blockSize - shortSize;
    at = shortAt + 1 + after / blockSize;
    within = after % blockSize;
  }
  int64_t block = order(at);
  if (shuffleWithin) {
    int64_t size = block == blocks - 1 ? shortSize : blockSize;
    within = Permutation(
        size, mixBits(seed, uint64_t(epoch), uint64_t(block) + 1))(within);
  }
  return block * blockSize + within;
}

std::string BlockShuffledScheme::describe() const {
  return "block-shuffled n=" + std::to_string(length) +
         " block=" + std::to_string(blockSize) +
         (shuffleWithin ? " within" : "") + suffix();
}

//===-- WeightedScheme ----------------------------------------------------===//

WeightedScheme::WeightedScheme(std::vector<double> weights, int64_t batchSize,
                               uint64_t seed, std::optional<int64_t> draws)
    : CountedScheme(draws.value_or(int64_t(weights.size())), batchSize, seed),
      sums(sumsOf(weights)) {}

int64_t WeightedScheme::rowAt(int64_t index) {
  return drawBy(sums, mixBits(seed, uint64_t(epoch), uint64_t(index)));
}

std::string WeightedScheme::describe() const {
  return "weighted n=" + std::to_string(sums.size()) +
         " draws=" + std::to_string(length) + " weights=" + checksumOf(sums) +
         suffix();
}

//===-- MixedScheme -------------------------------------------------------===//

namespace {
int64_t sumOf(const std::vector<int64_t> &sizes) {
  int64_t sum = 0;
  for (int64_t size : sizes)
    sum += size;
  return sum;
}
} // namespace

MixedScheme::MixedScheme(std::vector<int64_t> parts,
                         std::vector<double> weights, int64_t batchSize,
                         uint64_t seed, std::optional<int64_t> draws)
    : CountedScheme(draws.value_or(sumOf(parts)), batchSize, seed),
      sizes(std::move(parts)), used(sizes.size()), sums(sumsOf(weights)) {
  if (sizes.size() != weights.size())
    throw UsageError("a mixture of " + std::to_string(sizes.size()) +
                     " data sets has " + std::to_string(weights.size()) +
                     " weights; expected one for each");
  for (size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] < 1 && weights[i] > 0)
      throw UsageError("data set " + std::to_string(i + 1) +
                       " of a mixture has no examples; give it the weight 0");
}

void MixedScheme::beginEpoch() { used.assign(sizes.size(), 0); }

size_t MixedScheme::drawPart(int64_t index) const {
  return size_t(drawBy(sums, mixBits(seed, uint64_t(epoch), uint64_t(index))));
}

int64_t MixedScheme::rowAt(int64_t index) {
  size_t part = drawPart(index);
  int64_t count = used[part]++, first = 0;
  uint64_t pass = uint64_t(count / sizes[part]) << 20 | part;
  Permutation order(sizes[part], mixBits(~seed, uint64_t(epoch), pass));
  for (size_t i = 0; i < part; ++i)
    first += sizes[i];
  return first + order(count % sizes[part]);
}

// How far each data set has come is counted by drawing again.
void MixedScheme::skip(int64_t count) {
  bool all = count >= *requestsPerEpoch();
  int64_t last = all ? length : std::min(length, position + count * batchSize);
  for (int64_t index = position; index < last; ++index)
    ++used[drawPart(index)];
  CountedScheme::skip(count);
}

std::string MixedScheme::describe() const {
  std::string text = "mixed n=";
  for (size_t i = 0; i < sizes.size(); ++i)
    text += (i ? "+" : "") + std::to_string(sizes[i]);
  return text + " draws=" + std::to_string(length) +
         " weights=" + checksumOf(sums) + suffix();
}

//===-- BucketedScheme ----------------------------------------------------===//

BucketedScheme::BucketedScheme(std::vector<int64_t> lengths,
                               std::vector<int64_t> bounds, int64_t batchSize,
                               uint64_t seed)
    : batchSize(batchSize), seed(seed), position(0) {
  checkSizes(0, batchSize);
  if (!std::is_sorted(bounds.begin(), bounds.end()))
    throw UsageError("the bounds of buckets must increase");
  sizes.assign(bounds.size() + 1, 0);
  for (int64_t length : lengths) {
    bucketOf.push_back(std::lower_bound(bounds.begin(), bounds.end(), length) -
                       bounds.begin());
    ++sizes[size_t(bucketOf.back())];
  }
}

void BucketedScheme::startEpoch() {
  epoch = following++;
  int64_t n = int64_t(bucketOf.size());
  std::vector<int64_t> at(sizes.size());
  batches.clear();
  int64_t begin = 0;
  for (size_t bucket = 0; bucket < sizes.size(); ++bucket) {
    at[bucket] = begin;
    int64_t end = begin + sizes[bucket];
    for (; begin < end; begin += batchSize)
      batches.emplace_back(begin, std::min(begin + batchSize, end));
    begin = end;
  }
  rows.resize(bucketOf.size());
  Permutation order(n, mixBits(seed, uint64_t(epoch)));
  for (int64_t i = 0; i < n; ++i) {
    int64_t row = order(i);
    rows[size_t(at[size_t(bucketOf[size_t(row)])]++)] = row;
  }
  Mt19937 generator(mixBits(seed, uint64_t(epoch), 1));
  generator.shuffle(batches);
  position = 0;
}

bool BucketedScheme::next(std::vector<int64_t> &request) {
  if (position >= batches.size())
    return false;
  auto [begin, end] = batches[position++];
  request.assign(rows.begin() + begin, rows.begin() + end);
  return true;
}

void BucketedScheme::skip(int64_t count) {
  position =
      size_t(std::min(int64_t(position) + count, int64_t(batches.size())));
}

std::optional<int64_t> BucketedScheme::requestsPerEpoch() const {
  int64_t count = 0;
  for (int64_t size : sizes)
    count += ceilDivide(size, batchSize);
  return count;
}

void BucketedScheme::restoreEpoch(const std::string &state) {
  epoch = following = parseEpoch(state);
}

std::string BucketedScheme::describe() const {
  uint64_t hash = 0;
  for (int64_t bucket : bucketOf)
    hash = mixBits(hash, uint64_t(bucket));
  return "bucketed n=" + std::to_string(bucketOf.size()) +
         " buckets=" + std::to_string(sizes.size()) + ":" +
         std::to_string(hash) + " batch=" + std::to_string(batchSize) +
         " seed=" + std::to_string(seed);
}

//===-- ShardedScheme -----------------------------------------------------===//

ShardedScheme::ShardedScheme(std::unique_ptr<IterationScheme> scheme,
                             int64_t shard, int64_t shards, int64_t batchSize,
                             ShardEnds ends)
    : inner(std::move(scheme)), shard(shard), shards(shards),
      batchSize(batchSize), ends(ends) {
  checkSizes(0, batchSize);
  checkSize("the number of shares", shards);
  if (shard < 0 || shard >= shards)
    throw UsageError("share " + std::to_string(shard) + " of " +
                     std::to_string(shards) +
                     "; expected 0 to one less than the number of shares");
  std::optional<int64_t> examples = inner->examplesPerEpoch();
  if (!examples || inner->requestsPerEpoch() != examples)
    throw UsageError("the scheme '" + inner->describe() +
                     "' cannot be shared: it must request one row at a time, "
                     "and its epochs must end");
  total = *examples;
  length = total / shards;
  if (ends == ShardEnds::Keep)
    length += shard < total % shards;
  else if (ends == ShardEnds::Pad)
    length += total % shards != 0;
  position = length;
}

void ShardedScheme::startEpoch() {
  inner->startEpoch();
  position = innerPosition = 0;
}

void ShardedScheme::goTo(int64_t index) {
  if (index < innerPosition) { // Back to the epoch's beginning.
    inner->restoreEpoch(inner->epochState());
    inner->startEpoch();
    innerPosition = 0;
  }
  inner->skip(index - innerPosition);
  innerPosition = index;
}

int64_t ShardedScheme::rowAt(int64_t index) {
  goTo((index * shards + shard) % total);
  inner->next(row);
  ++innerPosition;
  return row.front();
}

bool ShardedScheme::next(std::vector<int64_t> &request) {
  int64_t count = std::min(batchSize, length - position);
  if (count <= 0)
    return false;
  request.resize(size_t(count));
  for (int64_t &wanted : request)
    wanted = rowAt(position++);
  return true;
}

void ShardedScheme::skip(int64_t count) {
  bool all = count >= ceilDivide(length, batchSize);
  position = all ? length : std::min(length, position + count * batchSize);
}

std::optional<int64_t> ShardedScheme::requestsPerEpoch() const {
  return ceilDivide(length, batchSize);
}

std::string ShardedScheme::describe() const {
  static constexpr const char *words[] = {"keep", "drop", "pad"};
  return "share " + std::to_string(shard) + " of " + std::to_string(shards) +
         " ends=" + words[size_t(ends)] +
         " batch=" + std::to_string(batchSize) + " of " + inner->describe();
}

} // namespace fuel
