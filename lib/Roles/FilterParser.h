//===- FilterParser.h - Text → predicate ----------------------------------===//
#ifndef LIB_ROLES_FILTERPARSER_H
#define LIB_ROLES_FILTERPARSER_H

#include "lib/Roles/RoleFilter.h"

namespace blocks {

/// Parses the language of RoleFilter.h.
llvm::Expected<std::shared_ptr<FilterNode>> parseFilter(llvm::StringRef text);

/// True if `text` fits the glob: `*` stands for anything but '/', `**` for
/// anything; "/a/**" fits "/a" too.
bool globMatches(llvm::StringRef glob, llvm::StringRef text);

} // namespace blocks

#endif
