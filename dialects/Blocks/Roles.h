//===- Roles.h - Roles and their hierarchy --------------------------------===//
//
// Blocks' roles (blocks/roles.py) and which is a kind of which. "gradient" is
// new: Blocks kept gradients outside of the graph.
//
//===----------------------------------------------------------------------===//
#ifndef DIALECTS_BLOCKS_ROLES_H
#define DIALECTS_BLOCKS_ROLES_H

#include <mlir/IR/Attributes.h>
#include <mlir/IR/BuiltinAttributes.h>
#include <mlir/IR/OpImplementation.h>

#include <optional>

#include "dialects/Blocks/BlocksEnums.h.inc"

namespace blocks {

/// The role that `role` is a kind of; none for a top one.
std::optional<Role> parentRole(Role role);
/// True if `role` is `ancestor` or a kind of it.
bool isRole(Role role, Role ancestor);

} // namespace blocks

#endif
