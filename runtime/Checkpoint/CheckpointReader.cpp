// Reading of checkpoints: see CheckpointFile.h. The header and its checksum are
// verified first, on a mapping of the file; only then HDF5 opens it.
#include "runtime/Checkpoint/CheckpointFile.h"

#include "blocks/Error.h"
#include "blocks/NpzFile.h"
#include "blocks/Parameters.h"
#include "runtime/Base/MappedFile.h"
#include "runtime/Checkpoint/CheckpointHeader.h"
#include "runtime/Checkpoint/StateArchive.h"
#include "runtime/Checkpoint/StateLayout.h"
#include "runtime/Hdf5/File.h"
#include "runtime/Parameters/ParameterStore.h"

#include <cstring>

namespace blocks {

namespace {
hdf5::File openVerified(const std::string &path) {
  verifyCheckpoint(MappedFile(path).bytes(), path);
  return hdf5::File::open(path);
}

StateRecords readRecords(const hdf5::File &file, const std::string &path) {
  Array archive = file.root().read("state");
  if (archive.dtype() != DType::UInt8 || archive.shape().size() != 1)
    throw CorruptError("'" + path + "': dataset 'state' is no row of bytes");
  return unpackRecords({archive.data(), archive.bytes()}, path);
}

const StateRecord &findRecord(const StateRecords &records,
                              const std::string &name,
                              const std::string &path) {
  auto it = records.find(name);
  if (it == records.end())
    throw CorruptError("'" + path + "' lacks the record '" + name + "'");
  return it->second;
}

void checkDatasets(const hdf5::Group &root, const ProgramSpec &spec) {
  for (const StateSpec &one : spec.state) {
    if (!isDataset(one))
      continue;
    hdf5::Dataset dataset = root.dataset(datasetPath(one));
    if (dataset.dtype() != one.dtype || dataset.shape() != one.shape)
      throw CorruptError("'" + root.file() + "': dataset '" + datasetPath(one) +
                         "' differs from the checkpoint's own list");
  }
}

void collectArrays(const hdf5::Group &group, const std::string &prefix,
                   std::map<std::string, Array> &arrays, int depth) {
  if (depth > 64)
    throw CorruptError("'" + group.file() + "': groups are nested too deeply");
  for (const std::string &child : group.children()) {
    std::string path = prefix.empty() ? child : prefix + "/" + child;
    if (group.isGroup(child))
      collectArrays(group.group(child), path, arrays, depth + 1);
    else
      arrays.emplace(parameterPath(path), group.read(child));
  }
}
} // namespace

StateRecords readCheckpointRecords(const std::string &path) {
  return readRecords(openVerified(path), path);
}

void readCheckpointState(const std::string &path, const ProgramSpec &spec,
                         ProgramState &state) {
  hdf5::File file = openVerified(path);
  StateRecords records = readRecords(file, path);
  checkSameModel(findRecord(records, "model", path), spec, path);
  hdf5::Group root = file.root();
  checkDatasets(root, spec);
  restoreScalars(findRecord(records, "scalars", path), spec, state);
  // One array at a time, so that memory holds the state but once.
  for (size_t i = 0; i < spec.state.size(); ++i)
    if (isDataset(spec.state[i]))
      state.arrays[i] = root.read(datasetPath(spec.state[i]));
}

std::map<std::string, Array> readCheckpointParameters(const std::string &path) {
  hdf5::File file = openVerified(path);
  std::map<std::string, Array> arrays;
  collectArrays(file.root().group("parameters"), "", arrays, 0);
  return arrays;
}

void loadParameters(const ProgramSpec &spec, ProgramState &state,
                    const std::string &path) {
  if (looksLikeNpz(path))
    return setParametersFromNpz(spec, state, path);
  if (!looksLikeCheckpoint(path))
    throw InputError("'" + path +
                     "' is neither an NPZ archive nor a checkpoint of Blocks");
  std::map<std::string, Array> arrays = readCheckpointParameters(path);
  std::map<std::string, ArrayView> views;
  for (const auto &[name, array] : arrays)
    views.emplace(name, array.view());
  setParameters(spec, state, views, path);
}

} // namespace blocks
