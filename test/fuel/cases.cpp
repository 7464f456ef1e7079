// Cases: small files that each show one difficulty of the format, and what a
// user needs of them.
#include "test/fuel/Reference.h"

#include <chrono>
#include <thread>

using namespace fuel;
using Strings = std::vector<std::string>;

struct Files {
  std::string folder;
  std::unique_ptr<Dataset> open(const char *file, Strings splits,
                                std::optional<Strings> sources = std::nullopt,
                                bool loadInMemory = false) const {
    H5PYDatasetOptions options;
    options.file = folder + "/" + file;
    options.whichSets = std::move(splits);
    options.sources = std::move(sources);
    options.loadInMemory = loadInMemory;
    return openH5PYDataset(options);
  }
};

/// A source's rows as numbers.
static std::vector<int64_t> numbers(const blocks::Array &array) {
  std::vector<int64_t> result;
  for (int64_t i = 0; i < array.size(); ++i)
    result.push_back(
        array.dtype() == blocks::DType::Int64   ? array.as<int64_t>()[i]
        : array.dtype() == blocks::DType::Int32 ? array.as<int32_t>()[i]
                                                : array.as<uint8_t>()[i]);
  return result;
}

static std::vector<int64_t> all(const Dataset &dataset, size_t source = 0) {
  Batch batch;
  dataset.getSlice(0, dataset.numExamples(), batch);
  return numbers(batch.sources[source]);
}

using Rows = std::vector<int64_t>;

static void rowsMayRepeat(const Files &files) {
  for (bool inMemory : {false, true}) {
    auto dataset = files.open("c01_rows.hdf5", {"train"}, {}, inMemory);
    Batch batch;
    dataset->getRows(Rows{3, 3, 1}, batch);
    CHECK(numbers(batch.sources[0]) == (Rows{30, 30, 10}));
  }
}

static void indicesAreSortedAndUnique(const Files &files) {
  auto dataset = files.open("c02_index_order.hdf5", {"train"});
  CHECK_EQ(dataset->numExamples(), 3);
  CHECK(all(*dataset, 0) == (Rows{20, 70, 90}));
  CHECK(all(*dataset, 1) == (Rows{2, 7, 9}));
}

static void orderCanBePreserved(const Files &files) {
  H5PYDatasetOptions options;
  options.file = files.folder + "/c02_index_order.hdf5";
  options.whichSets = {"train"};
  options.preserveOrder = true;
  for (bool inMemory : {false, true}) {
    options.loadInMemory = inMemory;
    auto dataset = openH5PYDataset(options);
    CHECK_EQ(dataset->numExamples(), 4);
    CHECK(all(*dataset, 0) == (Rows{70, 20, 20, 90}));
    CHECK(all(*dataset, 1) == (Rows{7, 2, 2, 9}));
  }
  options.subset = Rows{3, 0, 0};
  CHECK(all(*openH5PYDataset(options), 1) == (Rows{9, 7, 7}));
}

static void disjointSources(const Files &files) {
  CHECK_THROWS(files.open("c03_disjoint_sources.hdf5", {"A", "B", "C"}),
               "have no source in common");
  CHECK_THROWS(files.open("c03_disjoint_sources.hdf5", {"A", "B"}),
               "'A', 'B' of");
  CHECK_EQ(files.open("c03_disjoint_sources.hdf5", {"B", "C"})->numExamples(),
           6);
}

static void manySplits(const Files &files) {
  auto dataset = files.open("c06_many_splits.hdf5", {"fold_0599"});
  CHECK_EQ(dataset->sources().size(), 4u);
  for (size_t i = 0; i < 4; ++i)
    CHECK(all(*dataset, i) == (Rows{599}));
}

