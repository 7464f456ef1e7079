// Initial values: AS 241 against known quantiles, moments and ranges of every
// scheme, independence of other parameters, and frozen bit patterns (the
// promise that a seed means the same on every machine and in every release).
#include "test/Check.h"

#include "blocks/Error.h"
#include "blocks/Parameters.h"
#include "blocks/Philox.h"
#include "runtime/Parameters/Initialization.h"

#include <bit>
#include <cstring>

using namespace blocks;

static StateSpec spec(std::string path, Shape shape, std::string kind,
                      std::map<std::string, double> values = {},
                      DType dtype = DType::Float32) {
  return {std::move(path),
          dtype,
          std::move(shape),
          {"weight"},
          {std::move(kind), std::move(values)},
          ""};
}

static void quantiles() {
  struct {
    double p, z;
  } known[] = {{0.5, 0},
               {0.975, 1.959963984540054},
               {0.025, -1.959963984540054},
               {0.25, -0.6744897501960817},
               {0.9, 1.2815515655446004},
               {0.001, -3.090232306167813},
               {1e-10, -6.361340902404056},
               {1e-20, -9.262340089798408},
               {1e-100, -21.27345356096532}};
  for (auto [p, z] : known)
    CHECK_NEAR(normalQuantile(p), z, 4e-15 * (1 + std::fabs(z)));
}

static void logarithm() {
  for (double x : {1e-300, 3e-310, 1e-10, 0.1, 0.5, 0.7071, 0.999999, 1.0, 1.5,
                   2.0, 10.0, 1e300})
    CHECK_NEAR(portableLog(x), std::log(x), 4e-16 * std::fabs(std::log(x)));
}

struct Moments {
  double mean = 0, variance = 0, low = INFINITY, high = -INFINITY;
};

static Moments moments(const Array &array) {
  Moments m;
  auto *x = array.as<float>();
  for (int64_t i = 0; i < array.size(); ++i) {
    m.mean += x[i];
    m.low = std::fmin(m.low, x[i]);
    m.high = std::fmax(m.high, x[i]);
  }
  m.mean /= double(array.size());
  for (int64_t i = 0; i < array.size(); ++i)
    m.variance += (x[i] - m.mean) * (x[i] - m.mean);
  m.variance /= double(array.size());
  return m;
}

static void schemes() {
  Shape shape{300, 200};
  auto of = [&](std::string kind, std::map<std::string, double> values = {}) {
    return moments(makeInitialArray(spec("/a.W", shape, kind, values), 7));
  };
  Moments m = of("isotropic_gaussian", {{"std", 0.5}, {"mean", 2}});
  CHECK_NEAR(m.mean, 2, 0.01);
  CHECK_NEAR(m.variance, 0.25, 0.005);
  m = of("uniform", {{"width", 4}, {"mean", 1}});
  CHECK_NEAR(m.mean, 1, 0.02);
  CHECK(m.low >= -1 && m.low < -0.99 && m.high <= 3 && m.high > 2.99);
  CHECK_NEAR(of("uniform", {{"std", 0.3}}).variance, 0.09, 0.002);
  CHECK_NEAR(of("glorot_uniform").high, std::sqrt(6. / 500), 1e-4);
  CHECK_NEAR(of("glorot_normal").variance, 2. / 500, 1e-4);
  CHECK_NEAR(of("he_normal").variance, 2. / 300, 1e-4);
  CHECK_NEAR(of("he_uniform").variance, 2. / 300, 1e-4);
  CHECK_NEAR(of("constant", {{"value", 3}}).low, 3, 0);
  Array identity =
      makeInitialArray(spec("/a.W", {2, 3}, "identity", {{"mult", 2}}), 1);
  float expected[] = {2, 0, 0, 0, 2, 0};
  CHECK(!std::memcmp(identity.data(), expected, sizeof(expected)));
}

static void dependOnSeedAndPathAlone() {
  StateSpec a = spec("/a.W", {5, 3}, "isotropic_gaussian");
  StateSpec b = spec("/b.W", {5, 3}, "isotropic_gaussian");
  auto same = [](const Array &x, const Array &y) {
    return !std::memcmp(x.data(), y.data(), x.bytes());
  };
  CHECK(same(makeInitialArray(a, 1), makeInitialArray(a, 1)));
  CHECK(!same(makeInitialArray(a, 1), makeInitialArray(a, 2)));
  CHECK(!same(makeInitialArray(a, 1), makeInitialArray(b, 1)));
  ProgramSpec both{{b, a}, {}, {}};
  ProgramState state = makeInitialState(both, 1);
  CHECK(same(state.arrays[1], makeInitialArray(a, 1)));
}

