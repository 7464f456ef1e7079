// The JSON form of a CompileRequest: what goes over the boundary to the
// compiler, and what the cache key is made from.
#pragma once

#include "blocks/Compiler.h"

namespace blocks {

/// `stopAfter` names the stage whose IR is wanted; empty: a whole compile.
std::string requestToJson(const CompileRequest &request,
                          const std::string &stopAfter);
/// Throws InputError when a field is missing or of the wrong type.
CompileRequest requestFromJson(std::string_view json, std::string &stopAfter);

} // namespace blocks
