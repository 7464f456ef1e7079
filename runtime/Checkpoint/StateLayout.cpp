// StateLayout: see StateLayout.h.
#include "runtime/Checkpoint/StateLayout.h"

#include "blocks/Error.h"
#include "blocks/Parameters.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace blocks {

bool isDataset(const StateSpec &spec) {
  return isParameter(spec) || !spec.shape.empty();
}

std::string datasetPath(const StateSpec &spec) {
  std::string path = spec.path;
  std::replace(path.begin(), path.end(), '.', '/');
  return isParameter(spec) ? "parameters" + path : path.substr(1);
}

std::string parameterPath(const std::string &dataset) {
  std::string path = "/" + dataset;
  path[path.rfind('/')] = '.';
  // A parameter outside any brick has no slash but the first.
  return path[0] == '.' ? "/" + path : path;
}

StateRecord saveScalars(const ProgramSpec &spec, const ProgramState &state) {
  StateRecord record;
  for (size_t i = 0; i < spec.state.size(); ++i) {
    if (isDataset(spec.state[i]))
      continue;
    uint64_t bits = 0;
    std::memcpy(&bits, state.arrays[i].data(), state.arrays[i].bytes());
    record.numbers[spec.state[i].path] = {bits};
  }
  return record;
}

void restoreScalars(const StateRecord &record, const ProgramSpec &spec,
                    ProgramState &state) {
  for (size_t i = 0; i < spec.state.size(); ++i) {
    if (isDataset(spec.state[i]))
      continue;
    int64_t bits = record.getInt(spec.state[i].path);
    std::memcpy(state.arrays[i].data(), &bits, state.arrays[i].bytes());
  }
}

namespace {
std::string describe(const StateSpec &spec) {
  return std::string(dtypeName(spec.dtype)) + " " + formatShape(spec.shape);
}

std::vector<std::string> findDifferences(const StateRecord &found,
                                         const ProgramSpec &spec) {
  std::vector<std::string> lines;
  for (const StateSpec &one : spec.state) {
    auto it = found.texts.find(one.path);
    if (it == found.texts.end())
      lines.push_back("'" + one.path + "' (" + describe(one) +
                      ") is not in the checkpoint");
    else if (it->second != describe(one))
      lines.push_back("'" + one.path + "' is " + it->second +
                      " in the checkpoint, " + describe(one) + " in the model");
  }
  for (const auto &[path, description] : found.texts)
    if (spec.findState(path) < 0)
      lines.push_back("'" + path + "' (" + description +
                      ") is not in the model");
  return lines;
}
} // namespace

StateRecord describeModel(const ProgramSpec &spec) {
  StateRecord record;
  for (const StateSpec &one : spec.state)
    record.setText(one.path, describe(one));
  return record;
}

void checkSameModel(const StateRecord &found, const ProgramSpec &spec,
                    const std::string &where) {
  std::vector<std::string> lines = findDifferences(found, spec);
  if (lines.empty())
    return;
  std::string text = "'" + where + "' is a checkpoint of another model:";
  constexpr size_t shown = 6;
  for (size_t i = 0; i < std::min(shown, lines.size()); ++i)
    text += "\n  " + lines[i];
  if (lines.size() > shown)
    text += "\n  and " + std::to_string(lines.size() - shown) + " more";
  throw InputError(text);
}

} // namespace blocks
