// CheckpointFile: a checkpoint on disk. One HDF5 file behind a checked header
// (CheckpointHeader.h): the arrays of the state as plain datasets, parameters
// under /parameters/mlp/linear_0/W, the rest under /algorithm/…; everything
// else (scalars, progress, stream, extensions, options) in one archive
// (StateArchive.h), dataset /state. Nothing in it is executed or is an address.
#pragma once

#include "blocks/Program.h"
#include "blocks/StateRecord.h"

#include <map>
#include <string>
#include <vector>

namespace blocks {

/// Which checkpoints stay: `files` in all, the former ones as PATH.1, PATH.2 …;
/// and this one as PATH.best too, until the next that is the best.
struct Keep {
  int64_t files = 1;
  bool best = false;
};

/// Writes a checkpoint under `path`, as a whole or not at all: a temporary
/// beside it, fsync, verification, then the rename. Arrays are written from
/// where they are.
/// Throws IoError; the previous checkpoints then stay as they were.
void writeCheckpoint(const std::string &path, const ProgramSpec &spec,
                     const ProgramState &state, const StateRecords &records,
                     Keep keep);
/// Removes PATH.best, if there is one.
void removeBestCheckpoint(const std::string &path);

/// Verifies a checkpoint and reads its records (CorruptError, IoError).
StateRecords readCheckpointRecords(const std::string &path);

/// Reads the state of an equal model, into arrays as made by makeInitialState.
/// Throws InputError that lists the first differences if the checkpoint is of
/// another model; `state` then stays as it was.
void readCheckpointState(const std::string &path, const ProgramSpec &spec,
                         ProgramState &state);

/// The parameters in a checkpoint by path, whatever their model.
std::map<std::string, Array> readCheckpointParameters(const std::string &path);

/// PATH, PATH.1, … as far as they exist, newest first.
std::vector<std::string> findCheckpoints(const std::string &path);

} // namespace blocks
