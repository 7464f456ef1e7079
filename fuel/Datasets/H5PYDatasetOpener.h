// H5PYDataset::Opener: what happens once, when a data set is opened: which
// sources the splits provide, which rows each stands for, and how to read them.
#pragma once

#include "fuel/Datasets/H5PYDataset.h"

namespace fuel {

class H5PYDataset::Opener {
public:
  Opener(H5PYDataset &dataset, const H5PYDatasetOptions &options);
  void run();

private:
  void readFile();
  void checkSplits() const;
  void findProvidedSources();
  void readAxisLabels();
  std::vector<std::string> chooseSources() const;
  const Catalog::Source &sourceOf(const std::string &name) const;
  void addSource(const std::string &name);
  RowSet rowsOf(const std::string &name, int64_t available) const;
  RowSet rowsOf(const std::string &split, const std::string &name,
                int64_t available) const;
  void checkLength(const std::string &name, int64_t length);
  void addFixed(const Catalog::Source &stored, RowSet rows);
  void addRagged(const Catalog::Source &stored, RowSet rows);
  std::unique_ptr<RowReader> load(const RowReader &reader, const Source &source,
                                  int64_t count) const;
  std::unique_ptr<RaggedReader> load(const RaggedReader &reader,
                                     int64_t count) const;
  std::string where(const std::string &source) const;
  std::string where(const std::string &split, const std::string &source) const;

  H5PYDataset &dataset;
  const H5PYDatasetOptions &options;
  RowSet::Order order;
  OpenedFile file;
  Catalog catalog;
  int64_t splitLength = 0; ///< Rows of each source, before the subset.
};

} // namespace fuel
