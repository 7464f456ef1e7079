// Which x86-64 processor code is made for: the host, or a level that can be
// pinned so that results and cached objects move between machines.
#ifndef BLOCKS_LIB_JIT_CPUTARGET_H
#define BLOCKS_LIB_JIT_CPUTARGET_H

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>
#include <string>

namespace blocks {

struct CpuTarget {
  /// "native", "x86-64-v2", "x86-64-v3" or "x86-64-v4", as asked for.
  std::string level;
  /// LLVM's name of the processor and its features, part of the cache's key.
  std::string processor;
  std::string features;
  bool hasFma = false;
  bool hasHalf = false; ///< Conversions from and to f16.
};

/// Finds the target of a level; for "native", asks the processor.
llvm::Expected<CpuTarget> findCpuTarget(llvm::StringRef level = "native");

} // namespace blocks
#endif
