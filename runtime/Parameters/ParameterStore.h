// ParameterStore: sets the parameters of a program from named arrays, wherever
// these come from (an archive, a checkpoint), with one complete error for all
// that does not fit. The public functions are in include/blocks/Parameters.h.
#pragma once

#include "blocks/Program.h"

#include <map>
#include <string>

namespace blocks {

/// Copies `arrays` (by path) into the parameters of `state`. Every parameter
/// must be there with its shape and element type, and nothing else; otherwise
/// an InputError that lists what is wrong, and `state` stays as it was.
/// `where` names the file.
void setParameters(const ProgramSpec &spec, ProgramState &state,
                   const std::map<std::string, ArrayView> &arrays,
                   const std::string &where);

/// The same from an NPZ archive.
void setParametersFromNpz(const ProgramSpec &spec, ProgramState &state,
                          const std::string &path);

} // namespace blocks
