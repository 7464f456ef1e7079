// Monitored: see Monitored.h.
#include "runtime/Train/Monitored.h"

#include "runtime/Train/Aggregator.h"

namespace blocks {

static bool hasOutput(const EntrySpec &entry, const std::string &name) {
  for (const OutputSpec &output : entry.outputs)
    if (output.name == name)
      return true;
  return false;
}

std::vector<std::string> monitored(const ProgramSpec &spec,
                                   const EntrySpec &entry,
                                   const std::vector<std::string> &names) {
  if (names.empty())
    return scalarOutputs(entry);
  const EntrySpec *eval = spec.findEntry("eval"),
                  *train = spec.findEntry("train");
  std::vector<std::string> chosen;
  for (const std::string &name : names) {
    bool elsewhere =
        (eval && hasOutput(*eval, name)) || (train && hasOutput(*train, name));
    if (hasOutput(entry, name) || !elsewhere) // Unknown everywhere: an error.
      chosen.push_back(name);
  }
  return chosen;
}

} // namespace blocks
