// Opening of libraries: see DynamicLibrary.h.
#include "runtime/Device/Cuda/DynamicLibrary.h"

#include <cstdlib>
#include <dlfcn.h>

namespace blocks::cuda {

DynamicLibrary::DynamicLibrary(std::string name, const char *variable,
                               std::span<const char *const> names)
    : libraryName(std::move(name)) {
  if (const char *chosen = std::getenv(variable); chosen && *chosen) {
    open(chosen);
    if (!handle)
      trouble = "$" + std::string(variable) + " names " + chosen +
                ", which cannot be opened (" + trouble + ")";
    return;
  }
  std::string tried;
  for (const char *file : names) {
    if (!handle)
      open(file);
    tried += (tried.empty() ? "" : ", ") + std::string(file);
  }
  if (!handle)
    trouble =
        (names.size() == 1 ? tried + " cannot" : "none of " + tried + " can") +
        " be opened (" + trouble + "); $" + variable + " may name another file";
}

void DynamicLibrary::open(const std::string &file) {
  handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  fileName = handle ? file : "";
  const char *reason = handle ? nullptr : dlerror();
  trouble = handle ? "" : reason ? reason : "unknown reason";
  // The reason begins with the file's name, which is said anyway.
  if (trouble.rfind(file + ": ", 0) == 0)
    trouble.erase(0, file.size() + 2);
}

void *DynamicLibrary::findOptional(const char *symbol) const {
  return handle ? dlsym(handle, symbol) : nullptr;
}

void *DynamicLibrary::find(const char *symbol) {
  void *address = findOptional(symbol);
  if (handle && !address) {
    trouble = fileName + " has no function " + symbol +
              "; it is older than this program needs: install a newer one";
    handle = nullptr;
  }
  return address;
}

} // namespace blocks::cuda
