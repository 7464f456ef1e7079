//===- ScanWriter.cpp - Random loops over time ----------------------------===//
//
// A loop takes one or two sequences and sometimes the mask, one or two states
// that start from any value, and captures everything else without a time axis.
// Its body is a small random graph; the new state is a tanh of one of its
// values and the old state, so that states stay bounded over any time.
//
//===----------------------------------------------------------------------===//
#include "test/lib/Reference/random_graphs/GraphWriter.h"

#include <algorithm>

namespace blocks::testing {

static std::vector<int> sliceShape(const RandomValue &stacked) {
  return {stacked.shape.begin() + 1, stacked.shape.end()};
}

static std::vector<int> stackedShape(const RandomValue &slice) {
  std::vector<int> shape = slice.shape;
  shape.insert(shape.begin(), timeExtent);
  return shape;
}

/// ", " between the texts.
static std::string joined(const std::vector<std::string> &texts) {
  std::string all;
  for (size_t i = 0; i < texts.size(); ++i)
    all += (i ? ", " : "") + texts[i];
  return all;
}

static std::string names(const std::vector<RandomValue> &of) {
  std::vector<std::string> texts;
  for (const RandomValue &value : of)
    texts.push_back(value.name);
  return joined(texts);
}

static std::string types(const std::vector<RandomValue> &of) {
  std::vector<std::string> texts;
  for (const RandomValue &value : of)
    texts.push_back(typeOf(value));
  return joined(texts);
}

/// tanh of a value of the body and the old state; where the mask is 0 the old
/// state stays.
RandomValue GraphWriter::nextState(const RandomValue &state,
                                   const std::string &mask) {
  std::vector<RandomValue> fitting;
  for (const RandomValue &value : values)
    if (value.shape == state.shape)
      fitting.push_back(value);
  RandomValue other = choose(std::vector<RandomValue>(
      fitting.end() - std::min<long>(3, fitting.size()), fitting.end()));
  RandomValue sum =
      combine("arith.addf", other,
              combine("arith.mulf", state, constant(0.5, state), state.bound),
              other.bound + state.bound);
  RandomValue next = simple("math.tanh", sum, 1);
  if (mask.empty() || state.rank() == 0 || state.shape[0] != dynamicExtent)
    return next;
  RandomValue m{mask, {dynamicExtent}, 1, true};
  if (state.rank() > 1)
    m = spread(m, state, {0});
  RandomValue keep = combine("arith.subf", constant(1, state), m, 1);
  return combine("arith.addf", combine("arith.mulf", next, m, 1),
                 combine("arith.mulf", state, keep, state.bound),
                 std::max(1.0, state.bound));
}

/// Writes the body; its new states and outputs, outputs last.
std::vector<RandomValue>
GraphWriter::scanBody(const std::vector<RandomValue> &slices,
                      const std::vector<RandomValue> &states,
                      const std::string &mask) {
  values = timeless();
  size_t captured = values.size();
  for (const RandomValue &value : slices)
    know(value);
  for (const RandomValue &value : states)
    know(value);
  for (unsigned i = 0, count = 2 + draw(6); i < count; ++i)
    addOperation();
  std::vector<RandomValue> results;
  for (const RandomValue &state : states)
    results.push_back(nextState(state, mask));
  std::vector<RandomValue> own(values.begin() + long(captured), values.end());
  for (unsigned i = 0, count = draw(3); i < count; ++i)
    results.push_back(choose(own));
  return results;
}

void GraphWriter::addScan() {
  std::vector<RandomValue> all = sequences(), starts = timeless();
  if (depth > 0 || all.empty())
    return;
  std::vector<RandomValue> over, states, slices, olds;
  for (unsigned i = 0, count = 1 + draw(2); i < count; ++i)
    over.push_back(choose(all));
  for (unsigned i = 0, count = 1 + draw(2); i < count; ++i)
    states.push_back(choose(starts));
  bool masked = coin(), reverse = coin();
  std::string time = fresh(), arguments = time + ": index", mask;
  for (const RandomValue &value : over) {
    slices.push_back({fresh(), sliceShape(value), value.bound, value.exact});
    arguments += ", " + slices.back().name + ": " + typeOf(slices.back());
  }
  if (masked) {
    over.push_back({"%m1", {timeExtent, dynamicExtent}, 1, true});
    mask = fresh();
    arguments += ", " + mask + ": " + tensorType({dynamicExtent});
  }
  for (const RandomValue &value : states) {
    olds.push_back({fresh(), value.shape, std::max(1.0, value.bound), false});
    arguments += ", " + olds.back().name + ": " + typeOf(olds.back());
  }

  std::string outside = std::move(lines);
  std::vector<RandomValue> known = values;
  lines.clear();
  ++depth;
  std::vector<RandomValue> results = scanBody(slices, olds, mask);
  --depth;
  std::string body = std::move(lines);
  lines = std::move(outside);
  values = std::move(known);

  std::vector<RandomValue> next(results.begin(),
                                results.begin() + long(states.size()));
  std::vector<RandomValue> outputs(results.begin() + long(states.size()),
                                   results.end());
  std::vector<RandomValue> made;
  for (const RandomValue &value : results)
    made.push_back({fresh(), stackedShape(value), value.bound, false});
  lines += "    " + names(made) + " = blocks.scan " +
           (reverse ? "reverse " : "") + "sequences(" + names(over) +
           ") states(" + names(states) + ") : (" + types(over) + ", " +
           types(states) + ") -> " + (made.size() > 1 ? "(" : "") +
           types(made) + (made.size() > 1 ? ")" : "") + " {\n    ^bb0(" +
           arguments + "):\n" + body + "    blocks.yield states(" +
           names(next) + " : " + types(next) + ")" +
           (outputs.empty()
                ? ""
                : " outputs(" + names(outputs) + " : " + types(outputs) + ")") +
           "\n    }\n";
  for (const RandomValue &value : made)
    know(value);
}

} // namespace blocks::testing
