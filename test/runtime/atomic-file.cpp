// AtomicFile: all or nothing, also on a full disk (a file size limit stands for
// it) and after a killed writer.
#include "test/Check.h"

#include "runtime/Base/AtomicFile.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace blocks;
namespace fs = std::filesystem;

static std::string contents(const fs::path &path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

static size_t entries(const fs::path &directory) {
  size_t n = 0;
  for (auto it = fs::directory_iterator(directory); it != fs::end(it); ++it)
    ++n;
  return n;
}

static void replacesWhole(const fs::path &dir) {
  fs::path path = dir / "file";
  {
    AtomicFile file(path);
    file.write("one");
    CHECK(!fs::exists(path));
    file.commit();
  }
  CHECK_EQ(contents(path), "one");
  {
    AtomicFile file(path);
    file.write("two");
  }
  CHECK_EQ(contents(path), "one");
  CHECK_EQ(entries(dir), 1u);
}

static void followsLinks(const fs::path &dir) {
  fs::create_symlink("file", dir / "link");
  AtomicFile file(dir / "link");
  file.write("three");
  file.commit();
  CHECK(fs::is_symlink(dir / "link"));
  CHECK_EQ(contents(dir / "file"), "three");
  fs::remove(dir / "link");
}

static void refusesNonsense(const fs::path &dir) {
  CHECK_THROWS(AtomicFile(dir.string()), "not a regular file");
  CHECK_THROWS(AtomicFile((dir / "no" / "file").string()),
               "does its directory exist?");
}

static void survivesFullDisk(const fs::path &dir) {
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit old, small{1 << 16, RLIM_INFINITY};
  getrlimit(RLIMIT_FSIZE, &old);
  setrlimit(RLIMIT_FSIZE, &small);
  std::string big(1 << 20, 'x');
  auto attempt = [&] {
    AtomicFile file(dir / "file");
    file.write(big);
    file.commit();
  };
  CHECK_THROWS(attempt(), "file.tmp-");
  setrlimit(RLIMIT_FSIZE, &old);
  CHECK_EQ(contents(dir / "file"), "three");
  CHECK_EQ(entries(dir), 1u);
}

static void cleansUpAfterKilledWriter(const fs::path &dir) {
  pid_t child = fork();
  if (child == 0) {
    AtomicFile file(dir / "file");
    file.write("half");
    raise(SIGKILL);
  }
  int status;
  waitpid(child, &status, 0);
  CHECK_EQ(entries(dir), 2u);
  AtomicFile file(dir / "file");
  file.write("four");
  file.commit();
  CHECK_EQ(entries(dir), 1u);
  CHECK_EQ(contents(dir / "file"), "four");
}

int main(int, char **argv) {
  fs::path dir(argv[1]);
  fs::remove_all(dir);
  fs::create_directories(dir);
  replacesWhole(dir);
  followsLinks(dir);
  refusesNonsense(dir);
  survivesFullDisk(dir);
  cleansUpAfterKilledWriter(dir);
  return checkSummary();
}
