// Kill and resume: a run with frequent checkpoints is killed at random moments
// (most of its time it writes checkpoints, so most kills hit one) and resumed,
// until it is done. Parameters, log and the order of batches must be those of
// an uninterrupted run, bit for bit.
// usage: kill-resume FOLDER [KILLS [SEED]]
#include "test/Check.h"
#include "test/runtime/FakeProgram.h"

#include "blocks/Training.h"
#include "runtime/Base/FileDescriptor.h"

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace blocks;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// Notes every batch it delivers in a file: "STATE: ROWS".
struct NotingStream : fake::Stream {
  FileDescriptor notes;
  NotingStream(const fs::path &path)
      : fake::Stream(97, 5, 1),
        notes(path.string(), O_WRONLY | O_CREAT | O_APPEND) {}
  bool next(fuel::Batch &batch) override {
    if (!fake::Stream::next(batch))
      return false;
    std::string line = state() + ":";
    for (int64_t row : batch.request)
      line += " " + std::to_string(row);
    line += "\n";
    notes.writeAll(line.data(), line.size());
    return true;
  }
};

static int runChild(const fs::path &dir, const std::string &name) {
  // 300 kB of parameters: long enough writes to be hit inside.
  fake::Program program(40000);
  NotingStream stream(dir / (name + ".batches"));
  fake::Stream test(23, 10, 1);
  TrainOptions options;
  options.epochs = 8;
  options.checkpointPath = dir / (name + ".ckpt");
  options.checkpointEvery = {1, 3, 0};
  options.resume = true;
  options.logPath = dir / (name + ".jsonl");
  options.logEvery = 2;
  options.saveParametersPath = dir / (name + ".npz");
  options.progressBar = false;
  EventSink events;
  std::ostringstream text;
  return train(program, stream, {{"test", &test}}, options, events, text,
               std::cerr);
}

static pid_t startChild(const fs::path &dir, const std::string &name) {
  pid_t child = fork();
  if (child == 0) {
    FileDescriptor quiet(dir / (name + ".messages"),
                         O_WRONLY | O_CREAT | O_APPEND);
    dup2(quiet.get(), STDERR_FILENO);
    _exit(runChild(dir, name));
  }
  return child;
}

static int waitFor(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static std::string contents(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Each batch by its position in the stream; a position that was delivered
/// twice must have had the same rows.
static std::map<std::string, std::string> batches(const fs::path &path) {
  std::map<std::string, std::string> result;
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    size_t colon = line.find(':');
    std::string rows = line.substr(colon + 1);
    auto [it, isNew] = result.emplace(line.substr(0, colon), rows);
    if (!isNew)
      CHECK_EQ(rows, it->second);
  }
  return result;
}

static void checkDirectory(const fs::path &dir) {
  for (const auto &entry : fs::directory_iterator(dir))
    CHECK(entry.path().filename().string().find(".tmp-") == std::string::npos);
}

int main(int argc, char **argv) {
  fs::path dir(argv[1]);
  int kills = argc > 2 ? std::atoi(argv[2]) : 15;
  uint64_t seed = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1;
  fs::remove_all(dir);
  fs::create_directories(dir);

  auto begin = Clock::now();
  CHECK_EQ(waitFor(startChild(dir, "whole")), 0);
  double seconds = std::chrono::duration<double>(Clock::now() - begin).count();

  int delivered = 0, status = 0;
  for (int i = 0; i < kills; ++i) {
    pid_t child = startChild(dir, "killed");
    double part = philoxUniform(philoxBits(seed, 0, 0, 0, uint64_t(i)));
    // On average the run is over a little after the last kill.
    std::this_thread::sleep_for(
        std::chrono::duration<double>(part * 1.6 * seconds / kills));
    bool gently = i % 5 == 4;
    kill(child, gently ? SIGTERM : SIGKILL);
    status = waitFor(child);
    if (status == 0)
      break;
    CHECK(status == 137 || status == 143);
    delivered += 1;
  }
  if (status != 0)
    CHECK_EQ(waitFor(startChild(dir, "killed")), 0);

  CHECK(delivered >= kills / 3);
  CHECK(contents(dir / "killed.npz") == contents(dir / "whole.npz"));
  CHECK_EQ(contents(dir / "killed.jsonl"), contents(dir / "whole.jsonl"));
  CHECK(batches(dir / "killed.batches") == batches(dir / "whole.batches"));
  CHECK_EQ(contents(dir / "killed.messages").find("error"), std::string::npos);
  checkDirectory(dir);
  std::printf("%d kills in a run of %.2f s\n", delivered, seconds);
  return checkSummary();
}
