// RowSet: the rows of a source that a dataset stands for, with Fuel's algebra:
// index lists are sorted and de-duplicated, a contiguous run is a slice, and
// joining sets never depends on their order. A set made with Order::Kept has
// none of that: its rows stay as they were given.
#pragma once

#include "fuel/Dataset.h"

#include <string>
#include <vector>

namespace fuel {

class RowSet {
public:
  enum class Order { Sorted, Kept };
  /// No rows.
  RowSet() = default;
  /// Rows [start, stop) of a source that has `available` rows. `where` names
  /// file, split and source for the InputError.
  static RowSet slice(int64_t start, int64_t stop, int64_t available,
                      const std::string &where);
  static RowSet list(std::vector<int64_t> rows, int64_t available,
                     const std::string &where, Order order = Order::Sorted);

  /// All rows of both; with Order::Kept these and then those of `other`.
  RowSet unite(const RowSet &other, Order order = Order::Sorted) const;
  /// Those of this set at the positions that `subset` names.
  RowSet select(const Subset &subset, const std::string &where,
                Order order = Order::Sorted) const;

  int64_t size() const {
    return isSlice() ? stopRow - startRow : int64_t(rows.size());
  }
  bool isSlice() const { return rows.empty(); }
  int64_t start() const { return startRow; }
  int64_t stop() const { return stopRow; }
  /// The rows, if not a slice.
  const std::vector<int64_t> &list() const { return rows; }
  /// "0..60000", or the length and a checksum of a list.
  std::string describe() const;
  int64_t operator[](int64_t i) const {
    return isSlice() ? startRow + i : rows[size_t(i)];
  }

private:
  /// A slice if the rows follow each other.
  static RowSet fromRows(std::vector<int64_t> rows);
  std::vector<int64_t> asList() const;
  int64_t startRow = 0, stopRow = 0;
  std::vector<int64_t> rows;
};

} // namespace fuel
