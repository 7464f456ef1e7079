// The one exception tree of runtime/ and fuel/. Every message says what was
// found, what was expected, where, and what to do; it is shown to the user as
// it is. Exceptions are caught at the C boundary and in main().
#pragma once

#include <stdexcept>
#include <string>

namespace blocks {

/// What kind of failure; tools turn it into an exit status (2 for Usage, else
/// 1), the C API into a code.
enum class ErrorKind {
  Usage,       ///< The caller's options are wrong.
  Input,       ///< A model, data or parameter file is wrong.
  Io,          ///< The operating system refused (full disk, no permission).
  Corrupt,     ///< A checksum, magic number or length does not hold.
  Numeric,     ///< NaN or a label out of range while running.
  Unsupported, ///< Legal, but not available here.
};

class Error : public std::runtime_error {
public:
  Error(ErrorKind kind, const std::string &message)
      : std::runtime_error(message), errorKind(kind) {}
  ErrorKind kind() const { return errorKind; }
  /// The exit status of a tool that ends with this error.
  int exitStatus() const { return errorKind == ErrorKind::Usage ? 2 : 1; }

private:
  ErrorKind errorKind;
};

struct UsageError : Error {
  explicit UsageError(const std::string &m) : Error(ErrorKind::Usage, m) {}
};
struct InputError : Error {
  explicit InputError(const std::string &m) : Error(ErrorKind::Input, m) {}
};
struct IoError : Error {
  explicit IoError(const std::string &m) : Error(ErrorKind::Io, m) {}
};
struct CorruptError : Error {
  explicit CorruptError(const std::string &m) : Error(ErrorKind::Corrupt, m) {}
};
struct NumericError : Error {
  explicit NumericError(const std::string &m) : Error(ErrorKind::Numeric, m) {}
};
struct UnsupportedError : Error {
  explicit UnsupportedError(const std::string &m)
      : Error(ErrorKind::Unsupported, m) {}
};

} // namespace blocks
