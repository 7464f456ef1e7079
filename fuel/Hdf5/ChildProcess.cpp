// ChildProcess: see ChildProcess.h.
#include "fuel/Hdf5/ChildProcess.h"

#include "fuel/Hdf5/Packing.h"
#include "runtime/Base/FileDescriptor.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fuel {

namespace {
/// What the child says first.
enum class Answer : uint8_t { Done, Failed };

//===-- The child ---------------------------------------------------------===//

void limit(int resource, uint64_t value) {
  rlimit now = {};
  if (::getrlimit(resource, &now) != 0)
    return;
  rlim_t wanted = std::min<rlim_t>(rlim_t(value), now.rlim_max);
  rlimit chosen{wanted, wanted};
  ::setrlimit(resource, &chosen);
}

uint64_t addressSpace() {
  unsigned long long pages = 0;
  if (FILE *file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%llu", &pages) != 1)
      pages = 0;
    std::fclose(file);
  }
  return pages * uint64_t(::sysconf(_SC_PAGESIZE));
}

// No core dump, no message of a crash handler, and the signals' defaults: the
// handlers are the parent's.
void isolate(const ChildLimits &limits) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (int number : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGINT, SIGTERM,
                     SIGHUP, SIGALRM, SIGPIPE, SIGXCPU})
    std::signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, uint64_t(limits.cpuSeconds));
  // Not where a sanitizer has reserved its terabytes.
  constexpr uint64_t mostReserved = uint64_t(1) << 42;
  if (uint64_t now = addressSpace(); now > 0 && now < mostReserved)
    limit(RLIMIT_AS, now + limits.moreBytes);
  ::alarm(unsigned(10 * limits.cpuSeconds));
  int quiet = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (quiet >= 0)
    ::dup2(quiet, 2);
}

std::string failure(blocks::ErrorKind kind, const std::string &message) {
  Packer packer;
  packer << Answer::Failed << kind << message;
  return std::move(packer.bytes);
}

std::string answer(const std::string &path,
                   const std::function<std::string()> &work) {
  try {
    Packer packer;
    packer << Answer::Done << work();
    return std::move(packer.bytes);
  } catch (const blocks::Error &error) {
    return failure(error.kind(), error.what());
  } catch (const std::bad_alloc &) {
    return failure(blocks::ErrorKind::Corrupt,
                   "cannot read '" + path +
                       "': its headers ask for more memory than a sound file "
                       "of its size: the file is damaged");
  } catch (const std::exception &error) {
    return failure(blocks::ErrorKind::Corrupt,
                   "cannot read '" + path + "': " + error.what());
  }
}

[[noreturn]] void runChild(int output, const std::string &path,
                           const ChildLimits &limits,
                           const std::function<std::string()> &work) {
  isolate(limits);
  std::string bytes = answer(path, work);
  for (size_t done = 0; done < bytes.size();) {
    ssize_t n = ::write(output, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno != EINTR)
      ::_exit(1);
    done += n > 0 ? size_t(n) : 0;
  }
  ::_exit(0);
}

//===-- The parent --------------------------------------------------------===//

/// Owns one end of a pipe.
struct PipeEnd {
  int number = -1;
  ~PipeEnd() { close(); }
  void close() {
    if (number >= 0)
      ::close(number);
    number = -1;
  }
};

std::string readAll(int input, uint64_t most) {
  std::string bytes;
  char buffer[65536];
  while (bytes.size() <= most) {
    ssize_t n = ::read(input, buffer, sizeof buffer);
    if (n == 0 || (n < 0 && errno != EINTR))
      break;
    bytes.append(buffer, n > 0 ? size_t(n) : 0);
  }
  return bytes;
}

int waitFor(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

[[noreturn]] void reportEnd(const std::string &path, int status) {
  std::string how = "ended without an answer";
  if (WIFSIGNALED(status)) {
    int number = WTERMSIG(status);
    bool endless = number == SIGXCPU || number == SIGALRM || number == SIGKILL;
    how = endless ? "found no end"
                  : "crashed (signal " + std::to_string(number) + ")";
  }
  throw blocks::CorruptError(
      "cannot read '" + path + "': the HDF5 library " + how +
      " in its headers, in a process of its own: the file is damaged; try "
      "h5dump or h5repack on it, or write it again");
}

[[noreturn]] void rethrow(Unpacker &message) {
  blocks::ErrorKind kind = blocks::ErrorKind::Corrupt;
  std::string text;
  message >> kind >> text;
  throw blocks::Error(kind, text);
}
} // namespace

std::string inChildProcess(const std::string &path, const ChildLimits &limits,
                           const std::function<std::string()> &work) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw blocks::ioError("read", path, errno);
  PipeEnd input{ends[0]}, output{ends[1]};
  pid_t child = ::fork();
  if (child < 0)
    throw blocks::ioError("start a process to read", path, errno);
  if (child == 0)
    runChild(output.number, path, limits, work);
  output.close();
  std::string bytes = readAll(input.number, limits.answerBytes);
  input.close();
  int status = waitFor(child);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || bytes.empty())
    reportEnd(path, status);
  Unpacker message(bytes);
  Answer kind = Answer::Failed;
  message >> kind;
  if (kind != Answer::Done)
    rethrow(message);
  std::string result;
  message >> result;
  return result;
}

} // namespace fuel
