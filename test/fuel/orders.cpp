// Orders: what the schemes that are not Fuel's promise: every row once, in
// every share and for every size; proportions of draws; lengths in a bucket.
#include "fuel/CountedSchemes.h"
#include "test/Check.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <set>

using namespace fuel;
using Rows = std::vector<int64_t>;
using Requests = std::vector<Rows>;
using Scheme = std::unique_ptr<IterationScheme>;

static Requests epochOf(IterationScheme &scheme) {
  Requests requests;
  scheme.startEpoch();
  for (Rows request; scheme.next(request);)
    requests.push_back(request);
  CHECK(scheme.requestsPerEpoch() == int64_t(requests.size()));
  return requests;
}

static Rows joined(const Requests &requests) {
  Rows rows;
  for (const Rows &request : requests)
    rows.insert(rows.end(), request.begin(), request.end());
  return rows;
}

static Rows upTo(int64_t count) {
  Rows rows(static_cast<size_t>(count));
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

static Rows sorted(Rows rows) {
  std::sort(rows.begin(), rows.end());
  return rows;
}

//===-- Every row once ----------------------------------------------------===//

using Make = std::function<Scheme(int64_t rows, int64_t batchSize)>;
static const std::pair<const char *, Make> orders[] = {
    {"sequential",
     [](int64_t n, int64_t b) -> Scheme {
       return std::make_unique<SequentialScheme>(n, b);
     }},
    {"shuffled",
     [](int64_t n, int64_t b) -> Scheme {
       return std::make_unique<ShuffledScheme>(n, b, 5);
     }},
    {"index-shuffled",
     [](int64_t n, int64_t b) -> Scheme {
       return std::make_unique<IndexShuffledScheme>(n, b, 5);
     }},
    {"block-shuffled",
     [](int64_t n, int64_t b) -> Scheme {
       return std::make_unique<BlockShuffledScheme>(n, b, 4, 5, false);
     }},
    {"block-shuffled within", [](int64_t n, int64_t b) -> Scheme {
       return std::make_unique<BlockShuffledScheme>(n, b, 4, 5, true);
     }}};

static void wholeEpochs() {
  for (const auto &[name, make] : orders)
    for (int64_t n : {0, 1, 2, 3, 4, 5, 63, 64, 65, 1000}) {
      Scheme scheme = make(n, 7);
      std::set<Rows> seen;
      for (int epoch = 0; epoch < 3; ++epoch) {
        Rows rows = joined(epochOf(*scheme));
        CHECK(sorted(rows) == upTo(n));
        seen.insert(rows);
      }
      if (n > 60)
        CHECK_EQ(seen.size(), std::string(name) == "sequential" ? 1u : 3u);
    }
}

static void shares() {
  for (const auto &[name, make] : orders)
    for (int64_t n : {1, 5, 12, 50, 103})
      for (int64_t shards : {1, 2, 3, 7})
        for (ShardEnds ends :
             {ShardEnds::Keep, ShardEnds::Drop, ShardEnds::Pad}) {
          std::vector<Scheme> parts;
          for (int64_t shard = 0; shard < shards; ++shard)
            parts.push_back(std::make_unique<ShardedScheme>(make(n, 1), shard,
                                                            shards, 4, ends));
          for (int epoch = 0; epoch < 2; ++epoch) {
            Rows all;
            std::set<size_t> sizes;
            for (Scheme &part : parts) {
              Rows rows = joined(epochOf(*part));
              sizes.insert(rows.size());
              all.insert(all.end(), rows.begin(), rows.end());
            }
            all = sorted(all);
            if (ends == ShardEnds::Keep) {
              CHECK(all == upTo(n));
              continue;
            }
            CHECK_EQ(sizes.size(), 1u);
            int64_t each = ends == ShardEnds::Drop ? n / shards
                                                   : (n + shards - 1) / shards;
            CHECK_EQ(int64_t(all.size()), each * shards);
            std::set<int64_t> distinct(all.begin(), all.end());
            CHECK_EQ(int64_t(distinct.size()), std::min(n, each * shards));
          }
        }
}

static void blocksStayTogether() {
  BlockShuffledScheme scheme(50, 5, 8, 3, false);
  Rows rows = joined(epochOf(scheme));
  int breaks = 0;
  for (size_t i = 1; i < rows.size(); ++i)
    breaks += rows[i] != rows[i - 1] + 1;
  CHECK(breaks <= 6 && breaks > 0); // Seven blocks.
}

//===-- Draws -------------------------------------------------------------===//

/// The sum of (found - expected)^2 / expected: about the number of kinds.
static double deviation(const std::map<int64_t, double> &found,
                        const std::vector<double> &expected) {
  double sum = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    auto place = found.find(int64_t(i));
    double count = place == found.end() ? 0 : place->second;
    if (expected[i] > 0)
      sum += (count - expected[i]) * (count - expected[i]) / expected[i];
    else
      CHECK_EQ(count, 0);
  }
  return sum;
}

