// H5PYDataset: a data set in Fuel's HDF5 format. Opening reads the file's
// catalog once; afterwards everything comes from a mapping of the file, so that
// neither HDF5's lock nor its faults matter while training.
#pragma once

#include "fuel/Datasets/RaggedRows.h"
#include "fuel/Hdf5/Catalog.h"

namespace fuel {

class H5PYDataset : public Dataset {
public:
  explicit H5PYDataset(const H5PYDatasetOptions &options);

  const std::vector<SourceInfo> &sources() const override { return infos; }
  const std::vector<std::string> &providesSources() const override {
    return provided;
  }
  const std::map<std::string, std::vector<std::string>> &
  axisLabels() const override {
    return labels;
  }
  int64_t numExamples() const override { return examples; }
  void getRows(std::span<const int64_t> rows, Batch &batch) const override;
  void getSlice(int64_t start, int64_t stop, Batch &batch) const override;
  void getExample(int64_t row, Batch &batch) const override;
  bool viewRow(int64_t row,
               std::vector<blocks::ArrayView> &views) const override;
  std::string fingerprint() const override;

private:
  struct Source {
    // One of them.
    std::unique_ptr<RowReader> reader;
    std::unique_ptr<RaggedReader> ragged;
    blocks::DType dtype = blocks::DType::UInt8;
    blocks::Shape item; ///< Shape of one row of fixed size.
  };
  class Opener;
  void checkRow(int64_t row) const;
  template <typename Fill> void fill(Batch &batch, Fill fillSource) const;

  std::string file;
  uint64_t fileBytes = 0;
  std::vector<std::string> splits;
  std::vector<std::string> provided;
  std::map<std::string, std::vector<std::string>> labels;
  std::vector<SourceInfo> infos;
  std::vector<Source> readers;
  std::string rowsText; ///< Which rows of which source, for the fingerprint.
  int64_t examples = 0;
};

} // namespace fuel
