//===- NearMisses.h - "did you mean …?" -----------------------------------===//
//
// For every error about an unknown name: which known ones are close.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_SUPPORT_NEARMISSES_H
#define LIB_SUPPORT_NEARMISSES_H

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <string>

namespace blocks {

/// "; did you mean 'a' or 'b'?" when something is close, otherwise
/// "; there are 'a', 'b', 'c'" with the first dozen of `names`.
std::string suggest(llvm::StringRef word, llvm::ArrayRef<std::string> names);

} // namespace blocks

#endif
