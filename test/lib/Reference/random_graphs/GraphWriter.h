//===- GraphWriter.h - The text of one random graph -----------------------===//
//
// Keeps the values that exist with shape and bound, writes operations on them,
// and draws from the counter-based generator, so that a seed gives one graph on
// every machine.
//
//===----------------------------------------------------------------------===//
#ifndef TEST_LIB_REFERENCE_RANDOM_GRAPHS_GRAPHWRITER_H
#define TEST_LIB_REFERENCE_RANDOM_GRAPHS_GRAPHWRITER_H

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace blocks::testing {

// Extents that are known at run time alone: of the batch, of time, which may be
// 0, of both as one axis, and of a second time, which may be 0, too.
constexpr int dynamicExtent = -1;
constexpr int timeExtent = -2;
constexpr int stepsExtent = -3;
constexpr int innerExtent = -4;

/// An f32 tensor of the graph.
struct RandomValue {
  std::string name;
  std::vector<int> shape;
  double bound; ///< No element is larger in absolute value, about.
  bool exact;   ///< A source or parameter, or spread out: equal in every
                ///< implementation.

  size_t rank() const { return shape.size(); }
  /// False for what may have no elements.
  bool hasElements() const;
};

/// True for an extent that may be 0.
bool mayBeEmpty(int extent);

/// A loop that is being written.
struct Loop {
  int lead;     ///< The extent of time.
  bool reverse; ///< From the last position to the first.
  std::vector<RandomValue> over, states; ///< Sequences and initial states.
  std::vector<RandomValue> slices, olds; ///< The body's arguments.
  std::string position, mask;            ///< The body's; no mask is "".
};

class GraphWriter {
public:
  /// Graph number `number` of a seed's module. Random operations are for
  /// training graphs: only those have a seed and a step.
  GraphWriter(uint64_t seed, uint32_t number, bool isTraining)
      : seed(seed), number(number), isTraining(isTraining) {}

  /// A number in 0 … limit-1.
  uint32_t draw(uint32_t limit);
  bool coin() { return draw(2) == 0; }
  template <typename T> const T &choose(const std::vector<T> &from) {
    return from[draw(uint32_t(from.size()))];
  }

  /// Makes a source or parameter known.
  void know(RandomValue value) { values.push_back(std::move(value)); }
  /// Writes one random operation.
  void addOperation();
  /// The means of all sources, parameters, and values that nothing reads, added
  /// up.
  RandomValue total();
  /// Some of the values that exist.
  std::vector<RandomValue> someValues(size_t count);
  const std::string &text() const { return lines; }

private:
  /// A value; recent ones more often, so that graphs grow deep.
  const RandomValue &any();
  /// One of the values of x's shape; x itself, if there is no other.
  RandomValue likeShaped(const RandomValue &x) {
    return *oneThat([&](const RandomValue &y) { return y.shape == x.shape; });
  }
  /// One of the values that fit, if there is any.
  template <typename Fits> std::optional<RandomValue> oneThat(Fits fits) {
    std::vector<RandomValue> fitting;
    std::copy_if(values.begin(), values.end(), std::back_inserter(fitting),
                 fits);
    if (fitting.empty())
      return std::nullopt;
    return choose(fitting);
  }
  /// The values whose first axis is `lead`, and those that all loops take in.
  std::vector<RandomValue> sequences(int lead) const;
  std::vector<RandomValue> timeless() const;
  RandomValue emit(const std::string &operation, std::vector<int> shape,
                   double bound);
  std::string fresh() { return "%v" + std::to_string(next++); }
  std::string define(const std::string &operation);
  RandomValue constant(double number, const RandomValue &like);
  RandomValue simple(const std::string &name, const RandomValue &x,
                     double bound);
  RandomValue combine(const std::string &name, const RandomValue &a,
                      const RandomValue &b, double bound);
  RandomValue onePlusSquare(const RandomValue &x);
  /// Brings large values back near 1.
  RandomValue tame(RandomValue value);
  RandomValue spread(const RandomValue &x, const RandomValue &like,
                     const std::vector<int> &dims);
  RandomValue reduced(const std::string &kind, const RandomValue &x,
                      const std::vector<int> &dims);
  RandomValue mean(const RandomValue &x, const std::vector<int> &dims);
  std::string extentOf(const RandomValue &x, size_t axis);
  /// The text of a slice of `whole`: `[offsets] [sizes] [strides]`.
  std::string window(const RandomValue &whole, size_t axis, int offset,
                     int size);
  /// A value of `like`'s shape that is exact, itself or spread out, if any.
  std::optional<RandomValue> exactLike(const RandomValue &like);
  /// A comparison of an exact value in the shape of `like`, if there is one.
  std::optional<std::string> maskLike(const RandomValue &like);
  RandomValue join(const RandomValue &x);
  RandomValue split(const RandomValue &x);
  // Loops (ScanWriter.cpp).
  int drawLead();
  std::vector<RandomValue> drawSequences(const Loop &loop);
  std::vector<RandomValue> drawStates();
  void addMask(Loop &loop);
  std::vector<RandomValue> scanBody(const Loop &loop);
  std::string scanText(Loop &loop, std::vector<RandomValue> &results);
  std::string stepsOf(int lead);
  std::string attributesOf(const Loop &loop);
  RandomValue nextState(const RandomValue &state, const std::string &mask);
  void addLastState(const Loop &loop, const RandomValue &stacked,
                    const RandomValue &state);

  /// Images, and filters whose axis `axis` has their channels
  /// (ImageWriter.cpp).
  std::optional<std::pair<RandomValue, RandomValue>>
  drawImagesAndFilters(size_t axis);

  // One for each kind of operation; they do nothing if no value fits.
  void addUnary();
  void addBinary();
  void addBroadcast();
  void addReduction();
  void addProduct();
  void addBatchProduct();
  void addSelect();
  void addMaskedSoftmax();
  void addCast();
  void addLabels();
  void addReshape();
  void addTranspose();
  void addSlice();
  void addInsertion();
  void addConcat();
  void addGather();
  void addScatter();
  void addConvolution();
  void addConvolutionTransposed();
  void addPool();
  void addScan();
  void addRandom();
  std::string indices();
  void addTag();

  uint64_t seed;
  uint32_t number, drawn = 0, next = 0, site = 1;
  bool isTraining;
  std::vector<std::string> positions; ///< Of the loops around what is written.
  std::string lines;
  std::vector<RandomValue> values;
};

/// "[1, 2]".
std::string listText(const std::vector<int> &numbers);
/// "tensor<?x4xf32>".
std::string typeOf(const RandomValue &value);
std::string tensorType(const std::vector<int> &shape,
                       const std::string &element = "f32");

} // namespace blocks::testing

#endif
