// StateLayout: where each state array stands in a checkpoint. Arrays and all
// parameters are datasets; scalars of the algorithm (counters, seeds,
// hyperparameters) are numbers in the archive. Nothing is stored twice.
#pragma once

#include "blocks/Program.h"
#include "blocks/StateRecord.h"

#include <string>

namespace blocks {

/// False for a scalar that goes to the archive.
bool isDataset(const StateSpec &spec);
/// "/mlp/linear_0.W" → "parameters/mlp/linear_0/W"; "/algorithm/mlp/linear_0/
/// W.mean" → "algorithm/mlp/linear_0/W/mean".
std::string datasetPath(const StateSpec &spec);
/// The parameter's path behind a dataset "mlp/linear_0/W" of /parameters.
std::string parameterPath(const std::string &dataset);

/// The scalars in the archive, by path.
StateRecord saveScalars(const ProgramSpec &spec, const ProgramState &state);
void restoreScalars(const StateRecord &record, const ProgramSpec &spec,
                    ProgramState &state);

/// Path → "f32 784x500" of every state array.
StateRecord describeModel(const ProgramSpec &spec);
/// Throws InputError that lists the first differences.
void checkSameModel(const StateRecord &found, const ProgramSpec &spec,
                    const std::string &where);

} // namespace blocks
