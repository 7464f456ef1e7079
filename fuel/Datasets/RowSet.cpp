// RowSet: see RowSet.h.
#include "fuel/Datasets/RowSet.h"

#include "blocks/Error.h"
#include "fuel/IterationScheme.h"

#include <algorithm>
#include <numeric>

namespace fuel {

static void checkSlice(int64_t start, int64_t stop, int64_t available,
                       const std::string &where) {
  std::string rows =
      "rows " + std::to_string(start) + " to " + std::to_string(stop);
  if (start < 0 || stop < 0)
    throw blocks::InputError(where + ": " + rows +
                             " are negative; expected a range within 0 to " +
                             std::to_string(available));
  if (start > stop)
    throw blocks::InputError(where + ": " + rows +
                             " end before they begin; expected start <= stop");
  if (stop > available || start >= available)
    throw blocks::InputError(where + ": " + rows +
                             " were asked for, but only " +
                             std::to_string(available) + " rows exist");
}

RowSet RowSet::slice(int64_t start, int64_t stop, int64_t available,
                     const std::string &where) {
  checkSlice(start, stop, available, where);
  RowSet set;
  set.startRow = start;
  set.stopRow = stop;
  return set;
}

RowSet RowSet::list(std::vector<int64_t> rows, int64_t available,
                    const std::string &where, Order order) {
  for (int64_t row : rows)
    if (row < 0 || row >= available)
      throw blocks::InputError(where + ": row " + std::to_string(row) +
                               " is outside 0 to " +
                               std::to_string(available - 1));
  if (order == Order::Sorted) {
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  }
  return fromRows(std::move(rows));
}

static bool areConsecutive(const std::vector<int64_t> &rows) {
  for (size_t i = 1; i < rows.size(); ++i)
    if (rows[i] != rows[i - 1] + 1)
      return false;
  return true;
}

RowSet RowSet::fromRows(std::vector<int64_t> rows) {
  RowSet set;
  if (rows.empty())
    return set;
  if (areConsecutive(rows)) {
    set.startRow = rows.front();
    set.stopRow = rows.back() + 1;
  } else {
    set.rows = std::move(rows);
  }
  return set;
}

std::vector<int64_t> RowSet::asList() const {
  if (!isSlice())
    return rows;
  std::vector<int64_t> all(size_t(stopRow - startRow));
  std::iota(all.begin(), all.end(), startRow);
  return all;
}

RowSet RowSet::unite(const RowSet &other, Order order) const {
  if (size() == 0)
    return other;
  if (other.size() == 0)
    return *this;
  if (order == Order::Kept) {
    std::vector<int64_t> all = asList(), theirs = other.asList();
    all.insert(all.end(), theirs.begin(), theirs.end());
    return fromRows(std::move(all));
  }
  bool touch =
      isSlice() && other.isSlice() &&
      std::max(startRow, other.startRow) <= std::min(stopRow, other.stopRow);
  if (touch) {
    RowSet set;
    set.startRow = std::min(startRow, other.startRow);
    set.stopRow = std::max(stopRow, other.stopRow);
    return set;
  }
  std::vector<int64_t> mine = asList(), theirs = other.asList(), all;
  std::set_union(mine.begin(), mine.end(), theirs.begin(), theirs.end(),
                 std::back_inserter(all));
  return fromRows(std::move(all));
}

RowSet RowSet::select(const Subset &subset, const std::string &where,
                      Order order) const {
  std::vector<int64_t> positions;
  if (const auto *range = std::get_if<RowSlice>(&subset)) {
    int64_t stop = range->stop.value_or(size());
    checkSlice(range->start, stop, size(), where);
    if (isSlice())
      return slice(startRow + range->start, startRow + stop, stopRow, where);
    return fromRows({rows.begin() + range->start, rows.begin() + stop});
  }
  positions = std::get<std::vector<int64_t>>(subset);
  if (positions.empty())
    return *this;
  RowSet chosen = list(positions, size(), where, order);
  std::vector<int64_t> result;
  for (int64_t i = 0; i < chosen.size(); ++i)
    result.push_back((*this)[chosen[i]]);
  return fromRows(std::move(result));
}

std::string RowSet::describe() const {
  if (isSlice())
    return std::to_string(startRow) + ".." + std::to_string(stopRow);
  return Examples(rows).describe();
}

} // namespace fuel
