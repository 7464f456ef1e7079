//===- CompilerLibrary.cpp - The C boundary of libBlocksCompiler ----------===//
//
// blocks_compile: JSON in, manifest and object out (CompilerABI.h). Exceptions
// end here.
//
//===----------------------------------------------------------------------===//
#include "blocks/Error.h"
#include "blocks/abi/CompilerABI.h"
#include "lib/API/CompileModel.h"
#include "runtime/Compile/Request.h"

#include <new>
#include <string>

using namespace blocks;

namespace {

/// The result and the memory behind its pointers.
struct OwnedResult : BlocksCompileResult {
  CompileArtifact artifact;
  std::string message;

  void publish() {
    manifest = artifact.manifest.data();
    manifest_size = artifact.manifest.size();
    object = artifact.object.data();
    object_size = artifact.object.size();
    device_text = artifact.deviceText.data();
    device_text_size = artifact.deviceText.size();
    text = artifact.text.data();
    text_size = artifact.text.size();
  }
  void fail(ErrorKind kind, const std::string &what) {
    message = what;
    error = message.c_str();
    error_kind = int(kind);
  }
};

} // namespace

extern "C" __attribute__((visibility("default"))) BlocksCompileResult *
blocks_compile(const char *request, size_t size) {
  auto *result = new (std::nothrow) OwnedResult();
  if (!result)
    return nullptr;
  try {
    std::string stopAfter;
    CompileRequest parsed = requestFromJson({request, size}, stopAfter);
    result->artifact = compileModel(parsed, stopAfter);
  } catch (const Error &e) {
    result->fail(e.kind(), e.what());
  } catch (const std::exception &e) {
    result->fail(ErrorKind::Input, e.what());
  }
  result->publish();
  return result;
}

extern "C" __attribute__((visibility("default"))) void
blocks_compile_free(BlocksCompileResult *result) {
  delete static_cast<OwnedResult *>(result);
}
