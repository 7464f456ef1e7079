// Hyperparameters: scalars of the state that the user may set by value, such
// as "/algorithm.learning_rate"; another value needs no recompilation.
#pragma once

#include "blocks/Program.h"

#include <map>
#include <ostream>
#include <string>

namespace blocks {

/// The index of a hyperparameter, by its path ("/algorithm.learning_rate",
/// "/algorithm/scale_1.learning_rate") or its last part ("learning_rate").
/// Throws UsageError, listing those there are, if there is none, or several.
size_t findHyperparameter(const ProgramSpec &spec, const std::string &name);

/// Stores `value` in a scalar as far as its type goes; false if it was there.
/// Throws UnsupportedError for types that hyperparameters do not have.
bool setScalar(Array &array, double value);

/// Sets them in `state`. Throws UsageError, listing those there are, on an
/// unknown path. With `announce`, says which ones change and how.
void applyHyperparameters(const ProgramSpec &spec, ProgramState &state,
                          const std::map<std::string, double> &values,
                          std::ostream *announce);

} // namespace blocks
