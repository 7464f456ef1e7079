// Isolation: whatever happens in the process that reads headers, the caller
// gets an error that names the file, soon, and goes on. And the decoders of
// chunks, which run in the caller's process, by themselves: right results, and
// errors for every damaged input.
#include "blocks/Error.h"
#include "fuel/Hdf5/ChildProcess.h"
#include "fuel/Hdf5/ChunkDecoder.h"
#include "fuel/Mt19937.h"
#include "test/Check.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <new>
#include <unistd.h>
#include <vector>

using namespace fuel;

static std::string run(const std::function<std::string()> &work) {
  ChildLimits limits;
  limits.cpuSeconds = 1;
  limits.moreBytes = 256 << 20;
  limits.answerBytes = 1 << 20;
  return inChildProcess("some.hdf5", limits, work);
}

static void children() {
  CHECK_EQ(run([] { return std::string(100000, 'x'); }),
           std::string(100000, 'x'));
  CHECK_EQ(run([] { return std::string(); }), "");
  CHECK_THROWS(run([]() -> std::string {
                 throw blocks::InputError("told in the child");
               }),
               "told in the child");
  for (int number : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE})
    CHECK_THROWS(run([number]() -> std::string {
                   std::raise(number);
                   return "";
                 }),
                 "cannot read 'some.hdf5': the HDF5 library crashed (signal " +
                     std::to_string(number) + ")");
  CHECK_THROWS(run([]() -> std::string { ::_exit(0); }),
               "'some.hdf5': the HDF5 library ended without an answer");
  CHECK_THROWS(run([]() -> std::string {
                 std::atomic<int> turns = 0;
                 for (;;)
                   ++turns;
               }),
               "'some.hdf5': the HDF5 library found no end");
  CHECK_THROWS(run([]() -> std::string { throw std::bad_alloc(); }),
               "ask for more memory");
  CHECK_THROWS(run([] { return std::string(8 << 20, 'x'); }), "'some.hdf5'");
}

//===-- Decoders ----------------------------------------------------------===//

static std::vector<std::byte> bytesOf(std::string_view text) {
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

static std::string unLzf(std::string_view input, size_t room) {
  std::vector<std::byte> out(room);
  size_t length = decompressLzf(bytesOf(input), out);
  return {reinterpret_cast<const char *>(out.data()), length};
}

static void decoders() {
  using namespace std::string_view_literals;
  CHECK_EQ(unLzf("\x02"
                 "abc"sv,
                 3),
           "abc");
  CHECK_EQ(unLzf("\x02"
                 "abc"
                 "\x20\x02"sv,
                 6),
           "abcabc"); // 3 from 3 before.
  CHECK_EQ(unLzf("\x00"
                 "a"
                 "\xe0\x05\x00"sv,
                 15),
           std::string(15, 'a'));
  CHECK_THROWS(unLzf("\x02"
                     "ab"sv,
                     9),
               "end too early");
  CHECK_THROWS(unLzf("\x20"sv, 9), "end too early");
  CHECK_THROWS(unLzf("\x00"
                     "a"
                     "\x20\x01"sv,
                     9),
               "before its begin");
  CHECK_THROWS(unLzf("\x02"
                     "abc"sv,
                     2),
               "longer than the chunk");
  CHECK_EQ(fletcher32(bytesOf("abcde")), 0x4ff029c7u);
  CHECK_EQ(fletcher32(bytesOf("abcdef")), 0x50562a2du);
  // Any input at all: an error or bytes within the room.
  Mt19937 random(3);
  for (int i = 0; i < 20000; ++i) {
    std::string input(random.interval(40), '\0');
    for (char &c : input)
      c = char(random.next());
    try {
      CHECK(unLzf(input, 100).size() <= 100);
    } catch (const blocks::CorruptError &) {
    }
  }
}

int main() {
  auto start = std::chrono::steady_clock::now();
  children();
  decoders();
  std::chrono::duration<double> taken =
      std::chrono::steady_clock::now() - start;
  CHECK(taken.count() < 60);
  return checkSummary();
}
