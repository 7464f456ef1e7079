//===- ScanWriter.cpp - Random loops over time ----------------------------===//
//
// A loop goes over one of the times or over a static axis. It takes sequences,
// or a number of steps, or both, sometimes the mask, one to three states that
// start from any value, and captures the rest. Its body is a small random
// graph, which may hold a further loop; the new state is a tanh of one of its
// values and the old state, so that states stay bounded over any time.
//
//===----------------------------------------------------------------------===//
#include "test/lib/Reference/random_graphs/GraphWriter.h"

#include <algorithm>

namespace blocks::testing {

// Loops in loops in loops take long to compile and show nothing new.
static constexpr size_t deepest = 2;

static std::vector<int> sliceShape(const RandomValue &stacked) {
  return {stacked.shape.begin() + 1, stacked.shape.end()};
}

static std::vector<int> stackedShape(int lead, const RandomValue &slice) {
  std::vector<int> shape = slice.shape;
  shape.insert(shape.begin(), lead);
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

static std::string inParentheses(const std::vector<RandomValue> &of,
                                 const std::string &keyword) {
  return of.empty() ? "" : keyword + "(" + names(of) + ") ";
}

/// `keyword(%a : tensor<…>)`.
static std::string typed(const std::vector<RandomValue> &of,
                         const std::string &keyword) {
  return of.empty() ? ""
                    : " " + keyword + "(" + names(of) + " : " + types(of) + ")";
}

//===--- What a loop goes over --------------------------------------------===//

/// The batch is no time: what is stacked over it would have it twice.
int GraphWriter::drawLead() {
  if (draw(4))
    return coin() ? timeExtent : innerExtent;
  static const std::vector<int> counts{1, 2, 4, 6};
  const RandomValue &x = any();
  bool fits = x.rank() && x.shape[0] > 0 && x.shape[0] <= 6;
  return fits ? x.shape[0] : choose(counts);
}

std::vector<RandomValue> GraphWriter::drawSequences(const Loop &loop) {
  std::vector<RandomValue> all = sequences(loop.lead), drawn;
  if (!all.empty())
    for (unsigned i = 0, count = draw(3); i < count; ++i)
      drawn.push_back(choose(all));
  return drawn;
}

std::vector<RandomValue> GraphWriter::drawStates() {
  std::vector<RandomValue> all, drawn;
  for (const RandomValue &value : values)
    if (value.rank() <= 3)
      all.push_back(value);
  for (unsigned i = 0, count = 1 + draw(3); i < count; ++i)
    drawn.push_back(choose(all));
  return drawn;
}

void GraphWriter::addMask(Loop &loop) {
  if (loop.lead > 0 || coin())
    return;
  loop.over.push_back({loop.lead == timeExtent ? "%m1" : "%n1",
                       {loop.lead, dynamicExtent},
                       1,
                       true});
  loop.mask = fresh();
  loop.slices.push_back({loop.mask, {dynamicExtent}, 1, true});
}

/// The number of steps as a value; defined before the loop.
std::string GraphWriter::stepsOf(int lead) {
  if (lead > 0)
    return define("arith.constant " + std::to_string(lead) + " : index");
  RandomValue source{
      lead == timeExtent ? "%q" : "%r", {lead, dynamicExtent, 4}, 1, true};
  return extentOf(source, 0);
}

/// How the gradient gets the values of the steps; segments need to know how
/// many steps there are.
std::string GraphWriter::attributesOf(const Loop &loop) {
  switch (draw(4)) {
  case 0:
    return "{blocks.recompute} ";
  case 1:
    return loop.lead > 0 ? "{blocks.checkpoint} " : "";
  default:
    return "";
  }
}

//===--- The body ---------------------------------------------------------===//

/// tanh of a value of the body and the old state; where the mask is 0 the old
/// state stays.
RandomValue GraphWriter::nextState(const RandomValue &state,
                                   const std::string &mask) {
  std::vector<RandomValue> fitting;
  for (const RandomValue &value : values)
    if (value.shape == state.shape)
      fitting.push_back(value);
  RandomValue other = choose(std::vector<RandomValue>(
      fitting.end() - std::min<long>(3, long(fitting.size())), fitting.end()));
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
std::vector<RandomValue> GraphWriter::scanBody(const Loop &loop) {
  // Half of the loops look at whole sequences from outside.
  if (coin())
    values = timeless();
  size_t captured = values.size();
  for (const RandomValue &value : loop.slices)
    if (value.name != loop.mask)
      know(value);
  for (const RandomValue &value : loop.olds)
    know(value);
  unsigned before = draw(4), after = 2 + draw(4);
  for (unsigned i = 0; i < before; ++i)
    addOperation();
  if (positions.size() < deepest && coin())
    addScan();
  for (unsigned i = 0; i < after; ++i)
    addOperation();
  std::vector<RandomValue> results, own;
  for (const RandomValue &state : loop.olds)
    results.push_back(nextState(state, loop.mask));
  std::copy_if(values.begin() + long(captured), values.end(),
               std::back_inserter(own),
               [](const RandomValue &value) { return value.rank() <= 4; });
  for (unsigned i = 0, count = own.empty() ? 0 : draw(3); i < count; ++i)
    results.push_back(choose(own));
  return results;
}

/// The arguments and the body, as text; in `results` what it yields.
std::string GraphWriter::scanText(Loop &loop,
                                  std::vector<RandomValue> &results) {
  std::string arguments = loop.position + ": index";
  for (const std::vector<RandomValue> &part : {loop.slices, loop.olds})
    for (const RandomValue &value : part)
      arguments += ", " + value.name + ": " + typeOf(value);
  std::string outside = std::move(lines);
  std::vector<RandomValue> known = values;
  lines.clear();
  positions.push_back(loop.position);
  results = scanBody(loop);
  positions.pop_back();
  std::string body = std::move(lines);
  lines = std::move(outside);
  values = std::move(known);
  auto outputs = results.begin() + long(loop.states.size());
  return "{\n    ^bb0(" + arguments + "):\n" + body + "    blocks.yield" +
         typed({results.begin(), outputs}, "states") +
         typed({outputs, results.end()}, "outputs") + "\n    }\n";
}

/// The state after the last step, or the initial one if there is none.
void GraphWriter::addLastState(const Loop &loop, const RandomValue &stacked,
                               const RandomValue &state) {
  std::string offset = "0";
  if (!loop.reverse && loop.lead > 0) {
    offset = std::to_string(loop.lead - 1);
  } else if (!loop.reverse) {
    std::string count = extentOf(stacked, 0);
    std::string one = define("arith.constant 1 : index");
    offset = define("arith.subi " + count + ", " + one + " : index");
  }
  std::string offsets = offset, sizes = "1", strides = "1";
  for (size_t axis = 1; axis < stacked.rank(); ++axis) {
    offsets += ", 0";
    sizes += ", " + extentOf(stacked, axis);
    strides += ", 1";
  }
  know(emit("tensor.extract_slice " + stacked.name + "[" + offsets + "] [" +
                sizes + "] [" + strides + "] : " + typeOf(stacked) + " to " +
                typeOf(state),
            state.shape, stacked.bound));
}

void GraphWriter::addScan() {
  if (positions.size() >= deepest)
    return;
  Loop loop{drawLead(), coin(), {}, {}, {}, {}, fresh(), ""};
  loop.over = drawSequences(loop);
  bool counted = loop.over.empty() || draw(4) == 0;
  loop.states = drawStates();
  for (const RandomValue &value : loop.over)
    loop.slices.push_back(
        {fresh(), sliceShape(value), value.bound, value.exact});
  addMask(loop);
  for (const RandomValue &value : loop.states)
    loop.olds.push_back(
        {fresh(), value.shape, std::max(1.0, value.bound), false});

  std::string steps = counted ? stepsOf(loop.lead) : "";
  std::vector<RandomValue> results, made, all = loop.over;
  std::string text = scanText(loop, results);
  for (const RandomValue &value : results)
    made.push_back(
        {fresh(), stackedShape(loop.lead, value), value.bound, false});
  all.insert(all.end(), loop.states.begin(), loop.states.end());
  lines += "    " + names(made) + " = blocks.scan " +
           (loop.reverse ? "reverse " : "") +
           inParentheses(loop.over, "sequences") +
           inParentheses(loop.states, "states") +
           (counted ? "steps(" + steps + ") " : "") + attributesOf(loop) +
           ": (" + types(all) + (counted ? ", index" : "") + ") -> " +
           (made.size() > 1 ? "(" : "") + types(made) +
           (made.size() > 1 ? ") " : " ") + text;
  for (const RandomValue &value : made)
    know(value);
  for (size_t i = 0; i < loop.states.size(); ++i)
    if (draw(3) == 0)
      addLastState(loop, made[i], loop.states[i]);
}

} // namespace blocks::testing
