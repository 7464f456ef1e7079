//===- Axes.h - Extents as products of named axes -------------------------===//
//
// Every extent of every tensor is known as a product: a number times named axes
// ("batch", "time"). So no shape is ever asked of an intermediate value, two
// extents can be compared, and memory can be planned by formula. The extent of
// a concatenation is a sum of such products, which gets a name of its own, and
// so do the root of an extent and what an extent divided by another leaves. A
// named axis has one SSA value, the memref.dim of the first source that has it.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_CONVERSION_BLOCKSTOLINALG_AXES_H
#define LIB_CONVERSION_BLOCKSTOLINALG_AXES_H

#include <mlir/IR/Builders.h>
#include <mlir/IR/OpDefinition.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace blocks {

/// A product number/divisor · axis^power …; a value type.
class Extent {
public:
  Extent(int64_t number = 1) : number(number) {}
  static Extent axis(unsigned id);

  Extent operator*(const Extent &other) const;
  /// Exact division; the result need not be integral in form.
  Extent operator/(const Extent &other) const;
  bool operator==(const Extent &other) const = default;
  auto operator<=>(const Extent &other) const = default;

  /// The extent if no axis takes part.
  std::optional<int64_t> constant() const;

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
  /// ⌊√extent⌋, at least 1: a number, or an axis of its own, "root(time)".
  Extent root(const Extent &extent);
  /// What is left of `whole` when parts of `part` elements are taken: a number,
  /// or an axis of its own, "(time%root(time))". So is the number of parts, and
  /// number·part + rest is `whole`.
  Extent rest(const Extent &whole, const Extent &part);
  /// a - b where it is known: of numbers, and of a whole and its rest.
  std::optional<Extent> difference(const Extent &a, const Extent &b) const;
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
  /// whole = parts + rest, where `parts` is a product of two axes.
  struct Division {
    Extent whole, part, parts, rest;
  };

  mlir::Value product(const Extent &extent, bool denominator);
  Terms terms(const Extent &extent) const;
  static void addTerm(Terms &terms, const Extent &term);
  void joinDivisions(Terms &terms) const;
  static bool hold(const Terms &there, const Terms &needed);

  mlir::OpBuilder top;
  std::vector<std::pair<std::string, mlir::Value>> axes;
  std::map<unsigned, Terms> sums; ///< Of the axes that are sums.
  std::vector<Division> divisions;
  std::map<Extent, mlir::Value> values;
};

/// The product of all extents.
Extent volume(const SymbolicShape &shape);

} // namespace blocks

#endif
