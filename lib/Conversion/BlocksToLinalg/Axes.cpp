//===- Axes.cpp - Extents as products of named axes -----------------------===//
#include "lib/Conversion/BlocksToLinalg/Axes.h"

#include "dialects/Blocks/SquareRoot.h"

#include <mlir/Dialect/Arith/IR/Arith.h>

#include <cmath>
#include <numeric>

using namespace mlir;

namespace blocks {

Extent Extent::axis(unsigned id) {
  Extent extent;
  extent.powers[id] = 1;
  return extent;
}

void Extent::reduce() {
  int64_t common = std::gcd(number, divisor);
  if (common > 1) {
    number /= common;
    divisor /= common;
  }
}

Extent Extent::times(const Extent &other, int sign) const {
  Extent result = *this;
  result.number *= sign > 0 ? other.number : other.divisor;
  result.divisor *= sign > 0 ? other.divisor : other.number;
  result.reduce();
  for (auto [axis, power] : other.powers)
    if ((result.powers[axis] += sign * power) == 0)
      result.powers.erase(axis);
  return result;
}

Extent Extent::operator*(const Extent &other) const { return times(other, 1); }
Extent Extent::operator/(const Extent &other) const { return times(other, -1); }

std::optional<int64_t> Extent::constant() const {
  if (!powers.empty() || divisor != 1)
    return std::nullopt;
  return number;
}

Extent Axes::named(StringRef name, function_ref<Value()> read) {
  for (auto [id, axis] : llvm::enumerate(axes))
    if (axis.first == name)
      return Extent::axis(id);
  axes.emplace_back(name.str(), read());
  return Extent::axis(axes.size() - 1);
}

//===--- Sums -------------------------------------------------------------===//

Axes::Terms Axes::terms(const Extent &extent) const {
  if (extent.powers.size() == 1 &&
      extent == Extent::axis(extent.powers.begin()->first))
    if (auto known = sums.find(extent.powers.begin()->first);
        known != sums.end())
      return known->second;
  if (extent.number == 0)
    return {};
  return {extent};
}

/// Terms that differ by their number alone become one.
void Axes::addTerm(Terms &terms, const Extent &term) {
  for (Extent &known : terms)
    if (known.powers == term.powers) {
      known.number = known.number * term.divisor + term.number * known.divisor;
      known.divisor *= term.divisor;
      known.reduce();
      return;
    }
  terms.push_back(term);
}

Extent Axes::sum(const Extent &a, const Extent &b) {
  Terms total = terms(a);
  for (const Extent &term : terms(b))
    addTerm(total, term);
  joinDivisions(total);
  if (total.empty())
    return Extent(0);
  if (total.size() == 1)
    return total.front();
  // Named axes before numbers, in the order in which they became known.
  llvm::sort(total, [](const Extent &x, const Extent &y) {
    return x.powers.empty() != y.powers.empty() ? y.powers.empty() : x < y;
  });
  for (auto &[axis, known] : sums)
    if (known == total)
      return Extent::axis(axis);
  std::string name;
  Value sum;
  for (const Extent &term : total) {
    name += (name.empty() ? "(" : "+") + describe(term);
    Value next = value(term);
    sum = sum ? arith::AddIOp::create(top, top.getUnknownLoc(), sum, next)
                    .getResult()
              : next;
  }
  axes.emplace_back(name + ")", sum);
  sums[axes.size() - 1] = total;
  return Extent::axis(axes.size() - 1);
}

/// True if each of the terms is at most one that is `there`.
bool Axes::hold(const Terms &there, const Terms &needed) {
  return llvm::all_of(needed, [&](const Extent &term) {
    return term.number >= 0 && llvm::any_of(there, [&](const Extent &other) {
             return other.powers == term.powers &&
                    term.number * other.divisor <= other.number * term.divisor;
           });
  });
}

bool Axes::isWithin(const Extent &start, const Extent &size,
                    const Extent &whole) const {
  Terms needed = terms(start);
  for (const Extent &term : terms(size))
    addTerm(needed, term);
  return hold(terms(whole), needed) ||
         llvm::any_of(divisions, [&](const Division &division) {
           return division.whole == whole &&
                  hold({division.parts, division.rest}, needed);
         });
}

//===--- Roots and divisions ----------------------------------------------===//

Extent Axes::root(const Extent &extent) {
  if (std::optional<int64_t> number = extent.constant())
    return std::max<int64_t>(1, std::sqrt(double(*number)));
  return named("root(" + describe(extent) + ")", [&] {
    return createSquareRoot(top, top.getUnknownLoc(), value(extent));
  });
}

Extent Axes::rest(const Extent &whole, const Extent &part) {
  std::optional<int64_t> a = whole.constant(), b = part.constant();
  if (a && b && *b > 0)
    return *a % *b;
  for (const Division &division : divisions)
    if (division.whole == whole && division.part == part)
      return division.rest;
  std::string names = describe(whole), by = describe(part);
  Location loc = top.getUnknownLoc();
  Extent number = named("floor(" + names + "/" + by + ")", [&] {
    return arith::DivUIOp::create(top, loc, value(whole), value(part));
  });
  Extent rest = named("(" + names + "%" + by + ")", [&] {
    return arith::RemUIOp::create(top, loc, value(whole), value(part));
  });
  divisions.push_back({whole, part, number * part, rest});
  return rest;
}

std::optional<Extent> Axes::difference(const Extent &a, const Extent &b) const {
  std::optional<int64_t> x = a.constant(), y = b.constant();
  if (x && y && *x >= *y)
    return Extent(*x - *y);
  for (const Division &division : divisions)
    if (division.whole == a && division.rest == b)
      return division.parts;
  return std::nullopt;
}

/// All parts of a whole and its rest are the whole.
void Axes::joinDivisions(Terms &total) const {
  for (const Division &division : divisions) {
    if (!llvm::is_contained(total, division.parts) ||
        !llvm::is_contained(total, division.rest))
      continue;
    llvm::erase(total, division.parts);
    llvm::erase(total, division.rest);
    for (const Extent &term : terms(division.whole))
      addTerm(total, term);
  }
}

std::string Axes::describe(const Extent &extent) const {
  std::string text, divisors;
  auto append = [](std::string &to, const std::string &factor) {
    to += (to.empty() ? "" : "*") + factor;
  };
  if (extent.number != 1 || extent.powers.empty())
    append(text, std::to_string(extent.number));
  for (auto [axis, power] : extent.powers)
    for (int i = 0; i < std::abs(power); ++i)
      append(power > 0 ? text : divisors, axes[axis].first);
  if (extent.divisor != 1)
    append(divisors, std::to_string(extent.divisor));
  return divisors.empty() ? text : text + "/" + divisors;
}

Value Axes::product(const Extent &extent, bool denominator) {
  Location loc = top.getUnknownLoc();
  Value result;
  auto multiply = [&](Value factor) {
    result = result ? arith::MulIOp::create(top, loc, result, factor) : factor;
  };
  for (auto [axis, power] : extent.powers)
    for (int i = 0; i < (denominator ? -power : power); ++i)
      multiply(axes[axis].second);
  int64_t number = denominator ? extent.divisor : extent.number;
  if (number != 1 || !result)
    multiply(arith::ConstantIndexOp::create(top, loc, number));
  return result;
}

Value Axes::value(const Extent &extent) {
  Value &value = values[extent];
  if (value)
    return value;
  value = product(extent, false);
  bool divides = extent.divisor != 1 || llvm::any_of(extent.powers, [](auto p) {
                   return p.second < 0;
                 });
  if (divides)
    value = arith::DivUIOp::create(top, top.getUnknownLoc(), value,
                                   product(extent, true));
  return value;
}

OpFoldResult Axes::fold(const Extent &extent) {
  if (std::optional<int64_t> constant = extent.constant())
    return top.getIndexAttr(*constant);
  return value(extent);
}

SmallVector<OpFoldResult> Axes::fold(const SymbolicShape &shape) {
  return llvm::map_to_vector(
      shape, [&](const Extent &extent) { return fold(extent); });
}

Extent volume(const SymbolicShape &shape) {
  Extent product;
  for (const Extent &extent : shape)
    product = product * extent;
  return product;
}

} // namespace blocks
