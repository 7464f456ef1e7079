// Checkpoint files: what is in them, and what happens to damaged, hostile and
// foreign ones, and on a full disk (a file size limit stands for it).
#include "test/Check.h"
#include "test/runtime/FakeProgram.h"

#include "blocks/Parameters.h"
#include "runtime/Base/AtomicFile.h"
#include "runtime/Base/MappedFile.h"
#include "runtime/Base/Sha256.h"
#include "runtime/Checkpoint/CheckpointFile.h"
#include "runtime/Checkpoint/CheckpointHeader.h"
#include "runtime/Checkpoint/StateArchive.h"

#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>

/// HDF5 itself forgets a few hundred bytes when a damaged file makes it fail.
extern "C" const char *__lsan_default_suppressions();
extern "C" const char *__lsan_default_suppressions() { return "leak:libhdf5"; }

using namespace blocks;
namespace fs = std::filesystem;

static std::string contents(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

static void put(const fs::path &path, const std::string &bytes) {
  fs::remove(path);
  std::ofstream(path, std::ios::binary) << bytes;
}

static bool sameState(const ProgramState &a, const ProgramState &b) {
  for (size_t i = 0; i < a.arrays.size(); ++i)
    if (a.arrays[i].bytes() != b.arrays[i].bytes() ||
        std::memcmp(a.arrays[i].data(), b.arrays[i].data(),
                    a.arrays[i].bytes()))
      return false;
  return true;
}

static StateRecords someRecords() {
  StateRecords records;
  records["loop"].setInt("iterations", -5);
  records["loop"].setReal("nan", NAN);
  records["loop"].setReals("several", {0.1, -INFINITY, 5e-324});
  records["stream"].setText("position", std::string("a\n\0\xff \"", 6));
  records["stream"].setText("empty", "");
  records["none"];
  return records;
}

static void keepsEverything(const fs::path &path) {
  fake::Program program;
  ProgramState state = makeInitialState(program.spec(), 3);
  *state.arrays[4].as<float>() = INFINITY;
  *state.arrays[5].as<int64_t>() = 1 << 30;
  writeCheckpoint(path, program.spec(), state, someRecords(), {2});
  StateRecords records = readCheckpointRecords(path);
  StateRecords expected = someRecords();
  for (auto &[name, record] : expected) {
    CHECK(records[name].numbers == record.numbers);
    CHECK(records[name].texts == record.texts);
  }
  ProgramState other = makeInitialState(program.spec(), 1);
  readCheckpointState(path, program.spec(), other);
  CHECK(sameState(state, other));
  ProgramState parameters = makeInitialState(program.spec(), 1);
  loadParameters(program.spec(), parameters, path);
  CHECK(!std::memcmp(parameters.arrays[0].data(), state.arrays[0].data(), 20));
  CHECK(!sameState(state, parameters));
}

static void isReproducible(const fs::path &dir) {
  fake::Program program;
  ProgramState state = makeInitialState(program.spec(), 3);
  writeCheckpoint(dir / "a", program.spec(), state, someRecords(), {1});
  std::string first = contents(dir / "a");
  writeCheckpoint(dir / "a", program.spec(), state, someRecords(), {1});
  CHECK(contents(dir / "a") == first);
  CHECK(!fs::exists(dir / "a.1"));
  CHECK(first.size() < 16384);
}

static void rotates(const fs::path &dir) {
  fake::Program program;
  ProgramState state = makeInitialState(program.spec(), 1);
  auto write = [&](int64_t n, int64_t keep) {
    StateRecords records;
    records["loop"].setInt("n", n);
    writeCheckpoint(dir / "r", program.spec(), state, records, {keep});
  };
  auto kept = [&] {
    std::string text;
    for (const std::string &path : findCheckpoints(dir / "r"))
      text += std::to_string(readCheckpointRecords(path)["loop"].getInt("n"));
    return text;
  };
  CHECK_EQ(kept(), "");
  for (int64_t n = 1; n <= 5; ++n)
    write(n, 3);
  CHECK_EQ(kept(), "543");
  write(6, 2);
  CHECK_EQ(kept(), "65");
  // As a kill between link and rename leaves it.
  fs::remove(dir / "r.1");
  fs::create_hard_link(dir / "r", dir / "r.1");
  write(7, 2);
  CHECK_EQ(kept(), "76");
  write(8, 1);
  CHECK_EQ(kept(), "8");
}

/// The error of a file, or "" if it reads back as the right state.
static std::string tryRead(const fs::path &path, const ProgramSpec &spec,
                           const ProgramState &expected) {
  try {
    readCheckpointRecords(path);
    ProgramState state = makeInitialState(spec, 1);
    readCheckpointState(path, spec, state);
    return sameState(state, expected) ? "" : "WRONG";
  } catch (const Error &error) {
    return error.what();
  }
}

static void findsDamage(const fs::path &dir) {
  fake::Program program;
  ProgramState state = makeInitialState(program.spec(), 1);
  writeCheckpoint(dir / "good", program.spec(), state, someRecords(), {1});
  std::string good = contents(dir / "good");
  CHECK_EQ(tryRead(dir / "good", program.spec(), state), "");
  auto damagedAt = [&](uint64_t i) {
    std::string bytes = good;
    uint64_t at = philoxBits(1, 0, 0, 0, i) % bytes.size();
    if (i < 40)
      at = i; // The header's fields.
    if (i % 3 == 2)
      bytes.resize(at);
    else
      bytes[at] = char(bytes[at] ^ (i % 3 ? 0xFF : 1 << i % 8));
    return bytes;
  };
  for (uint64_t i = 0; i < 300; ++i) {
    put(dir / "bad", damagedAt(i));
    std::string error = tryRead(dir / "bad", program.spec(), state);
    CHECK(error != "" && error != "WRONG");
    CHECK_CONTAINS(error, "bad'");
  }
  put(dir / "bad", good + "x");
  CHECK_CONTAINS(tryRead(dir / "bad", program.spec(), state), "should have");
}

/// Damage below a checksum that was made to hold: errors or (where the byte
/// means nothing) the right or another state, but no crash and no huge memory.
static void survivesHostileFiles(const fs::path &dir) {
  fake::Program program;
  ProgramState state = makeInitialState(program.spec(), 1);
  writeCheckpoint(dir / "good", program.spec(), state, someRecords(), {1});
  std::string good = contents(dir / "good");
  for (uint64_t i = 0; i < 400; ++i) {
    std::string bytes = good;
    size_t at = 512 + philoxBits(2, 0, 0, 0, i) % (bytes.size() - 512);
    bytes[at] = char(philoxBits(2, 0, 0, 1, i));
    put(dir / "bad", bytes);
    {
      FileDescriptor file(dir / "bad", O_RDWR);
      sealCheckpoint(file);
    }
    tryRead(dir / "bad", program.spec(), state);
  }
}

static void survivesHostileArchives() {
  std::string good = packRecords(someRecords());
  auto read = [](std::string bytes) {
    unpackRecords(std::as_bytes(std::span(bytes)), "f");
  };
  CHECK_THROWS(read(good.substr(0, 20)), "no envelope");
  CHECK_THROWS(read(good + "1"), "wrong length");
  auto resealed = [&](const std::string &from, const std::string &to) {
    std::string archive = good.substr(48);
    archive.replace(archive.find(from), from.size(), to);
    std::string bytes = "BLKSTATE";
    for (int i = 0; i < 8; ++i)
      bytes += char(archive.size() >> (8 * i) & 255);
    Sha256Digest digest = Sha256::of(archive.data(), archive.size());
    bytes.append(reinterpret_cast<char *>(digest.data()), 32);
    return bytes + archive;
  };
  // "… 19 0 0 3 4 bG9vcA==": three records, the first name has 4 bytes.
  size_t head = good.find(" 3 4", 48);
  CHECK(head != std::string::npos);
  CHECK_THROWS(read(resealed(" 3 4", " 3 99999999999")), "exceeds the archive");
  CHECK_THROWS(read(resealed(" 3 4", " 30 4")), "cannot be read");
  CHECK_THROWS(read(resealed(" 3 4", " 3 -1")), "cannot be read");
  CHECK_THROWS(read(resealed("serialization", "serialisation")),
               "cannot be read");
  for (size_t i = 48; i < good.size(); ++i)
    for (char c : {'9', '\xff', ' '})
      try {
        std::string archive = good.substr(48);
        archive[i - 48] = c;
        std::string bytes = good.substr(0, 16);
        Sha256Digest digest = Sha256::of(archive.data(), archive.size());
        bytes.append(reinterpret_cast<char *>(digest.data()), 32);
        read(bytes + archive);
      } catch (const Error &) {
      }
}

static void namesOtherModels(const fs::path &dir) {
  fake::Program program, wider(9);
  ProgramState state = makeInitialState(program.spec(), 1);
  writeCheckpoint(dir / "good", program.spec(), state, {}, {1});
  wider.theSpec.state[0].path = "/model/other.W";
  ProgramState other = makeInitialState(wider.spec(), 2);
  ProgramState untouched = makeInitialState(wider.spec(), 2);
  auto read = [&] { readCheckpointState(dir / "good", wider.spec(), other); };
  CHECK_THROWS(read(), "is a checkpoint of another model");
  CHECK_THROWS(read(), "'/model/other.W' (f32 5) is not in the checkpoint");
  CHECK_THROWS(read(), "'/model.ballast' is f64 7 in the checkpoint, f64 9 in");
  CHECK_THROWS(read(), "'/model/linear.W' (f32 5) is not in the model");
  CHECK(sameState(other, untouched));
}

static size_t entries(const fs::path &dir) {
  return size_t(std::distance(fs::directory_iterator(dir), {}));
}

static void survivesFullDisk(const fs::path &dir) {
  fs::create_directories(dir);
  fake::Program program(20000);
  ProgramState state = makeInitialState(program.spec(), 1);
  writeCheckpoint(dir / "c", program.spec(), state, {}, {2});
  std::string good = contents(dir / "c");
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit old;
  getrlimit(RLIMIT_FSIZE, &old);
  for (rlim_t limit : {0, 300, 700, 2500, 5000, 40000, 160000}) {
    rlimit small{limit, old.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    CHECK_THROWS(writeCheckpoint(dir / "c", program.spec(), state, {}, {2}),
                 "c.tmp-");
    setrlimit(RLIMIT_FSIZE, &old);
    CHECK(contents(dir / "c") == good);
    CHECK_EQ(entries(dir), 1u);
  }
  writeCheckpoint(dir / "c", program.spec(), state, {}, {2});
  CHECK_EQ(entries(dir), 2u);
}

int main(int, char **argv) {
  fs::path dir(argv[1]);
  fs::remove_all(dir);
  fs::create_directories(dir);
  keepsEverything(dir / "file");
  isReproducible(dir);
  rotates(dir);
  findsDamage(dir);
  survivesHostileFiles(dir);
  survivesHostileArchives();
  namesOtherModels(dir);
  survivesFullDisk(dir / "full");
  return checkSummary();
}
