// Hyperparameters: scalars of the state that the user may set by value, such
// as "/algorithm.learning_rate"; another value needs no recompilation.
#pragma once

#include "blocks/Program.h"

#include <map>
#include <ostream>
#include <string>

namespace blocks {

/// Sets them in `state`. Throws UsageError, listing those there are, on an
/// unknown path. With `announce`, says which ones change and how.
void applyHyperparameters(const ProgramSpec &spec, ProgramState &state,
                          const std::map<std::string, double> &values,
                          std::ostream *announce);

} // namespace blocks
