// Parameters: the first values of a program's state, and parameters read from
// and written to files. A file's kind is told by its content: an NPZ archive
// (member "/mlp/linear_0.W.npy" is parameter "/mlp/linear_0.W") or a
// checkpoint.
#pragma once

#include "blocks/Program.h"

#include <cstdint>
#include <string>

namespace blocks {

/// All state arrays with their initial values, which depend on (seed, path)
/// alone.
ProgramState makeInitialState(const ProgramSpec &spec, uint64_t seed);

/// True for what a file of parameters holds: everything but the training
/// algorithm's buffers, counters and hyperparameters.
bool isParameter(const StateSpec &spec);

/// Sets every parameter from an NPZ archive or a checkpoint. Unknown or missing
/// members, another shape or element type: an InputError that lists them, and
/// `state` stays as it was.
void loadParameters(const ProgramSpec &spec, ProgramState &state,
                    const std::string &path);

/// Writes the parameters to an NPZ archive, as a whole or not at all.
void saveParameters(const ProgramSpec &spec, const ProgramState &state,
                    const std::string &path);

} // namespace blocks
