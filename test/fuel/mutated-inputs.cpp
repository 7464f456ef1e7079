// Mutated inputs: truncated and altered arrays, tables, images, archives and
// texts give the generic converters an error or data, never a crash and never
// an absurd allocation.
//
//   test-fuel-mutated-inputs SCRATCH DATA [MUTATIONS [SEED]]
//
// MUTATIONS are those of each kind of input. They run in a child, which stands
// for fuel-convert: a signal that ends it is a failure, and the file that did
// it is kept.
#include "blocks/Error.h"
#include "fuel/Convert.h"
#include "fuel/Mt19937.h"
#include "test/Check.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace fuel;
namespace fs = std::filesystem;
using Values = std::map<std::string, std::vector<std::string>>;

static std::string contents(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

static void write(const fs::path &path, const std::string &bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

struct Kind {
  const char *file, *converter;
  Values values;
};
static const Kind kinds[] = {
    {"numbers.npy", "npy", {}},
    {"words.npy", "npy", {{"compression", {"gzip"}}}},
    {"stored.npz", "npz", {}},
    {"deflated.npz", "npz", {{"shuffle-seed", {"1"}}}},
    {"numbers.idx", "idx", {{"dtype", {"float32"}}}},
    {"numbers.idx.gz", "idx", {{"split", {"a=0.5,b=rest"}}}},
    {"table.csv",
     "csv",
     {{"targets", {"2"}}, {"text", {"3"}}, {"fill", {"0"}}}},
    {"table.csv", "csv", {{"no-header", {"true"}}, {"each-column", {"true"}}}},
    {"picture.png", "images", {{"decode", {"true"}}}},
    {"../converters/cat.0.jpg", "images", {{"resize", {"4x4"}}}},
    {"pictures.tar.gz", "images", {{"grey", {"true"}}}},
    {"pictures.zip", "images", {{"verify", {"true"}}}},
    {"pairs.tsv", "parallel-text", {}},
    {"pairs.tsv", "text", {{"level", {"character"}}}}};

/// One of: a flipped bit, random bytes, an extreme number, a run of zeros, a
/// doubled piece, a cut.
static std::string mutate(std::string bytes, Mt19937 &random) {
  for (uint64_t changes = 1 + random.interval(2); changes > 0; --changes) {
    if (bytes.empty())
      return bytes;
    // Half of the changes among the headers.
    size_t reach =
        random.interval(1) ? bytes.size() : std::min<size_t>(bytes.size(), 128);
    size_t at = random.interval(reach - 1);
    size_t length = std::min<size_t>(1 + random.interval(7), bytes.size() - at);
    switch (random.interval(5)) {
    case 0:
      bytes[at] = char(bytes[at] ^ 1 << random.interval(7));
      break;
    case 1:
      for (size_t i = 0; i < length; ++i)
        bytes[at + i] = char(random.interval(255));
      break;
    case 2:
      bytes.replace(at, length, length, random.interval(1) ? '\xff' : '\x7f');
      break;
    case 3:
      bytes.replace(at, length, length, '\0');
      break;
    case 4:
      bytes.insert(at, bytes.substr(at, random.interval(40)));
      break;
    default:
      bytes.resize(at);
    }
  }
  return bytes;
}

/// What the child has done, seen by the parent.
struct Account {
  int current, data, errors;
};

static void runAll(const Kind &kind, const std::string &original,
                   const fs::path &dir, int mutations, uint64_t seed,
                   Account &account) {
  Mt19937 random(seed);
  bool image = std::string(kind.converter) == "images" &&
               fs::path(kind.file).extension() != ".zip" &&
               fs::path(kind.file).extension() != ".gz";
  fs::path input = dir / "in" / fs::path(kind.file).filename();
  ConvertOptions options;
  options.directory = (dir / "in").string();
  options.outputDirectory = (dir / "out").string();
  options.command = "test";
  options.values = kind.values;
  options.values["files"] = {image ? "." : input.filename().string()};
  for (account.current = 0; account.current < mutations; ++account.current) {
    write(input, mutate(original, random));
    bool made = false;
    try {
      runConverter(kind.converter, options);
      ++account.data;
      made = true;
    } catch (const blocks::Error &error) {
      ++account.errors;
      CHECK(std::string(error.what()).size() > 20);
    }
    int left = 0;
    for (const auto &entry : fs::directory_iterator(dir / "out")) {
      ++left;
      fs::remove(entry.path());
    }
    CHECK(made || left == 0);
  }
}

/// Not where a sanitizer has reserved its terabytes.
static void limitMemory() {
  uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  rlimit memory{rlim_t(3) << 30, rlim_t(3) << 30};
  if (pages < uint64_t(1) << 28)
    ::setrlimit(RLIMIT_AS, &memory);
}

static void runKind(const Kind &kind, size_t number, const fs::path &scratch,
                    const fs::path &data, int mutations, uint64_t seed) {
  fs::path dir = scratch / std::to_string(number);
  fs::remove_all(dir);
  fs::create_directories(dir / "in");
  fs::create_directories(dir / "out");
  void *shared = ::mmap(nullptr, sizeof(Account), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  auto &account = *new (shared) Account{};
  pid_t child = ::fork();
  if (child == 0) {
    limitMemory();
    int before = checkFailures();
    try {
      runAll(kind, contents(data / "generic" / kind.file), dir, mutations, seed,
             account);
    } catch (const std::exception &error) {
      std::fprintf(stderr, "%s\n", error.what());
      ::_exit(2);
    }
    ::_exit(checkFailures() > before);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (status != 0)
    checkFailed(__FILE__, __LINE__,
                std::string(kind.converter) + " on " + kind.file +
                    ", mutation " + std::to_string(account.current) +
                    ": status " + std::to_string(status) + ", see " +
                    dir.string());
  CHECK_EQ(account.data + account.errors, mutations);
  // Any bytes are text.
  CHECK(account.errors > 0 || std::string(kind.converter) == "text");
  std::printf("%s on %s: %d gave data, %d errors\n", kind.converter, kind.file,
              account.data, account.errors);
  ::munmap(shared, sizeof(Account));
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  int mutations = argc > 3 ? std::atoi(argv[3]) : 60;
  uint64_t seed = argc > 4 ? std::strtoull(argv[4], nullptr, 10) : 1;
  size_t number = 0;
  for (const Kind &kind : kinds) {
    runKind(kind, number, argv[1], argv[2], mutations, seed + number);
    ++number;
  }
  return checkSummary();
}
