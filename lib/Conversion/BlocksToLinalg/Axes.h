//===- Axes.h - Extents as products of named axes -------------------------===//
//
// Every extent of every tensor is known as a product: a number times named axes
// ("batch", "time"). So no shape is ever asked of an intermediate value, two
// extents can be compared, and memory can be planned by formula. The extent of
// a concatenation is a sum of such products, which gets a name of its own, as
// "(time+1)", and so do a difference, "(time - 1)", the root of an extent, and
// what an extent divided by another gives and leaves. A named axis has one SSA
// value, the memref.dim of the first source that has it.
//
// A difference may be negative: who makes a tensor of it requires that it is
// not (Lowering::require), and the runtime checks that before an entry runs.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_CONVERSION_BLOCKSTOLINALG_AXES_H
#define LIB_CONVERSION_BLOCKSTOLINALG_AXES_H

#include <mlir/IR/Builders.h>
#include <mlir/IR/OpDefinition.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace blocks {

/// A product number/divisor · axis^power …; a value type.
class Extent {
public:
  Extent(int64_t number = 1) : number(number) {}
  static Extent axis(unsigned id);

  Extent operator*(const Extent &other) const;
  Extent operator-() const { return *this * Extent(-1); }
  /// Exact division; the result need not be integral in form.
  Extent operator/(const Extent &other) const;
  bool operator==(const Extent &other) const = default;
  auto operator<=>(const Extent &other) const = default;

  /// The extent if no axis takes part.
  std::optional<int64_t> constant() const;
  /// True if it is a product without divisors.
  bool isWhole() const;

private:
  friend class Axes;
  Extent times(const Extent &other, int sign) const;
  void reduce();

  int64_t number, divisor = 1;
  std::map<unsigned, int> powers; ///< Axis → nonzero power.
};

using SymbolicShape = std::vector<Extent>;

/// The named axes of one function.
class Axes {
public:
  /// Extents are computed where `builder` stands now.
  explicit Axes(mlir::OpBuilder builder) : top(builder) {}

  /// From now on extents are computed after `op`.
  void placeAfter(mlir::Operation *op) { top.setInsertionPointAfter(op); }
  /// The axis `name`; `read` makes its value when it is new.
  Extent named(llvm::StringRef name, llvm::function_ref<mlir::Value()> read);
  /// The extent a + b: a number, a product, or an axis of its own, "(time+1)".
  Extent sum(const Extent &a, const Extent &b);
  /// a - b, likewise: "(time - 1)". Of a whole and its rest it is the parts.
  Extent difference(const Extent &a, const Extent &b);
  /// whole / part, rounded down: exact where all of the part's axes are axes of
  /// the whole, else an axis of its own, "(batch/4)".
  Extent quotient(const Extent &whole, const Extent &part);
  /// ⌊√extent⌋, at least 1: a number, or an axis of its own, "root(time)".
  Extent root(const Extent &extent);
  /// What is left of `whole` when parts of `part` elements are taken: a number,
  /// or an axis of its own, "(time%root(time))". quotient·part + rest is
  /// `whole`.
  Extent rest(const Extent &whole, const Extent &part);
  /// From now on the rest of that division is 0, so that quotient·part is the
  /// whole; false if nothing was divided so.
  bool assumeExact(const Extent &whole, const Extent &parts, Extent &rest);
  /// The extent with quotient·part written as the whole, of exact divisions.
  Extent simplified(const Extent &extent) const;
  /// True if it cannot be negative: no difference, nor a negative number.
  bool isNatural(const Extent &extent) const;
  /// True if it is at least 1 whatever the sources' extents are.
  bool isPositive(const Extent &extent) const;
  /// True if start + size is at most `whole` whatever the axes' extents are,
  /// since all of its terms are terms of it.
  bool isWithin(const Extent &start, const Extent &size,
                const Extent &whole) const;
  /// "batch", "time*batch", "128", "4*batch".
  std::string describe(const Extent &extent) const;
  /// The extent as an attribute if constant, else as a value at the top.
  mlir::OpFoldResult fold(const Extent &extent);
  mlir::Value value(const Extent &extent);
  llvm::SmallVector<mlir::OpFoldResult> fold(const SymbolicShape &shape);

private:
  using Terms = std::vector<Extent>;
  /// whole = parts + rest, where `parts` is number·part.
  struct Division {
    Extent whole, part, number, parts, rest;
    bool isExact = false;
  };

  mlir::Value product(const Extent &extent, bool denominator);
  Terms terms(const Extent &extent) const;
  static void addTerm(Terms &terms, const Extent &term);
  void joinDivisions(Terms &terms) const;
  static bool hold(Terms there, const Terms &needed);
  const Division &divide(const Extent &whole, const Extent &part);
  Extent ofTerms(Terms total);
  std::string nameOf(const Terms &terms) const;
  mlir::Value valueOf(const Terms &terms);

  mlir::OpBuilder top;
  std::vector<std::pair<std::string, mlir::Value>> axes;
  std::map<unsigned, Terms> sums; ///< Of the axes that are sums.
  std::set<unsigned> roots;       ///< The axes that are roots.
  std::vector<Division> divisions;
  std::map<Extent, mlir::Value> values;
};

/// The product of all extents.
Extent volume(const SymbolicShape &shape);

} // namespace blocks

#endif
