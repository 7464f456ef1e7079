// ObjectCache: what was stored is found; anything damaged, of another user's
// directory or under a wrong key is not; the least recently used goes first.
#include "test/Check.h"
#include "test/runtime/TestProgram.h"

#include "blocks/CompiledProgram.h"
#include "runtime/Base/Sha256.h"
#include "runtime/Program/ObjectCache.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace blocks;
namespace fs = std::filesystem;

static std::vector<std::byte> object;

static std::string key(const std::string &text) { return Sha256::hexOf(text); }

static fs::path fileOf(const fs::path &directory, const std::string &text) {
  return directory / (key(text) + ".blocksobj");
}

static void checkStored(const fs::path &directory) {
  ObjectCache cache(directory);
  CHECK_EQ(cache.problem(), "");
  CHECK(!cache.find(key("a")));
  CHECK(cache.store(key("a"), testManifest, object));
  auto found = cache.find(key("a"));
  CHECK(found);
  CHECK_EQ(found->manifest, std::string_view(testManifest));
  CHECK(std::equal(object.begin(), object.end(), found->object.begin(),
                   found->object.end()));
  loadProgram(found->manifest, found->object, {1});
  CHECK(!cache.find(key("b")));
  CHECK(!cache.find("../" + key("a")));
  CHECK(!cache.store("a/b", testManifest, object));
  struct stat info;
  stat(fileOf(directory, "a").c_str(), &info);
  CHECK_EQ(info.st_mode & 0777, mode_t(0600));
  stat(directory.c_str(), &info);
  CHECK_EQ(info.st_mode & 0777, mode_t(0700));
}

/// Every byte of the file counts, and so does its length.
static void checkDamage(const fs::path &directory) {
  ObjectCache cache(directory);
  fs::path file = fileOf(directory, "a");
  auto whole = readBytes(file);
  auto put = [&](const std::vector<std::byte> &bytes) {
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char *>(bytes.data()),
               std::streamsize(bytes.size()));
  };
  for (size_t at = 0; at < whole.size(); at += at < 200 ? 1 : 97) {
    auto damaged = whole;
    damaged[at] ^= std::byte(4);
    put(damaged);
    CHECK(!cache.find(key("a")));
  }
  for (size_t size : {size_t(0), size_t(7), size_t(100), whole.size() - 1}) {
    put({whole.begin(), whole.begin() + std::ptrdiff_t(size)});
    CHECK(!cache.find(key("a")));
  }
  fs::copy_file(file, fileOf(directory, "b"));
  CHECK(!cache.find(key("b"))); // Another key's content.
  CHECK(cache.store(key("a"), testManifest, object));
  CHECK(cache.find(key("a")));
}

static void checkEviction(const fs::path &directory) {
  std::string manifest(1000, 'm');
  ObjectCache cache(directory, 4000);
  std::ofstream(directory / "other.txt") << "not ours";
  auto later = [] {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  };
  for (const char *name : {"1", "2", "3"}) {
    CHECK(cache.store(key(name), manifest, {}));
    later();
  }
  CHECK(cache.find(key("1"))); // Now 2 is the least recently used.
  later();
  CHECK(cache.store(key("4"), manifest, {}));
  CHECK(cache.find(key("1")));
  CHECK(!cache.find(key("2")));
  CHECK(cache.find(key("3")));
  CHECK(cache.find(key("4")));
  CHECK(fs::exists(directory / "other.txt"));
  // One that is larger than the cache still serves until the next.
  CHECK(cache.store(key("5"), std::string(9000, 'm'), {}));
  CHECK(cache.find(key("5")));
  CHECK(!cache.find(key("4")));
}

static void checkUnusable(const fs::path &scratch) {
  fs::create_directory(scratch / "open");
  chmod((scratch / "open").c_str(), 0777);
  ObjectCache open(scratch / "open");
  CHECK_CONTAINS(open.problem(), "may be written by others");
  CHECK(!open.store(key("a"), testManifest, object));
  std::ofstream(scratch / "file") << "x";
  CHECK_CONTAINS(ObjectCache(scratch / "file").problem(), "is no directory");
  CHECK(!ObjectCache(scratch / "file" / "below").problem().empty());
  CHECK_CONTAINS(ObjectCache("").problem(), "BLOCKS_CACHE_DIR");
}

static void checkDefaultDirectory() {
  setenv("HOME", "/home/someone", 1);
  unsetenv("BLOCKS_CACHE_DIR");
  unsetenv("XDG_CACHE_HOME");
  CHECK_EQ(ObjectCache::defaultDirectory(), "/home/someone/.cache/blocks");
  setenv("XDG_CACHE_HOME", "/xdg", 1);
  CHECK_EQ(ObjectCache::defaultDirectory(), "/xdg/blocks");
  setenv("BLOCKS_CACHE_DIR", "/own", 1);
  CHECK_EQ(ObjectCache::defaultDirectory(), "/own");
}

int main(int argc, char **argv) {
  fs::path scratch = argv[1];
  fs::remove_all(scratch);
  fs::create_directories(scratch);
  object = readBytes(argv[2]);
  checkStored(scratch / "new" / "cache");
  checkDamage(scratch / "new" / "cache");
  fs::create_directory(scratch / "small");
  chmod((scratch / "small").c_str(), 0700);
  checkEviction(scratch / "small");
  checkUnusable(scratch);
  checkDefaultDirectory();
  return checkSummary();
}
