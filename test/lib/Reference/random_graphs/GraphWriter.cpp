//===- GraphWriter.cpp - The text of one random graph ---------------------===//
#include "test/lib/Reference/random_graphs/GraphWriter.h"

#include "blocks/Philox.h"

#include <algorithm>
#include <cmath>

namespace blocks::testing {

std::string tensorType(const std::vector<int> &shape,
                       const std::string &element) {
  std::string text = "tensor<";
  for (int extent : shape)
    text += (extent < 0 ? "?" : std::to_string(extent)) + "x";
  return text + element + ">";
}

std::string typeOf(const RandomValue &value) { return tensorType(value.shape); }

std::string listText(const std::vector<int> &numbers) {
  std::string text = "[";
  for (size_t i = 0; i < numbers.size(); ++i)
    text += (i ? ", " : "") + std::to_string(numbers[i]);
  return text + "]";
}

bool RandomValue::hasElements() const {
  return std::none_of(shape.begin(), shape.end(), mayBeEmpty);
}

bool mayBeEmpty(int extent) { return extent < 0 && extent != dynamicExtent; }

uint32_t GraphWriter::draw(uint32_t limit) {
  return philoxBits(seed, number, 0, 0, drawn++) % limit;
}

const RandomValue &GraphWriter::any() {
  uint32_t count = uint32_t(values.size());
  uint32_t recent = std::min<uint32_t>(count, 5);
  return values[coin() ? count - 1 - draw(recent) : draw(count)];
}

std::vector<RandomValue> GraphWriter::sequences(int lead) const {
  std::vector<RandomValue> found;
  for (const RandomValue &value : values)
    if (value.rank() && value.shape[0] == lead)
      found.push_back(value);
  return found;
}

std::vector<RandomValue> GraphWriter::timeless() const {
  std::vector<RandomValue> found;
  for (const RandomValue &value : values)
    if (value.hasElements())
      found.push_back(value);
  return found;
}

//===--- Writing ----------------------------------------------------------===//

std::string GraphWriter::define(const std::string &operation) {
  std::string name = fresh();
  lines += "    " + name + " = " + operation + "\n";
  return name;
}

RandomValue GraphWriter::emit(const std::string &operation,
                              std::vector<int> shape, double bound) {
  return {define(operation), std::move(shape), bound, false};
}

RandomValue GraphWriter::simple(const std::string &name, const RandomValue &x,
                                double bound) {
  return emit(name + " " + x.name + " : " + typeOf(x), x.shape, bound);
}

RandomValue GraphWriter::combine(const std::string &name, const RandomValue &a,
                                 const RandomValue &b, double bound) {
  return emit(name + " " + a.name + ", " + b.name + " : " + typeOf(a), a.shape,
              bound);
}

RandomValue GraphWriter::spread(const RandomValue &x, const RandomValue &like,
                                const std::vector<int> &dims) {
  RandomValue wide =
      emit("blocks.broadcast " + x.name + " like " + like.name + " dims " +
               listText(dims) + " : " + typeOf(x) + ", " + typeOf(like),
           like.shape, x.bound);
  wide.exact = x.exact;
  return wide;
}

/// The axes of `to` along which `from` can lie: its last or its first ones.
static bool alignment(const std::vector<int> &from, const std::vector<int> &to,
                      std::vector<int> &dims) {
  if (from.size() >= to.size())
    return false;
  size_t shift = to.size() - from.size();
  bool last = std::equal(from.begin(), from.end(), to.begin() + long(shift));
  bool first = std::equal(from.begin(), from.end(), to.begin());
  for (size_t i = 0; i < from.size(); ++i)
    dims.push_back(int(last ? i + shift : i));
  return last || first;
}

std::optional<RandomValue> GraphWriter::exactLike(const RandomValue &like) {
  std::vector<RandomValue> equal, smaller;
  for (const RandomValue &value : values) {
    std::vector<int> dims;
    if (value.exact && value.shape == like.shape)
      equal.push_back(value);
    else if (value.exact && value.rank() &&
             alignment(value.shape, like.shape, dims))
      smaller.push_back(value);
  }
  if (!equal.empty() && (smaller.empty() || coin()))
    return choose(equal);
  if (smaller.empty())
    return std::nullopt;
  RandomValue part = choose(smaller);
  std::vector<int> dims;
  alignment(part.shape, like.shape, dims);
  return spread(part, like, dims);
}

std::optional<std::string> GraphWriter::maskLike(const RandomValue &like) {
  std::optional<RandomValue> value = exactLike(like);
  if (!value)
    return std::nullopt;
  RandomValue limit = constant(0.25, like);
  return define("arith.cmpf " + std::string(coin() ? "ogt" : "ole") + ", " +
                value->name + ", " + limit.name + " : " + typeOf(like));
}

RandomValue GraphWriter::constant(double number, const RandomValue &like) {
  RandomValue scalar =
      emit("arith.constant dense<" + std::to_string(number) + "> : tensor<f32>",
           {}, std::fabs(number));
  return like.rank() == 0 ? scalar : spread(scalar, like, {});
}

RandomValue GraphWriter::tame(RandomValue value) {
  return value.bound > 6 ? simple("math.tanh", value, 1) : value;
}

RandomValue GraphWriter::onePlusSquare(const RandomValue &x) {
  double square = x.bound * x.bound;
  return combine("arith.addf", combine("arith.mulf", x, x, square),
                 constant(1, x), square + 1);
}

RandomValue GraphWriter::reduced(const std::string &kind, const RandomValue &x,
                                 const std::vector<int> &dims) {
  std::vector<int> shape;
  for (int axis = 0; axis < int(x.rank()); ++axis)
    if (std::find(dims.begin(), dims.end(), axis) == dims.end())
      shape.push_back(x.shape[size_t(axis)]);
  double bound = kind == "sum" ? 20 * x.bound : x.bound;
  return emit("blocks.reduce " + kind + " " + x.name + " dims " +
                  listText(dims) + " : " + typeOf(x) + " to " +
                  tensorType(shape),
              shape, bound);
}

/// Of what may have no elements, a part of the sum.
RandomValue GraphWriter::mean(const RandomValue &x,
                              const std::vector<int> &dims) {
  RandomValue sum = reduced("sum", x, dims);
  if (!x.hasElements())
    return combine("arith.mulf", sum, constant(0.05, sum), 4 * x.bound);
  RandomValue count =
      emit("blocks.extent " + x.name + " dims " + listText(dims) + " : " +
               typeOf(x) + " to tensor<f32>",
           {}, 60);
  if (sum.rank() != 0)
    count = spread(count, sum, {});
  return combine("arith.divf", sum, count, x.bound);
}

//===--- Operations -------------------------------------------------------===//

void GraphWriter::addUnary() {
  RandomValue x = any();
  switch (draw(18)) {
  case 0:
    return know(simple("math.tanh", x, 1));
  case 1:
    return know(simple("math.sin", x, 1));
  case 2:
    return know(simple("blocks.logistic", x, 1));
  case 3:
    return know(simple("arith.negf", x, x.bound));
  case 4:
    return know(simple("math.absf", x, x.bound));
  case 5:
    return know(simple("blocks.rectifier", x, x.bound));
  case 6:
    return know(
        emit("blocks.rectifier " + x.name + " leak 0.125 : " + typeOf(x),
             x.shape, x.bound));
  case 7:
    return know(
        tame(simple("math.exp", x.bound > 2 ? simple("math.tanh", x, 1) : x,
                    std::exp(std::min(x.bound, 2.0)))));
  case 8:
    return know(tame(simple("math.log", onePlusSquare(x), 1 + x.bound)));
  case 9:
    return know(tame(simple("math.sqrt", onePlusSquare(x), 1 + x.bound)));
  case 10:
    return know(simple("math.erf", x, 1));
  case 11:
    return know(simple("math.rsqrt", onePlusSquare(x), 1));
  case 12:
    return know(simple("math.cos", x, 1));
  case 13:
    return know(simple("math.atan", x, 2));
  case 14:
    return know(
        tame(simple("math.log1p", simple("math.absf", x, x.bound), x.bound)));
  case 15:
    return know(tame(simple("math.expm1", simple("math.tanh", x, 1), 2)));
  case 16:
    return x.rank() && x.shape.back() > 0 ? know(simple("blocks.softmax", x, 1))
                                          : void();
  default:
    return x.rank() && x.shape.back() > 0
               ? know(tame(simple("blocks.log_softmax", x, 2 * x.bound + 2)))
               : void();
  }
}

void GraphWriter::addBinary() {
  RandomValue a = any();
  RandomValue b = likeShaped(a);
  double sum = a.bound + b.bound;
  switch (draw(6)) {
  case 0:
    return know(tame(combine("arith.addf", a, b, sum)));
  case 1:
    return know(tame(combine("arith.subf", a, b, sum)));
  case 2:
    return know(tame(combine("arith.mulf", a, b, a.bound * b.bound)));
  case 3:
    return know(combine("arith.divf", a, onePlusSquare(b), a.bound));
  case 4:
    return know(combine("arith.maximumf", a, b, sum));
  default:
    return know(combine("arith.minimumf", a, b, sum));
  }
}

void GraphWriter::addBroadcast() {
  RandomValue like = any(), x = any();
  std::vector<int> dims;
  if (!alignment(x.shape, like.shape, dims))
    return;
  RandomValue wide = spread(x, like, dims);
  know(tame(
      combine(coin() ? "arith.addf" : "arith.mulf", wide, like,
              std::max(wide.bound + like.bound, wide.bound * like.bound))));
}

void GraphWriter::addReduction() {
  RandomValue x = any();
  bool sum = coin();
  // Maxima have gradients over the first axes or the last ones.
  uint32_t cut = x.rank() ? draw(uint32_t(x.rank())) : 0;
  bool last = coin();
  std::vector<int> dims;
  for (uint32_t axis = 0; axis < x.rank(); ++axis)
    if (sum ? coin() : (last ? axis >= cut : axis <= cut))
      dims.push_back(int(axis));
  if (dims.empty())
    return;
  if (!sum && std::any_of(dims.begin(), dims.end(), [&](int axis) {
        return mayBeEmpty(x.shape[size_t(axis)]);
      }))
    return;
  switch (sum ? draw(2) : 2 + draw(2)) {
  case 0:
    return know(tame(reduced("sum", x, dims)));
  case 1:
    return know(mean(x, dims));
  case 2:
    return know(reduced("max", x, dims));
  default:
    return know(reduced("min", x, dims));
  }
}

void GraphWriter::addProduct() {
  RandomValue a = any(), b = any();
  if (a.rank() != 2 || b.rank() != 2)
    return;
  bool left = coin(), right = coin();
  if (a.shape[left ? 0 : 1] != b.shape[right ? 1 : 0])
    return;
  std::vector<int> shape{a.shape[left ? 1 : 0], b.shape[right ? 0 : 1]};
  // Two batches would make a square of dynamic extents, which no model has.
  if (shape[0] < 0 && shape[1] < 0)
    return;
  know(tame(emit("blocks.matmul " + a.name + (left ? " transposed" : "") +
                     ", " + b.name + (right ? " transposed" : "") + " : " +
                     typeOf(a) + ", " + typeOf(b) + " to " + tensorType(shape),
                 shape, 20 * a.bound * b.bound)));
}

/// Stacks of matrices with equal leading axes.
void GraphWriter::addBatchProduct() {
  RandomValue a = any();
  if (a.rank() < 3)
    return;
  bool left = coin(), right = coin();
  size_t rows = a.rank() - 2;
  std::optional<RandomValue> fitting = oneThat([&](const RandomValue &b) {
    return b.rank() == a.rank() &&
           std::equal(a.shape.begin(), a.shape.end() - 2, b.shape.begin()) &&
           a.shape[left ? rows : rows + 1] == b.shape[right ? rows + 1 : rows];
  });
  if (!fitting)
    return;
  RandomValue b = *fitting;
  std::vector<int> shape(a.shape.begin(), a.shape.end() - 2);
  shape.push_back(a.shape[left ? rows + 1 : rows]);
  shape.push_back(b.shape[right ? rows : rows + 1]);
  if (shape[rows] == dynamicExtent && shape[rows + 1] == dynamicExtent)
    return;
  know(tame(emit("blocks.batch_matmul " + a.name + (left ? " transposed" : "") +
                     ", " + b.name + (right ? " transposed" : "") + " : " +
                     typeOf(a) + ", " + typeOf(b) + " to " + tensorType(shape),
                 shape, 20 * a.bound * b.bound)));
}

void GraphWriter::addSelect() {
  RandomValue a = any();
  RandomValue b = likeShaped(a);
  std::optional<std::string> mask = maskLike(a);
  if (!mask)
    return;
  know(emit("arith.select " + *mask + ", " + a.name + ", " + b.name + " : " +
                tensorType(a.shape, "i1") + ", " + typeOf(a),
            a.shape, std::max(a.bound, b.bound)));
}

/// A whole row may be masked.
void GraphWriter::addMaskedSoftmax() {
  RandomValue x = any();
  if (!x.rank() || x.shape.back() <= 0)
    return;
  if (std::optional<std::string> mask = maskLike(x))
    know(emit("blocks.softmax " + x.name + " masked " + *mask + " : " +
                  typeOf(x) + ", " + tensorType(x.shape, "i1"),
              x.shape, 1));
}

/// Through f64 and back, or from the image of bytes.
void GraphWriter::addCast() {
  RandomValue x = any();
  if (coin()) {
    std::string wide = tensorType(x.shape, "f64");
    std::string y =
        define("blocks.cast " + x.name + " : " + typeOf(x) + " to " + wide);
    std::string z = define("math.sin " + y + " : " + wide);
    return know(emit("blocks.cast " + z + " : " + wide + " to " + typeOf(x),
                     x.shape, 1));
  }
  RandomValue image = emit("blocks.cast %u : tensor<?x4xui8> to "
                           "tensor<?x4xf32>",
                           {dynamicExtent, 4}, 255);
  know(combine("arith.divf", image, constant(255, image), 1));
}

/// The positions of the loops around, or some of them: with none, all steps
/// draw the same numbers.
std::string GraphWriter::indices() {
  std::string text;
  for (const std::string &position : positions)
    if (draw(4))
      text += (text.empty() ? " index " : ", ") + position;
  return text;
}

/// Dropout of half of the elements, or noise.
void GraphWriter::addRandom() {
  if (!isTraining)
    return;
  RandomValue x = any();
  std::string kind = coin() ? "uniform" : "normal";
  RandomValue noise =
      emit("blocks.random " + kind + " like " + x.name + " site " +
               std::to_string(number * 1000 + site++) + indices() + " : " +
               typeOf(x) + " to " + typeOf(x),
           x.shape, kind == "uniform" ? 1 : 5);
  if (kind == "normal")
    return know(tame(combine("arith.addf", x, noise, x.bound + noise.bound)));
  RandomValue half = constant(0.5, x), zero = constant(0, x);
  std::string keep = define("arith.cmpf oge, " + noise.name + ", " + half.name +
                            " : " + typeOf(x));
  know(emit("arith.select " + keep + ", " + x.name + ", " + zero.name + " : " +
                tensorType(x.shape, "i1") + ", " + typeOf(x),
            x.shape, x.bound));
}

void GraphWriter::addTag() {
  RandomValue x = any();
  know(emit("blocks.tag " + x.name + " <\"/b\", \"apply\", \"t" +
                std::to_string(next) +
                "\", [auxiliary], \"b.apply#0\"> : " + typeOf(x),
            x.shape, x.bound));
}

void GraphWriter::addOperation() {
  using Add = void (GraphWriter::*)();
  static constexpr Add adders[] = {
      &GraphWriter::addUnary,         &GraphWriter::addUnary,
      &GraphWriter::addBinary,        &GraphWriter::addBinary,
      &GraphWriter::addBroadcast,     &GraphWriter::addBroadcast,
      &GraphWriter::addReduction,     &GraphWriter::addProduct,
      &GraphWriter::addProduct,       &GraphWriter::addSelect,
      &GraphWriter::addMaskedSoftmax, &GraphWriter::addBatchProduct,
      &GraphWriter::addConvolution,   &GraphWriter::addConvolutionTransposed,
      &GraphWriter::addPool,          &GraphWriter::addScatter,
      &GraphWriter::addCast,          &GraphWriter::addLabels,
      &GraphWriter::addReshape,       &GraphWriter::addRandom,
      &GraphWriter::addTag,           &GraphWriter::addTranspose,
      &GraphWriter::addSlice,         &GraphWriter::addInsertion,
      &GraphWriter::addConcat,        &GraphWriter::addGather,
      &GraphWriter::addScan,          &GraphWriter::addScan};
  (this->*adders[draw(uint32_t(std::size(adders)))])();
}

//===--- Results ----------------------------------------------------------===//

/// The part of `text` where `name` would be read: not followed by a digit.
static bool isRead(const std::string &text, const std::string &name) {
  for (size_t at = text.find(name); at != std::string::npos;
       at = text.find(name, at + 1)) {
    char after = text[at + name.size()];
    bool whole = !std::isdigit(static_cast<unsigned char>(after));
    bool defined = text.compare(at + name.size(), 2, " =") == 0;
    if (whole && !defined)
      return true;
  }
  return false;
}

RandomValue GraphWriter::total() {
  RandomValue sum = constant(0, {"", {}, 0, true});
  std::string before = lines;
  std::vector<RandomValue> all = values;
  for (const RandomValue &value : all) {
    if (!value.exact && isRead(before, value.name))
      continue;
    std::vector<int> dims;
    for (int axis = 0; axis < int(value.rank()); ++axis)
      dims.push_back(axis);
    RandomValue part = dims.empty() ? value : mean(value, dims);
    sum = combine("arith.addf", sum, part, sum.bound + part.bound);
  }
  return sum;
}

std::vector<RandomValue> GraphWriter::someValues(size_t count) {
  std::vector<RandomValue> some;
  for (size_t i = values.size(); i-- > 0 && some.size() < count;)
    if (!values[i].exact)
      some.push_back(values[i]);
  return some;
}

} // namespace blocks::testing
