// Which GPU code is made for.
#ifndef BLOCKS_LIB_JIT_GPUTARGET_H
#define BLOCKS_LIB_JIT_GPUTARGET_H

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>
#include <string>

namespace blocks {

struct GpuTarget {
  std::string architecture; ///< "sm_90"
  /// The oldest version of PTX that knows it, as LLVM's feature: drivers older
  /// than the newest can read it, too.
  std::string features; ///< "+ptx78"
};

/// Finds an architecture from sm_75 to sm_121; an unknown one is an error that
/// lists them. LLVM itself ends the process when it is asked for one.
llvm::Expected<GpuTarget> findGpuTarget(llvm::StringRef architecture);

} // namespace blocks
#endif