static void weightedDraws() {
  std::vector<double> weights = {0, 1, 2, 3, 0, 0.5, 10, 3.5};
  constexpr int64_t draws = 100000;
  WeightedScheme scheme(weights, 128, 11, draws);
  std::vector<double> expected;
  for (double weight : weights)
    expected.push_back(weight / 20 * draws);
  Rows former;
  for (int epoch = 0; epoch < 3; ++epoch) {
    Rows rows = joined(epochOf(scheme));
    CHECK_EQ(int64_t(rows.size()), draws);
    CHECK(rows != former);
    std::map<int64_t, double> counts;
    for (int64_t row : rows)
      ++counts[row];
    // 5 degrees of freedom: beyond 20.5 once in a thousand.
    CHECK(deviation(counts, expected) < 20.5);
    former = rows;
  }
  CHECK_THROWS(WeightedScheme({0, 0}, 1, 1), "add up to");
  CHECK_THROWS(WeightedScheme({1, -1}, 1, 1), "a weight is");
}

/// By weights over the files; within a file, each row once before any twice.
static void mixtures() {
  constexpr int64_t draws = 60000;
  const Rows sizes = {100, 0, 30};
  MixedScheme scheme(sizes, {3, 0, 1}, 64, 7, draws);
  std::map<int64_t, double> parts;
  std::vector<std::map<int64_t, int64_t>> uses(3);
  for (int64_t row : joined(epochOf(scheme))) {
    size_t part = row < 100 ? 0 : 2;
    ++parts[int64_t(part)];
    ++uses[part][row];
    if (uses[part].size() < size_t(sizes[part]))
      CHECK_EQ(uses[part][row], 1);
  }
  CHECK(deviation(parts, {45000, 0, 15000}) < 10.8); // 1 degree of freedom.
  for (size_t part : {0, 2}) {
    CHECK_EQ(int64_t(uses[part].size()), sizes[part]);
    int64_t least = draws, most = 0;
    for (auto [row, count] : uses[part]) {
      least = std::min(least, count);
      most = std::max(most, count);
    }
    CHECK(most - least <= 1);
  }
}

static void buckets() {
  Rows lengths;
  for (int64_t i = 0; i < 103; ++i)
    lengths.push_back(i * i % 41);
  const Rows bounds = {5, 10, 20};
  auto bucketOf = [&](int64_t row) {
    return std::lower_bound(bounds.begin(), bounds.end(),
                            lengths[size_t(row)]) -
           bounds.begin();
  };
  BucketedScheme scheme(lengths, bounds, 8, 3);
  Requests former;
  for (int epoch = 0; epoch < 3; ++epoch) {
    Requests requests = epochOf(scheme);
    CHECK(sorted(joined(requests)) == upTo(103));
    std::map<long, int> shorter;
    for (const Rows &request : requests) {
      for (int64_t row : request)
        CHECK_EQ(bucketOf(row), bucketOf(request[0]));
      shorter[bucketOf(request[0])] += request.size() < 8;
    }
    for (auto [bucket, count] : shorter)
      CHECK(count <= 1);
    CHECK(requests != former);
    former = requests;
  }
}

int main() {
  wholeEpochs();
  shares();
  blocksStayTogether();
  weightedDraws();
  mixtures();
  buckets();
  return checkSummary();
}
