// DynamicLibrary: a shared library that may or may not be on this machine. It
// remembers what was looked for and why nothing was found, for errors and for
// `blocks-run doctor`. Libraries stay open for the life of the process:
// NVIDIA's do not survive being unloaded.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace blocks::cuda {

class DynamicLibrary {
public:
  /// Opens $variable if it is set, and nothing else then; otherwise the first
  /// of `names` that can be opened. `name` is what people call the library.
  DynamicLibrary(std::string name, const char *variable,
                 std::span<const char *const> names);

  /// The address of `symbol`; if there is none the library counts as not found.
  void *find(const char *symbol);
  /// The same for one that may be missing.
  void *findOptional(const char *symbol) const;

  bool found() const { return handle != nullptr; }
  const std::string &name() const { return libraryName; }
  /// What was opened, as it was named.
  const std::string &file() const { return fileName; }
  /// Why it was not found; empty if it was.
  const std::string &problem() const { return trouble; }

private:
  void open(const std::string &file);

  std::string libraryName, fileName, trouble;
  void *handle = nullptr;
};

} // namespace blocks::cuda
