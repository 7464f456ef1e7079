// H5PYDataset::Opener: what happens once, when a data set is opened: which
// sources the splits provide, which rows each stands for, and how to read them.
#pragma once

#include "fuel/Datasets/H5PYDataset.h"
#include "runtime/Base/MappedFile.h"

namespace fuel {

class H5PYDataset::Opener {
public:
  Opener(H5PYDataset &dataset, const H5PYDatasetOptions &options);
  void run();

private:
  void checkSplits() const;
  void findProvidedSources();
  void readAxisLabels();
  std::vector<std::string> chooseSources() const;
  void addSource(const std::string &name);
  blocks::hdf5::Dataset openSource(const std::string &name) const;
  RowSet rowsOf(const std::string &name, int64_t available) const;
  RowSet rowsOf(const std::string &split, const std::string &name,
                int64_t available) const;
  void checkLength(const std::string &name, int64_t length);
  std::unique_ptr<RowReader> makeReader(blocks::hdf5::Dataset stored,
                                        const Source &source, RowSet rows);
  std::unique_ptr<RowReader> load(const RowReader &reader, const Source &source,
                                  int64_t count) const;
  std::string where(const std::string &split, const std::string &source) const;

  H5PYDataset &dataset;
  const H5PYDatasetOptions &options;
  blocks::hdf5::File file;
  blocks::hdf5::Group root;
  SplitTable table;
  std::shared_ptr<const blocks::MappedFile> mapping;
  int64_t splitLength = 0; ///< Rows of each source, before the subset.
};

} // namespace fuel
