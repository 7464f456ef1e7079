// Dataset: a number of examples, each with a value per source, that any request
// can reach. Datasets hold no position; streams do. `openH5PYDataset` opens a
// file in Fuel's HDF5 format (interface 0.3, and the older ones).
#pragma once

#include "fuel/DataStream.h"

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace fuel {

class Dataset {
public:
  virtual ~Dataset() = default;

  /// What a batch holds, in the order of its arrays; axis 0 is -1.
  virtual const std::vector<SourceInfo> &sources() const = 0;
  /// Sources that could be asked for, in alphabetical order.
  virtual const std::vector<std::string> &providesSources() const = 0;
  /// Labels of the axes of every source, also of those not asked for.
  virtual const std::map<std::string, std::vector<std::string>> &
  axisLabels() const = 0;
  virtual int64_t numExamples() const = 0;

  /// Requests. Rows count from 0 within the dataset and may repeat and come in
  /// any order. `batch` is filled and its storage reused. InputError for no
  /// rows, or rows outside 0 … numExamples-1.
  virtual void getRows(std::span<const int64_t> rows, Batch &batch) const = 0;
  /// Rows [start, stop); not empty.
  virtual void getSlice(int64_t start, int64_t stop, Batch &batch) const = 0;
  /// One example, without the batch axis.
  virtual void getExample(int64_t row, Batch &batch) const = 0;

  /// Where row `row` lies in memory, as arrays of one row, if it does: false
  /// otherwise. As `getRows` for one row, without the copy.
  virtual bool viewRow(int64_t, std::vector<blocks::ArrayView> &) const {
    return false;
  }

  /// Identifies the data: sizes, types, rows and a sample of the contents, but
  /// not the file's name.
  virtual std::string fingerprint() const = 0;
  /// Whether requests may run in any thread, and in several at once.
  virtual bool usableFromAnyThread() const { return true; }
};

/// Rows of a dataset: all of [start, stop), or a list (sorted and
/// de-duplicated, as Fuel does, unless order is to be preserved). An absent
/// stop means the end.
struct RowSlice {
  int64_t start = 0;
  std::optional<int64_t> stop;
};
using Subset = std::variant<RowSlice, std::vector<int64_t>>;

struct H5PYDatasetOptions {
  std::string file;
  /// Names of splits; their rows are joined, in the order of the file's rows.
  std::vector<std::string> whichSets;
  /// In this order; all that the splits provide, alphabetically, if absent.
  std::optional<std::vector<std::string>> sources;
  /// Keeps the rows of splits by index in the index's order, repeated ones too,
  /// and joins splits in the order of `whichSets`. Fuel sorts them and drops
  /// repetitions, which is the default, so that files read alike.
  bool preserveOrder = false;
  /// Within the splits' rows. An empty list means everything.
  std::optional<Subset> subset;
  /// Reads the rows once into memory.
  bool loadInMemory = false;
};

/// Throws blocks::Error naming the file, split, source and numbers.
std::unique_ptr<Dataset> openH5PYDataset(const H5PYDatasetOptions &options);

} // namespace fuel
