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

bool Extent::isWhole() const {
  return divisor == 1 &&
         llvm::all_of(powers, [](auto axis) { return axis.second > 0; });
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

/// Terms that differ by their number alone become one, or none.
void Axes::addTerm(Terms &terms, const Extent &term) {
  for (auto [i, known] : llvm::enumerate(terms)) {
    if (known.powers != term.powers)
      continue;
    known.number = known.number * term.divisor + term.number * known.divisor;
    known.divisor *= term.divisor;
    known.reduce();
    if (known.number == 0)
      terms.erase(terms.begin() + i);
    return;
  }
  terms.push_back(term);
}

std::string Axes::nameOf(const Terms &terms) const {
  std::string name;
  for (const Extent &term : terms) {
    bool isTaken = term.number < 0 && !name.empty();
    if (!name.empty())
      name += isTaken ? " - " : "+";
    name += describe(isTaken ? -term : term);
  }
  return name;
}

Value Axes::valueOf(const Terms &terms) {
  Location loc = top.getUnknownLoc();
  Value total;
  for (const Extent &term : terms) {
    bool isTaken = term.number < 0 && total;
    Value next = value(isTaken ? -term : term);
    if (!total)
      total = next;
    else if (isTaken)
      total = arith::SubIOp::create(top, loc, total, next);
    else
      total = arith::AddIOp::create(top, loc, total, next);
  }
  return total;
}

Extent Axes::sum(const Extent &a, const Extent &b) {
  Terms total = terms(a);
  for (const Extent &term : terms(b))
    addTerm(total, term);
  joinDivisions(total);
  return ofTerms(std::move(total));
}

/// The number, the product, or the axis that the terms are together.
Extent Axes::ofTerms(Terms total) {
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
  axes.emplace_back("(" + nameOf(total) + ")", valueOf(total));
  sums[axes.size() - 1] = total;
  return Extent::axis(axes.size() - 1);
}

Extent Axes::difference(const Extent &a, const Extent &b) {
  for (const Division &division : divisions)
    if (division.whole == a && division.rest == b)
      return division.parts;
  Terms total = terms(a);
  for (const Extent &term : terms(b))
    addTerm(total, -term);
  return ofTerms(std::move(total));
}

bool Axes::isNatural(const Extent &extent) const {
  auto isNegative = [](const Extent &term) { return term.number < 0; };
  return !isNegative(extent) && llvm::none_of(extent.powers, [&](auto axis) {
    auto known = sums.find(axis.first);
    return known != sums.end() && llvm::any_of(known->second, isNegative);
  });
}

bool Axes::isPositive(const Extent &extent) const {
  return extent.number > 0 && llvm::all_of(extent.powers, [&](auto axis) {
           if (roots.count(axis.first))
             return true;
           auto known = sums.find(axis.first);
           return known != sums.end() &&
                  llvm::all_of(known->second,
                               [&](auto &term) { return isNatural(term); }) &&
                  llvm::any_of(known->second,
                               [](auto &term) { return term.powers.empty(); });
         });
}

/// True if nothing is negative when the needed terms are taken from those that
/// are there.
bool Axes::hold(Terms there, const Terms &needed) {
  for (const Extent &term : needed)
    addTerm(there, -term);
  return llvm::all_of(there,
                      [](const Extent &rest) { return rest.number > 0; });
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
  Extent root = named("root(" + describe(extent) + ")", [&] {
    return createSquareRoot(top, top.getUnknownLoc(), value(extent));
  });
  roots.insert(root.powers.begin()->first);
  return root;
}

const Axes::Division &Axes::divide(const Extent &whole, const Extent &part) {
  for (const Division &division : divisions)
    if (division.whole == whole && division.part == part)
      return division;
  std::string names = describe(whole), by = describe(part);
  Location loc = top.getUnknownLoc();
  Extent number = named("(" + names + "/" + by + ")", [&] {
    return arith::DivUIOp::create(top, loc, value(whole), value(part));
  });
  Extent rest = named("(" + names + "%" + by + ")", [&] {
    return arith::RemUIOp::create(top, loc, value(whole), value(part));
  });
  divisions.push_back({whole, part, number, number * part, rest});
  return divisions.back();
}

Extent Axes::quotient(const Extent &whole, const Extent &part) {
  if (Extent exact = whole / part; exact.isWhole())
    return exact;
  std::optional<int64_t> a = whole.constant(), b = part.constant();
  return a && b ? Extent(*a / *b) : divide(whole, part).number;
}

Extent Axes::rest(const Extent &whole, const Extent &part) {
  if ((whole / part).isWhole())
    return 0;
  std::optional<int64_t> a = whole.constant(), b = part.constant();
  return a && b ? Extent(*a % *b) : divide(whole, part).rest;
}

bool Axes::assumeExact(const Extent &whole, const Extent &parts, Extent &rest) {
  for (Division &division : divisions)
    if (division.whole == whole && division.parts == parts) {
      division.isExact = true;
      rest = division.rest;
      return true;
    }
  return false;
}

Extent Axes::simplified(const Extent &extent) const {
  for (const Division &division : divisions)
    if (division.isExact)
      if (Extent others = extent / division.parts; others.isWhole())
        return simplified(others * division.whole);
  return extent;
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
