// Conversions with a rounding mode that the host sets: op->imm is 0 for .rn,
// 1 for .rz, 2 for .rm, 3 for .rp.
#pragma once

#include "../machine/Op.h"
#include "../ptx/Type.h"

namespace ptxemu {

/// From an integer of 32 or 64 bits, or f64, to f32 or f64; else null.
Handler roundedConversion(Type to, Type from);

} // namespace ptxemu
