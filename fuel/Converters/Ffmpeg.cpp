// Ffmpeg: see Ffmpeg.h.
#include "fuel/Converters/Ffmpeg.h"

#include "runtime/Base/FileDescriptor.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace fuel {

namespace {
/// Some six hours of two channels at 48 kHz.
constexpr size_t mostBytes = size_t(1) << 32;
/// What holds sound itself. Playlists, whatever their name, lead elsewhere.
constexpr const char *formats =
    "mov,mp4,m4a,aac,mp3,ogg,flac,wav,matroska,webm";
/// Of processor time, a few minutes of which decode hours of sound.
constexpr const char *mostSeconds = "3600";

/// A pipe whose ends close with it.
struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() {
    if (::pipe2(ends, O_CLOEXEC) != 0)
      throw blocks::ioError("start", "ffmpeg", errno);
  }
  ~Pipe() {
    close(0);
    close(1);
  }
  void close(int end) {
    if (ends[end] >= 0)
      ::close(ends[end]);
    ends[end] = -1;
  }
};

/// What the program prints where.
struct Actions {
  posix_spawn_file_actions_t actions;
  Actions(const Pipe &output, const Pipe &words) {
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output.ends[1], 1);
    posix_spawn_file_actions_adddup2(&actions, words.ends[1], 2);
  }
  ~Actions() { posix_spawn_file_actions_destroy(&actions); }
};

/// A running program; it ends with this.
class Program {
public:
  Program(std::vector<std::string> words, const Actions &actions) {
    std::vector<char *> arguments;
    for (std::string &word : words)
      arguments.push_back(word.data());
    arguments.push_back(nullptr);
    int code = ::posix_spawnp(&process, words[0].c_str(), &actions.actions,
                              nullptr, arguments.data(), environ);
    if (code != 0)
      throw blocks::ioError("start", words[0], code);
  }
  ~Program() {
    if (process > 0) {
      ::kill(process, SIGKILL);
      wait();
    }
  }
  /// The status by which it ended.
  int wait() {
    int status = 0;
    while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    process = 0;
    return status;
  }

private:
  pid_t process = 0;
};

/// Reads both until their ends. False if there is too much.
bool readBoth(int output, std::string &bytes, int errors, std::string &words) {
  std::vector<char> buffer(1 << 16);
  pollfd sources[2] = {{output, POLLIN, 0}, {errors, POLLIN, 0}};
  while (sources[0].fd >= 0 || sources[1].fd >= 0) {
    if (::poll(sources, 2, -1) < 0 && errno != EINTR)
      return false;
    for (pollfd &source : sources) {
      if (source.fd < 0 || !source.revents)
        continue;
      ssize_t got = ::read(source.fd, buffer.data(), buffer.size());
      if (got == 0 || (got < 0 && errno != EINTR))
        source.fd = -1;
      (source.fd == errors ? words : bytes)
          .append(buffer.data(), size_t(std::max<ssize_t>(got, 0)));
    }
    constexpr size_t mostWords = 1 << 16;
    if (bytes.size() > mostBytes || words.size() > mostWords)
      return false;
  }
  return true;
}

std::string lastLine(std::string words) {
  while (!words.empty() && std::strchr("\n\r ", words.back()))
    words.pop_back();
  return words.substr(words.rfind('\n') + 1);
}
} // namespace

bool hasFfmpeg() {
  const char *path = std::getenv("PATH");
  std::string_view rest = path ? path : "";
  while (!rest.empty()) {
    std::string folder(rest.substr(0, rest.find(':')));
    if (::access((folder + "/ffmpeg").c_str(), X_OK) == 0)
      return true;
    rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
  }
  return false;
}

std::vector<int16_t> decodeSound(const std::string &path, int64_t channels,
                                 int64_t rate) {
  Pipe output, words;
  std::string bytes, errors;
  int status;
  {
    Program program({"ffmpeg", "-nostdin", "-v", "error", "-timelimit",
                     mostSeconds, "-protocol_whitelist", "file,pipe",
                     "-format_whitelist", formats, "-i", "file:" + path, "-ac",
                     std::to_string(channels), "-ar", std::to_string(rate),
                     "-f", "s16le", "-"},
                    Actions(output, words));
    output.close(1);
    words.close(1);
    if (!readBoth(output.ends[0], bytes, words.ends[0], errors))
      throw blocks::InputError("'" + path + "' holds more than " +
                               std::to_string(mostBytes) +
                               " bytes of samples, or too many errors");
    status = program.wait();
  }
  if (status != 0)
    throw blocks::InputError("ffmpeg cannot decode '" + path +
                             "': " + lastLine(errors));
  std::vector<int16_t> samples(bytes.size() / sizeof(int16_t));
  std::memcpy(samples.data(), bytes.data(), samples.size() * sizeof(int16_t));
  return samples;
}

} // namespace fuel
