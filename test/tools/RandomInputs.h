//===- RandomInputs.h - Made-up sources and parameters for an entry -------===//
//
// Deterministic in the seed, on every machine. Dynamic extents come by axis
// name. Real numbers are uniform on [-1, 1), integers on 0 … 1; an argument's
// attribute `check.range = [low, high]` asks for other limits (integers below
// high), so that labels and denominators make sense. Parameters take theirs
// from the same attribute of blocks.parameter.
//
//===----------------------------------------------------------------------===//
#ifndef TEST_TOOLS_RANDOMINPUTS_H
#define TEST_TOOLS_RANDOMINPUTS_H

#include "lib/Reference/Interpreter.h"

#include <map>
#include <string>

namespace blocks::testing {

using Extents = std::map<std::string, int64_t>;

struct Range {
  double low, high;
};
/// By source, for models that cannot carry the attribute.
using Ranges = std::map<std::string, Range>;

/// Sources of `entry`; an axis that `extents` lacks has extent 3.
reference::NamedTensors randomSources(mlir::FunctionOpInterface entry,
                                      const Extents &extents, uint64_t seed,
                                      const Ranges &ranges = {});
/// State of the module: every floating-point parameter random, the rest as
/// initialized.
llvm::Expected<reference::NamedTensors> randomState(mlir::ModuleOp module,
                                                    uint64_t seed);

} // namespace blocks::testing

#endif
