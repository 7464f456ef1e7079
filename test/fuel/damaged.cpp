// Damaged: truncated and altered HDF5 files give an error that names the file,
// or the right data; never a crash.
#include "blocks/Error.h"
#include "fuel/Mt19937.h"
#include "fuel/OpenStream.h"
#include "test/fuel/Reference.h"

#include <filesystem>

using namespace fuel;
namespace fs = std::filesystem;

static std::string contents(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

static void write(const fs::path &path, const std::string &bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

/// One epoch's data, hashed.
static std::string read(const std::string &path, const std::string &split) {
  StreamOptions options;
  options.file = path;
  options.split = split;
  options.scheme = "sequential";
  options.prefetch = false;
  auto stream = openStream(options);
  blocks::Sha256 hash;
  Batch batch;
  stream->startEpoch();
  while (stream->next(batch))
    for (const blocks::Array &array : batch.sources)
      hash.update(array.data(), array.bytes());
  return hash.hex();
}

static void truncated(const fs::path &original, const fs::path &dir,
                      const std::string &split) {
  std::string whole = contents(original);
  std::string path = dir / "cut.hdf5", expected = read(original, split);
  Mt19937 random(7);
  int errors = 0;
  for (int i = 0; i < 200; ++i) {
    // Half of the cuts among the headers.
    size_t limit = i % 2 ? whole.size() : std::min<size_t>(whole.size(), 4096);
    write(path, whole.substr(0, random.interval(limit - 1)));
    try {
      CHECK_EQ(read(path, split), expected);
    } catch (const blocks::Error &error) {
      ++errors;
      CHECK_CONTAINS(error.what(), path);
    }
  }
  CHECK_EQ(errors, 200); // HDF5 knows the length, so every cut is told.
}

// Altered bytes may give wrong data (nothing guards them) or an error; a crash
// would end this program.
static void altered(const fs::path &original, const fs::path &dir,
                    const std::string &split) {
  std::string whole = contents(original), path = dir / "altered.hdf5";
  Mt19937 random(11);
  for (int i = 0; i < 300; ++i) {
    std::string bytes = whole;
    size_t limit = std::min<size_t>(bytes.size(), 4096);
    for (int k = 0; k < 4; ++k)
      bytes[random.interval(limit - 1)] = char(random.next());
    write(path, bytes);
    try {
      read(path, split);
    } catch (const std::exception &error) {
      CHECK(*error.what());
    }
  }
}

int main(int, char **argv) {
  fs::path dir = argv[1], data = argv[2];
  truncated(data / "mnist_small.hdf5", dir, "train");
  truncated(data / "cases/c23_big_index.hdf5", dir, "train");
  altered(data / "cases/c01_rows.hdf5", dir, "train");
  altered(data / "cases/c02_index_order.hdf5", dir, "train");
  return checkSummary();
}