static void labelsOfShapesAreOptional(const Files &files) {
  for (bool inMemory : {false, true}) {
    auto dataset = files.open("c07_vlen_no_labels.hdf5", {"all"}, {}, inMemory);
    CHECK(dataset->axisLabels().at("x") == (Strings{"batch", "", ""}));
    Batch batch;
    dataset->getSlice(0, 3, batch);
    CHECK(numbers(batch.sources[0]) ==
          (Rows{0, 1, 0, 1, 2, 3, 0, 1, 2, 3, 4, 5}));
    CHECK(batch.items[0].shapes == (Rows{1, 2, 2, 2, 3, 2}));
    CHECK(batch.items[0].offsets == (Rows{0, 2, 6, 12}));
    dataset->getRows(Rows{2, 0, 2}, batch);
    CHECK(batch.items[0].shapes == (Rows{3, 2, 1, 2, 3, 2}));
    dataset->getExample(1, batch);
    CHECK(batch.sources[0].shape() == (blocks::Shape{2, 2}));
    CHECK(numbers(batch.sources[0]) == (Rows{0, 1, 2, 3}));
  }
}

static void diagnostics(const Files &files) {
  CHECK_THROWS(files.open("c18a_stop_beyond.hdf5", {"train"}),
               "c18a_stop_beyond.hdf5', split 'train', source 'x': rows 0 to 6 "
               "were asked for, but only 5 rows exist");
  CHECK_THROWS(files.open("c18b_missing_dataset.hdf5", {"train"}),
               "names the source 'y'");
  CHECK_EQ(files.open("c18b_missing_dataset.hdf5", {"train"}, Strings{"x"})
               ->numExamples(),
           5);
  CHECK_THROWS(files.open("c18c_no_split.hdf5", {"train"}),
               "has no attribute 'split'");
  CHECK_THROWS(files.open("c17_minus_one.hdf5", {"train"}),
               "rows -1 to -1 are negative");
}

static void partialLabels(const Files &files) {
  auto dataset = files.open("c19_partial_labels.hdf5", {"train"});
  CHECK(dataset->axisLabels().at("x") == (Strings{"batch", "", "feature"}));
}

static void bigIndex(const Files &files) {
  auto start = std::chrono::steady_clock::now();
  auto dataset = files.open("c23_big_index.hdf5", {"train"});
  std::chrono::duration<double> taken =
      std::chrono::steady_clock::now() - start;
  CHECK(taken.count() < 5); // Element by element it takes 25 s.
  CHECK_EQ(dataset->numExamples(), 100000);
  Batch batch;
  dataset->getRows(Rows{0, 1, 77777, 99999}, batch);
  Rows found = numbers(batch.sources[0]);
  CHECK(found == (Rows{0, 2, 155554, 199998}));
}

/// Several threads ask one dataset, whose chunks and heap they share.
static void severalThreads(const std::string &path) {
  H5PYDatasetOptions options;
  options.file = path;
  options.whichSets = {"train"};
  auto dataset = openH5PYDataset(options);
  auto epoch = [&] {
    ShuffledScheme scheme(dataset->numExamples(), 6, 5);
    blocks::Sha256 hash;
    Batch batch;
    for (int times = 0; times < 20; ++times) {
      scheme.startEpoch();
      for (Rows rows; scheme.next(rows);) {
        dataset->getRows(rows, batch);
        for (const blocks::Array &array : batch.sources)
          hash.update(array.data(), array.bytes());
      }
    }
    return hash.hex();
  };
  std::string expected = epoch();
  std::vector<std::string> found(4);
  std::vector<std::thread> threads;
  for (std::string &each : found)
    threads.emplace_back([&each, &epoch] { each = epoch(); });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &each : found)
    CHECK_EQ(each, expected);
}

int main(int, char **argv) {
  Files files{std::string(argv[2]) + "/cases"};
  rowsMayRepeat(files);
  indicesAreSortedAndUnique(files);
  orderCanBePreserved(files);
  disjointSources(files);
  manySplits(files);
  labelsOfShapesAreOptional(files);
  diagnostics(files);
  partialLabels(files);
  bigIndex(files);
  severalThreads(std::string(argv[2]) + "/storage/earliest.hdf5");
  return checkSummary();
}
