// Reads declarations of variables (.global, .const, .shared, .local, .param)
// with alignment, extents and initializers.
#pragma once

#include "Cursor.h"

namespace ptxemu {

/// One declaration, which may name several variables, up to its ';'.
std::vector<Variable> readVariables(Cursor &cursor);

/// The list of parameters in parentheses.
std::vector<Variable> readParameters(Cursor &cursor);

} // namespace ptxemu
