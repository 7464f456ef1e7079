//===- LabelWriter.cpp - What random graphs do with labels ----------------===//
//
// Picking, cross-entropy, rows of tables and their sums. The labels are sources
// of 0 to 2, so that they fit every axis of three or more.
//
//===----------------------------------------------------------------------===//
#include "test/lib/Reference/random_graphs/GraphWriter.h"

namespace blocks::testing {

/// Picking by label, cross-entropy, the position of the largest.
void GraphWriter::addLabels() {
  RandomValue x = any();
  if (x.rank() != 2 || x.shape[0] != dynamicExtent || x.shape[1] < 3)
    return;
  std::string labels = coin() ? "%y" : "%k",
              type = labels == "%y" ? "tensor<?xi64>" : "tensor<?xui8>";
  std::string rows = tensorType({dynamicExtent});
  switch (draw(3)) {
  case 0:
    return know(emit("blocks.pick " + x.name + ", " + labels + " : " +
                         typeOf(x) + ", " + type + " to " + rows,
                     {dynamicExtent}, x.bound));
  case 1: {
    std::string pair = fresh();
    lines += "    " + pair + ":2 = blocks.softmax_cross_entropy " + x.name +
             ", " + labels + " : " + typeOf(x) + ", " + type + " to " + rows +
             ", " + typeOf(x) + "\n";
    return know(tame({pair + "#0", {dynamicExtent}, 2 * x.bound + 2, false}));
  }
  default:
    if (!x.exact)
      return;
    std::string best = define("blocks.argmax " + x.name + " : " + typeOf(x) +
                              " to tensor<?xi64>");
    return know(emit("blocks.cast " + best + " : tensor<?xi64> to " + rows,
                     {dynamicExtent}, 4));
  }
}

namespace {
/// A source of numbers of rows.
struct Numbers {
  std::string name, type;
  std::vector<int> shape;
  int limit; ///< All are below it.
};
} // namespace

static const std::vector<Numbers> numbers{
    {"%y", "tensor<?xi64>", {dynamicExtent}, 3},
    {"%k", "tensor<?xui8>", {dynamicExtent}, 3},
    {"%m0", "tensor<?x?xui8>", {timeExtent, dynamicExtent}, 2}};

/// The shape of a table's rows at the places of numbers.
static std::vector<int> rowsShape(const Numbers &at,
                                  const std::vector<int> &table) {
  std::vector<int> shape = at.shape;
  shape.insert(shape.end(), table.begin() + 1, table.end());
  return shape;
}

/// The rows of a table that the numbers name.
void GraphWriter::addGather() {
  RandomValue table = any();
  const Numbers &at = choose(numbers);
  if (table.rank() == 0 || table.shape[0] < at.limit)
    return;
  std::vector<int> shape = rowsShape(at, table.shape);
  know(emit("blocks.gather " + table.name + ", " + at.name + " : " +
                typeOf(table) + ", " + at.type + " to " + tensorType(shape),
            shape, table.bound));
}

/// Rows added up at the places that the numbers name.
void GraphWriter::addScatter() {
  RandomValue like = any();
  const Numbers &at = choose(numbers);
  if (like.rank() == 0 || like.shape[0] < at.limit)
    return;
  std::optional<RandomValue> fitting = oneThat([&](const RandomValue &value) {
    return value.shape == rowsShape(at, like.shape);
  });
  if (!fitting)
    return;
  RandomValue rows = *fitting;
  know(tame(emit("blocks.scatter_add " + rows.name + ", " + at.name + " like " +
                     like.name + " : " + typeOf(rows) + ", " + at.type + ", " +
                     typeOf(like),
                 like.shape, 20 * rows.bound)));
}

} // namespace blocks::testing
