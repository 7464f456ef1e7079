// Large: a file ten times as large as the memory that the process may have is
// read in any order. Only the mapping touches the file, and its pages belong to
// the system's cache, not to the process.
#include "fuel/Hdf5/SplitTable.h"
#include "fuel/OpenStream.h"
#include "fuel/Streams.h"
#include "test/Check.h"

#include <cstring>
#include <fstream>
#include <sys/resource.h>

using namespace fuel;

constexpr int64_t rows = 400000, rowBytes = 784, every = 1000;
constexpr int64_t allowed = rows * rowBytes / 10;

/// Mostly a hole: row i holds its number where `every` divides it.
static void makeFile(const std::string &path) {
  auto file = blocks::hdf5::File::create(path);
  {
    blocks::hdf5::Group root = file.root();
    auto data = root.createDataset("x", blocks::DType::UInt8, {rows, rowBytes});
    std::vector<uint8_t> row(rowBytes);
    for (int64_t i = 0; i < rows; i += every) {
      std::memcpy(row.data(), &i, sizeof i);
      data.writeRows(i, 1, row.data());
    }
    SplitTable({{"train", "x", 0, rows}}).write(root);
  }
  file.close();
}

/// Kilobytes that a line of /proc/self/status gives.
static int64_t statusOf(const std::string &name) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == name + ":") {
      int64_t value = 0;
      status >> value;
      return value;
    }
  return -1;
}

int main(int, char **argv) {
  std::string path = std::string(argv[1]) + "/large.hdf5";
  makeFile(path);
  int64_t before = statusOf("VmData") * 1024;
  rlimit limit{rlim_t(before + allowed), rlim_t(before + allowed)};
  CHECK(::setrlimit(RLIMIT_DATA, &limit) == 0);

  StreamOptions options;
  options.file = path;
  auto stream = openStream(options);
  Batch batch;
  int64_t examples = 0, marked = 0;
  stream->startEpoch();
  while (stream->next(batch)) {
    examples += batch.examples;
    for (int64_t i = 0; i < batch.examples; ++i) {
      int64_t found = 0, row = batch.request[size_t(i)];
      std::memcpy(&found, batch.sources[0].data() + i * rowBytes, sizeof found);
      CHECK_EQ(found, row % every == 0 ? row : 0);
      marked += found != 0;
    }
  }
  CHECK_EQ(examples, rows);
  CHECK_EQ(marked, rows / every - 1);
  CHECK(statusOf("RssAnon") * 1024 < allowed);

  // What does not fit is an error that says what to do.
  H5PYDatasetOptions inMemory;
  inMemory.file = path;
  inMemory.whichSets = {"train"};
  inMemory.loadInMemory = true;
  CHECK_THROWS(openH5PYDataset(inMemory), "does not fit into memory");
  std::remove(path.c_str());
  return checkSummary();
}
