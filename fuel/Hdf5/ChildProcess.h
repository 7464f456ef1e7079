// ChildProcess: work on bytes that nobody vouches for, done in a process of its
// own. Whatever happens there, a crash, an endless loop, a huge allocation, is
// an error here. The HDF5 library reads the headers of files this way: some
// damaged ones make it crash.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace fuel {

struct ChildLimits {
  int64_t cpuSeconds = 2;
  /// Address space beyond what this process has now.
  uint64_t moreBytes = uint64_t(2) << 30;
  uint64_t answerBytes = uint64_t(1) << 30;
};

/// Calls `work` in a child and returns what it returned. An Error thrown there
/// is thrown here; anything else becomes a CorruptError that begins with
/// "cannot read 'PATH'". The child must not touch locks that other threads of
/// this process may hold.
std::string inChildProcess(const std::string &path, const ChildLimits &limits,
                           const std::function<std::string()> &work);

} // namespace fuel
