// A compiler that always returns the hand-written program for GPUs, from files
// that the environment names: for tests of the commands without a compiler.
#include "blocks/abi/CompilerABI.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace {
struct Result : BlocksCompileResult {
  std::string parts[3];
};

std::string fileOf(const char *variable) {
  const char *path = std::getenv(variable);
  std::ifstream file(path ? path : "", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
} // namespace

extern "C" __attribute__((visibility("default"))) BlocksCompileResult *
blocks_compile(const char *, size_t) {
  auto *result = new Result();
  result->parts[0] = fileOf("BLOCKS_FAKE_MANIFEST");
  result->parts[1] = fileOf("BLOCKS_FAKE_OBJECT");
  result->parts[2] = fileOf("BLOCKS_FAKE_DEVICE_TEXT");
  result->manifest = result->parts[0].data();
  result->manifest_size = result->parts[0].size();
  result->object = result->parts[1].data();
  result->object_size = result->parts[1].size();
  result->device_text = result->parts[2].data();
  result->device_text_size = result->parts[2].size();
  return result;
}

extern "C" __attribute__((visibility("default"))) void
blocks_compile_free(BlocksCompileResult *result) {
  delete static_cast<Result *>(result);
}