static void frozenBits() {
  auto bits = [](const char *kind, int i) {
    Array x =
        makeInitialArray(spec("/mlp/linear_0.W", {4, 4}, kind,
                              std::string(kind) == "uniform"
                                  ? std::map<std::string, double>{{"width", 2}}
                                  : std::map<std::string, double>{}),
                         1);
    return std::bit_cast<uint32_t>(x.as<float>()[i]);
  };
  CHECK_EQ(bits("isotropic_gaussian", 0), 0x3f0f5df9u);
  CHECK_EQ(bits("isotropic_gaussian", 13), 0x3f3eb34bu);
  CHECK_EQ(bits("uniform", 0), 0x3ed95d38u);
  CHECK_EQ(bits("uniform", 13), 0x3f0b2ebcu);
  CHECK_EQ(bits("glorot_normal", 0), 0x3e8f5df9u);
  CHECK_EQ(bits("he_uniform", 13), 0x3f2a768fu);
  Array x = makeInitialArray(
      spec("/x.W", {3}, "isotropic_gaussian", {}, DType::Float64), 1);
  CHECK_EQ(std::bit_cast<uint64_t>(x.as<double>()[2]), 0xbffba975f66f3256u);
}

static StateSpec composed(Shape shape, std::string kind,
                          std::map<std::string, double> values,
                          std::vector<InitializerSpec> parts) {
  StateSpec made = spec("/a.W", std::move(shape), std::move(kind),
                        std::move(values), DType::Float64);
  made.initializer.parts = std::move(parts);
  return made;
}

/// The largest difference of A·Aᵀ (or Aᵀ·A) from the identity.
static double distanceFromOrthogonal(const Array &a, bool byRows) {
  int64_t rows = a.shape()[0], columns = a.shape()[1];
  int64_t n = byRows ? rows : columns, inner = byRows ? columns : rows;
  auto at = [&](int64_t i, int64_t k) {
    return a.as<double>()[byRows ? i * columns + k : k * columns + i];
  };
  double worst = 0;
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (int64_t k = 0; k < inner; ++k)
        sum += at(i, k) * at(j, k);
      worst = std::fmax(worst, std::fabs(sum - (i == j)));
    }
  return worst;
}

static void orthogonal() {
  for (Shape shape : {Shape{40, 40}, Shape{40, 7}, Shape{7, 40}, Shape{1, 1}}) {
    Array a = makeInitialArray(
        spec("/a.W", shape, "orthogonal", {}, DType::Float64), 3);
    CHECK_NEAR(distanceFromOrthogonal(a, shape[0] <= shape[1]), 0, 1e-12);
  }
  // Of a random rotation all elements have one distribution.
  Moments m = moments(makeInitialArray(
      spec("/a.W", {100, 100}, "orthogonal", {{"scale", 10}}), 3));
  CHECK_NEAR(m.mean, 0, 0.05);
  CHECK_NEAR(m.variance, 1, 0.05);
}

/// Elements that are not 0, in each row.
static std::vector<int64_t> countRows(const Array &a, int64_t columns) {
  std::vector<int64_t> counts(size_t(a.size() / columns));
  for (int64_t i = 0; i < a.size(); ++i)
    counts[size_t(i / columns)] += a.as<double>()[i] != 0;
  return counts;
}

static void sparse() {
  InitializerSpec one{"constant", {{"value", 1}}, {}}, zero{"constant", {}, {}};
  auto isAll = [](const std::vector<int64_t> &counts, int64_t count) {
    for (int64_t c : counts)
      if (c != count)
        return false;
    return true;
  };
  Array a = makeInitialArray(
      composed({50, 30}, "sparse", {{"num_init", 4}}, {one, zero}), 1);
  CHECK(isAll(countRows(a, 30), 4));
  a = makeInitialArray(
      composed({50, 30}, "sparse", {{"num_init", 0.1}}, {one, zero}), 1);
  CHECK(isAll(countRows(a, 30), 3));
  // Rows differ, and every column is met.
  std::vector<int64_t> byColumn(30);
  for (int64_t i = 0; i < a.size(); ++i)
    byColumn[size_t(i % 30)] += a.as<double>()[i] != 0;
  for (int64_t count : byColumn)
    CHECK(count > 0 && count < 20);
  a = makeInitialArray(composed({4, 3, 5}, "sparse_nd",
                                {{"num_init", 2}, {"axis0", 0}, {"axis1", 1}},
                                {one, zero}),
                       1);
  CHECK(isAll(countRows(a, 5), 2));
  // The last axis as rows: two of twelve elements for each of five.
  a = makeInitialArray(composed({4, 3, 5}, "sparse_nd",
                                {{"num_init", 2}, {"axis0", 2}}, {one, zero}),
                       1);
  std::vector<int64_t> byLast(5);
  for (int64_t i = 0; i < a.size(); ++i)
    byLast[size_t(i % 5)] += a.as<double>()[i] != 0;
  CHECK(isAll(byLast, 2));
}

