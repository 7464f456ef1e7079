// Damaged: truncated and altered HDF5 files of every kind give an error that
// names the file, or data; never a crash of the process that asked.
//
//   test-fuel-damaged SCRATCH DATA [MUTATIONS [SEED]]
//
// The suite runs a few hundred mutations; the long form is documented in
// docs/fuel.md. Each batch of mutations runs in a child of its own, which
// stands for a training process: a signal that ends it is a failure, and the
// file that did it is kept.
#include "blocks/Error.h"
#include "fuel/FileInfo.h"
#include "fuel/Mt19937.h"
#include "fuel/OpenStream.h"
#include "test/fuel/Isolated.h"
#include "test/fuel/Reference.h"

#include <cstdlib>
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

//===-- Truncation --------------------------------------------------------===//

static void truncated(const fs::path &original, const fs::path &dir,
                      const std::string &split) {
  std::string whole = contents(original);
  std::string path = dir / "cut.hdf5", expected = read(original, split);
  Mt19937 random(7);
  int errors = 0;
  constexpr int cuts = 30;
  for (int i = 0; i < cuts; ++i) {
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
  CHECK_EQ(errors, cuts); // HDF5 knows the length, so every cut is told.
}

//===-- Alteration --------------------------------------------------------===//

struct Kind {
  const char *file, *split;
};
/// Fixed, ragged with and without shapes, texts, all types, index splits, many
/// splits in new headers, compressed chunks, old tables (made by h5py:
/// see storage/make.py).
static const Kind kinds[] = {{"mnist_small.hdf5", "train"},
                             {"vlen_images.hdf5", "third"},
                             {"vlen_sequences.hdf5", "train"},
                             {"vlen_no_labels.hdf5", "all"},
                             {"text_corpus.hdf5", "test"},
                             {"nmt_pairs.hdf5", "train"},
                             {"dtypes.hdf5", "train"},
                             {"index_split.hdf5", "train"},
                             {"cases/c01_rows.hdf5", "train"},
                             {"cases/c02_index_order.hdf5", "train"},
                             {"cases/c06_many_splits.hdf5", "fold_0599"},
                             {"cases/c19_partial_labels.hdf5", "train"},
                             {"cases/c23_big_index.hdf5", "train"},
                             {"storage/earliest.hdf5", "train"},
                             {"storage/latest.hdf5", "train"},
                             {"storage/old_table.hdf5", "train"}};

/// Where structure is: runs of bytes that are not elements are likelier to
/// break something, so places near signatures are preferred.
static std::vector<size_t> structurePlaces(const std::string &bytes) {
  std::vector<size_t> places;
  for (const char *signature :
       {"\x89HDF", "GCOL", "TREE", "HEAP", "SNOD", "OHDR", "FRHP", "FHDB",
        "BTHD", "BTLF", "FADB", "EAHD", "OCHK"})
    for (size_t at = bytes.find(signature); at != std::string::npos;
         at = bytes.find(signature, at + 4))
      places.push_back(at);
  return places;
}

/// One of: random bytes, a flipped bit, an extreme number, a run of zeros, a
/// swap of two pieces, a cut.
static std::string mutate(std::string bytes, const std::vector<size_t> &places,
                          Mt19937 &random) {
  auto place = [&]() -> size_t {
    size_t last = bytes.size() - 1;
    switch (random.interval(2)) {
    case 0:
      return random.interval(last);
    case 1:
      return random.interval(std::min<size_t>(last, 4095));
    default:
      return std::min<size_t>(last, places[random.interval(places.size() - 1)] +
                                        random.interval(127));
    }
  };
  auto put = [&](size_t at, uint64_t value, size_t width) {
    for (size_t k = 0; k < width && at + k < bytes.size(); ++k)
      bytes[at + k] = char(value >> (8 * k));
  };
  static constexpr uint64_t extremes[] = {0,
                                          1,
                                          0x7f,
                                          0xff,
                                          0xffff,
                                          0x7fffffff,
                                          0xffffffff,
                                          ~uint64_t(0),
                                          ~uint64_t(0) >> 1,
                                          uint64_t(1) << 40};
  for (uint64_t count = 1 + random.interval(3); count-- > 0;) {
    switch (random.interval(6)) {
    case 0:
    case 1:
      bytes[place()] = char(random.next());
      break;
    case 2:
      bytes[place()] ^= char(1 << random.interval(7));
      break;
    case 3:
      put(place(), extremes[random.interval(std::size(extremes) - 1)],
          size_t(1) << random.interval(3));
      break;
    case 4:
      for (size_t at = place(), end = at + 1 + random.interval(31);
           at < std::min(end, bytes.size()); ++at)
        bytes[at] = 0;
      break;
    case 5:
      for (size_t a = place(), b = place(), k = 0; k < 16; ++k)
        if (a + k < bytes.size() && b + k < bytes.size())
          std::swap(bytes[a + k], bytes[b + k]);
      break;
    default:
      bytes.resize(std::max<size_t>(1, place()));
      return bytes;
    }
  }
  return bytes;
}

/// What came of the mutations.
struct Tally {
  int data = 0, errors = 0, unnamed = 0, isolated = 0;
  void add(const Tally &part) {
    data += part.data;
    errors += part.errors;
    unnamed += part.unnamed;
    isolated += part.isolated;
  }
};

/// Reads all of an altered file, as a training process would.
static void tryFile(const std::string &path, const std::string &split,
                    Tally &tally) {
  try {
    readFileInfo(path);
    read(path, split);
    ++tally.data;
  } catch (const std::exception &error) {
    std::string text = error.what();
    ++tally.errors;
    tally.isolated += text.find("in a process of its own") != std::string::npos;
    if (text.find(path) == std::string::npos && ++tally.unnamed <= 3)
      std::fprintf(stderr, "the file is not named: %s\n", text.c_str());
  }
}

/// Runs mutations [first, last) of one file; in the child.
static void runMutations(const std::string &whole, const Kind &kind,
                         const std::string &path, uint64_t seed, int first,
                         int last, Tally &tally) {
  std::vector<size_t> places = structurePlaces(whole);
  for (int i = first; i < last; ++i) {
    Mt19937 random(seed * 1000003 + uint64_t(i));
    write(path, mutate(whole, places, random));
    tryFile(path, kind.split, tally);
  }
}

static void altered(const fs::path &data, const fs::path &dir, int total,
                    uint64_t seed) {
  Tally tally;
  int each = (total + int(std::size(kinds)) - 1) / int(std::size(kinds));
  for (const Kind &kind : kinds) {
    std::string whole = contents(data / kind.file);
    std::string path = dir / "altered.hdf5";
    constexpr int atOnce = 50;
    for (int first = 0; first < each; first += atOnce) {
      int last = std::min(first + atOnce, each);
      Tally part;
      int signal = isolated::run(part, [&](Tally &counts) {
        runMutations(whole, kind, path, seed, first, last, counts);
      });
      tally.add(part);
      if (signal != 0) {
        std::string kept = path + "." + std::to_string(first);
        fs::copy_file(path, kept, fs::copy_options::overwrite_existing);
        checkFailed(__FILE__, __LINE__,
                    std::string(kind.file) + ": signal " +
                        std::to_string(signal) + ", see " + kept);
      }
    }
  }
  std::printf("%d mutations: %d gave data, %d errors; %d crashed HDF5 in its "
              "own process; %d errors did not name the file\n",
              tally.data + tally.errors, tally.data, tally.errors,
              tally.isolated, tally.unnamed);
  CHECK_EQ(tally.unnamed, 0);
  CHECK(tally.data + tally.errors >= total);
}

int main(int argc, char **argv) {
  fs::path dir = argv[1], data = argv[2];
  int mutations = argc > 3 ? std::atoi(argv[3]) : 320;
  uint64_t seed = argc > 4 ? std::strtoull(argv[4], nullptr, 10) : 1;
  truncated(data / "mnist_small.hdf5", dir, "train");
  truncated(data / "vlen_sequences.hdf5", dir, "train");
  truncated(data / "cases/c23_big_index.hdf5", dir, "train");
  altered(data, dir, mutations, seed);
  return checkSummary();
}
