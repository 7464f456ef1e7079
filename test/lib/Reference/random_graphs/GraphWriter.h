//===- GraphWriter.h - The text of one random graph -----------------------===//
//
// Keeps the values that exist with shape and bound, writes operations on them,
// and draws from the counter-based generator, so that a seed gives one graph on
// every machine.
//
//===----------------------------------------------------------------------===//
#ifndef TEST_LIB_REFERENCE_RANDOM_GRAPHS_GRAPHWRITER_H
#define TEST_LIB_REFERENCE_RANDOM_GRAPHS_GRAPHWRITER_H

#include <cstdint>
#include <string>
#include <vector>

namespace blocks::testing {

constexpr int dynamicExtent = -1;

/// An f32 tensor of the graph.
struct RandomValue {
  std::string name;
  std::vector<int> shape;
  double bound; ///< No element is larger in absolute value, about.
  bool exact;   ///< A source or parameter: equal in every implementation.

  size_t rank() const { return shape.size(); }
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

  // One for each kind of operation; they do nothing if no value fits.
  void addUnary();
  void addBinary();
  void addBroadcast();
  void addReduction();
  void addProduct();
  void addSelect();
  void addCast();
  void addLabels();
  void addReshape();
  void addRandom();
  void addTag();

  uint64_t seed;
  uint32_t number, drawn = 0, next = 0, site = 1;
  bool isTraining;
  std::string lines;
  std::vector<RandomValue> values;
};

/// "tensor<?x4xf32>".
std::string tensorType(const std::vector<int> &shape,
                       const std::string &element = "f32");

} // namespace blocks::testing

#endif