/// As NumPy broadcasts: along leading axes, and along axes of extent 1.
static void arrays() {
  Array a = makeInitialArray(
      spec("/a.W", {2, 2, 3}, "constant_array",
           {{"extent0", 2}, {"extent1", 1}, {"0", 0.5}, {"1", -2}}),
      1);
  for (int64_t i = 0; i < 12; ++i)
    CHECK(a.as<float>()[i] == (i / 3 % 2 ? -2.0f : 0.5f));
  a = makeInitialArray(spec("/a.b", {2, 2}, "constant_array",
                            {{"extent0", 2}, {"0", 1}, {"1", 2}}),
                       1);
  float expected[] = {1, 2, 1, 2};
  CHECK(!std::memcmp(a.data(), expected, sizeof(expected)));
  CHECK_THROWS(makeInitialArray(spec("/a.b", {3}, "constant_array",
                                     {{"extent0", 2}, {"0", 1}, {"1", 2}}),
                                1),
               "its array has shape 2");
}

static void permutations() {
  Array a = makeInitialArray(spec("/a.W", {3, 3}, "permutation_matrix",
                                  {{"0", 2}, {"1", 0}, {"2", 1}}),
                             1);
  float expected[] = {0, 1, 0, 0, 0, 1, 1, 0, 0};
  CHECK(!std::memcmp(a.data(), expected, sizeof(expected)));
  a = makeInitialArray(
      spec("/a.W", {9, 9}, "permutation_matrix", {}, DType::Float64), 1);
  CHECK_NEAR(distanceFromOrthogonal(a, true), 0, 0);
}

/// Each gate is what a parameter of its own would be.
static void gates() {
  InitializerSpec rotation{"orthogonal", {}, {}},
      one{"constant", {{"value", 1}}, {}};
  Array a = makeInitialArray(
      composed({5, 15}, "gates", {}, {rotation, one, rotation}), 1);
  Array first = makeInitialArray(
      spec("/a.W[0]", {5, 5}, "orthogonal", {}, DType::Float64), 1);
  for (int64_t i = 0; i < 25; ++i) {
    int64_t place = i / 5 * 15 + i % 5;
    CHECK_EQ(a.as<double>()[place], first.as<double>()[i]);
    CHECK_EQ(a.as<double>()[place + 5], 1.0);
    CHECK(a.as<double>()[place + 10] != a.as<double>()[place]);
  }
}

static void seedAndErrors() {
  StateSpec seed = spec("/algorithm.seed", {}, "seed", {}, DType::Int64);
  CHECK_EQ(makeInitialArray(seed, 77).as<int64_t>()[0], 77);
  auto make = [](StateSpec s) { makeInitialArray(s, 1); };
  CHECK_THROWS(make(spec("/a.b", {2}, "identity")), "'/a.b'");
  CHECK_THROWS(make(spec("/a.b", {2}, "he_normal")), "needs a matrix");
  CHECK_THROWS(make(spec("/a.b", {2}, "orthogonal")), "needs a matrix");
  CHECK_THROWS(make(spec("/a.b", {2}, "circulant")), "no such scheme");
  CHECK_THROWS(make(spec("/a.b", {2}, "constant", {{"std", 1}})), "'std'");
  CHECK_THROWS(make(spec("/a.b", {2}, "uniform")), "'width' or 'std'");
}

int main() {
  quantiles();
  logarithm();
  schemes();
  dependOnSeedAndPathAlone();
  frozenBits();
  orthogonal();
  sparse();
  arrays();
  permutations();
  gates();
  seedAndErrors();
  return checkSummary();
}
