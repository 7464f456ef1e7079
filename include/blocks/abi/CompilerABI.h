// The boundary between a running program and libBlocksCompiler, which it opens
// with dlopen only when the object cache misses. Plain C: a request as JSON
// text in, a manifest and an object out.
#ifndef BLOCKS_ABI_COMPILERABI_H
#define BLOCKS_ABI_COMPILERABI_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Owned by the compiler; free with blocks_compile_free.
typedef struct BlocksCompileResult {
  const char *manifest; ///< JSON (docs/architecture.md).
  size_t manifest_size;
  const char *object; ///< A relocatable ELF object.
  size_t object_size;
  const char *device_text; ///< PTX of the kernels; null for the processor.
  size_t device_text_size;
  const char *text; ///< The IR, if the request names a stage to stop after.
  size_t text_size;
  const char *error; ///< What went wrong, for the user; null if nothing did.
  int error_kind;    ///< blocks::ErrorKind of `error`.
} BlocksCompileResult;

/// Compiles. `request` is the JSON of runtime/Compile/Request.cpp. Returns null
/// only when memory runs out. Not thread-safe.
BlocksCompileResult *blocks_compile(const char *request, size_t size);
void blocks_compile_free(BlocksCompileResult *result);

#ifdef __cplusplus
}
#endif
#endif
