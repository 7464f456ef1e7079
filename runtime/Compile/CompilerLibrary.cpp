// CompilerLibrary: see the header.
#include "runtime/Compile/CompilerLibrary.h"

#include "blocks/Error.h"

#include <dlfcn.h>
#include <memory>
#include <unistd.h>

namespace blocks {

namespace {

/// Folder of the running program.
std::string programFolder() {
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  std::string text(path, length > 0 ? size_t(length) : 0);
  return text.substr(0, text.rfind('/'));
}

struct Functions {
  decltype(&blocks_compile) compile;
  decltype(&blocks_compile_free) release;
};

Functions openLibrary() {
  std::string path = findCompilerLibrary();
  if (path.empty())
    throw UnsupportedError(
        "this model is not in the object cache, and libBlocksCompiler.so was "
        "not found beside the program (" +
        programFolder() +
        "); set BLOCKS_COMPILER_LIBRARY to its path, or build with "
        "BLOCKS_COMPILER=ON");
  void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    throw UnsupportedError("cannot open the compiler: " +
                           std::string(dlerror()));
  Functions functions{reinterpret_cast<decltype(&blocks_compile)>(
                          dlsym(handle, "blocks_compile")),
                      reinterpret_cast<decltype(&blocks_compile_free)>(
                          dlsym(handle, "blocks_compile_free"))};
  if (!functions.compile || !functions.release)
    throw UnsupportedError(path + " is not a Blocks compiler library");
  return functions;
}

} // namespace

std::string findCompilerLibrary() {
  if (const char *path = std::getenv("BLOCKS_COMPILER_LIBRARY"))
    return path;
  for (const char *relative : {"/../lib/", "/"}) {
    std::string path = programFolder() + relative + "libBlocksCompiler.so";
    if (access(path.c_str(), R_OK) == 0)
      return path;
  }
  return {};
}

CompileOutput compileWithLibrary(const std::string &requestJson) {
  Functions functions = openLibrary(); // dlopen counts references itself
  std::unique_ptr<BlocksCompileResult, decltype(functions.release)> result(
      functions.compile(requestJson.data(), requestJson.size()),
      functions.release);
  if (!result)
    throw std::bad_alloc();
  if (result->error)
    throw Error(ErrorKind(result->error_kind), result->error);
  auto *object = reinterpret_cast<const std::byte *>(result->object);
  return {std::string(result->manifest, result->manifest_size),
          std::vector<std::byte>(object, object + result->object_size),
          std::string(result->device_text ? result->device_text : "",
                      result->device_text_size),
          std::string(result->text, result->text_size)};
}

} // namespace blocks
