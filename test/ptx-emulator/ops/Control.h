// Handlers that the decoder itself adds: guards, labels, changes of width,
// addresses that depend on the call.
#pragma once

#include "../machine/Op.h"

namespace ptxemu {

extern const Handler joinHandler, unguardHandler, invertPredicateHandler,
    localAddressHandler;
Handler guardHandler(bool negated);
/// From a slot of one width to another; widths in bytes.
Handler resizeHandler(unsigned from, unsigned to, bool extendSign);
Handler addImmediateHandler(bool wide);
Handler clockHandler(bool wide, bool high);

} // namespace ptxemu
