// Checkpointer: see Checkpointer.h.
#include "runtime/Train/Checkpointer.h"

#include "blocks/Error.h"
#include "runtime/Checkpoint/CheckpointFile.h"
#include "runtime/Train/Extensions/NanGuard.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace fs = std::filesystem;

namespace blocks {

namespace {
/// Every option that must be equal in a resumed run.
std::vector<std::pair<std::string, std::string>>
fixedOptions(const TrainOptions &options, const fuel::DataStream &stream) {
  std::vector<std::pair<std::string, std::string>> fixed = options.fixed;
  bool hasSeed = std::any_of(fixed.begin(), fixed.end(), [](auto &option) {
    return option.first == "--seed";
  });
  if (!hasSeed)
    fixed.emplace_back("--seed", std::to_string(options.seed));
  fixed.emplace_back("the training data and their order", stream.fingerprint());
  return fixed;
}

std::string absolutePath(const std::string &path) {
  std::error_code error;
  fs::path result = fs::weakly_canonical(fs::absolute(path), error);
  return error ? path : result.string();
}

} // namespace

const StateRecord &findRecord(const FoundCheckpoint &found,
                              const std::string &name) {
  auto it = found.records.find(name);
  if (it == found.records.end())
    throw CorruptError("'" + found.path + "' lacks the record '" + name +
                       "'; it is not the checkpoint of a training run");
  return it->second;
}

Checkpointer::Checkpointer(const TrainOptions &options,
                           const fuel::DataStream &stream, TrainingLog *log,
                           EventSink &events)
    : options(options), stream(stream), log(log), events(events) {}

void Checkpointer::write(MainLoop &loop, const std::string &position,
                         bool best) {
  int64_t iterations = loop.status().iterations;
  loop.state().download();
  if (options.onNan == OnNan::Stop)
    checkFinite(loop.program().spec(), loop.state(), iterations);
  StateRecords records;
  loop.save(records);
  records["stream"].setText("position", position);
  for (const auto &[name, value] : fixedOptions(options, stream))
    records["options"].setText(name, value);
  records["platform"].setText("platform", options.platform);
  for (const ModelPart &part : loop.program().spec().model)
    records["model text"].setText(part.name, part.sha256);
  if (log && log->hasFile()) {
    // The rows up to here must not be younger than the checkpoint.
    log->sync();
    LogPosition at = log->position();
    records["log"].setText("path", absolutePath(log->path()));
    records["log"].setInt("offset", int64_t(at.offset));
    records["log"].setText("sha256", at.sha256);
  }
  if (discard && !best)
    removeBestCheckpoint(options.checkpointPath);
  writeCheckpoint(options.checkpointPath, loop.program().spec(), loop.state(),
                  records,
                  {std::exchange(discard, false) ? 1 : options.keep, best});
  events.checkpoint(options.checkpointPath, iterations);
}

std::optional<FoundCheckpoint> findNewestValid(const std::string &path,
                                               std::ostream &messages) {
  std::string reasons;
  for (const std::string &candidate : findCheckpoints(path)) {
    try {
      FoundCheckpoint found{candidate, readCheckpointRecords(candidate)};
      if (!reasons.empty())
        messages << "warning: damaged checkpoints were passed over:" << reasons
                 << "\nwarning: falling back to '" << candidate << "'"
                 << std::endl;
      return found;
    } catch (const Error &error) {
      reasons += std::string("\n  ") + error.what();
    }
  }
  if (reasons.empty())
    return std::nullopt;
  throw CorruptError("no checkpoint to resume from is whole:" + reasons +
                     "\nremove them, or leave out --resume, to start afresh");
}

void checkSameOptions(const FoundCheckpoint &found, const TrainOptions &options,
                      const fuel::DataStream &stream) {
  const StateRecord &record = findRecord(found, "options");
  std::string differences;
  for (const auto &[name, value] : fixedOptions(options, stream)) {
    bool recorded = record.texts.count(name);
    std::string former = recorded ? record.getText(name) : "not recorded";
    if (!recorded || former != value)
      differences += "\n  " + name + " was " + former + ", now " + value;
  }
  if (!differences.empty())
    throw UsageError("cannot resume from '" + found.path +
                     "' with other options:" + differences +
                     "\nuse the former values, or start a new run without "
                     "--resume");
}

namespace {
/// A line for each part of the model that is not what the checkpoint has.
std::string textDifferences(const StateRecord &record,
                            const std::vector<ModelPart> &model) {
  constexpr size_t shown = 12; // Digits that a person can compare.
  std::map<std::string, std::string> former = record.texts;
  std::string lines;
  for (const ModelPart &part : model) {
    auto node = former.extract(part.name);
    if (node.empty())
      lines += "\n  " + part.name + " is not in the checkpoint";
    else if (node.mapped() != part.sha256)
      lines += "\n  " + part.name + " has the hash " +
               node.mapped().substr(0, shown) + " in the checkpoint, " +
               part.sha256.substr(0, shown) + " in the model file";
  }
  for (const auto &[name, hash] : former)
    lines += "\n  " + name + " is not in the model file";
  return lines;
}
} // namespace

void checkSameText(const FoundCheckpoint &found, const ProgramSpec &spec,
                   bool allowChanged, std::ostream &messages) {
  if (spec.model.empty())
    return;
  auto record = found.records.find("model text");
  if (record == found.records.end()) {
    messages << "the checkpoint '" << found.path
             << "' was written by an earlier version and has no hash of its "
                "model; only names and shapes of the parameters were compared"
             << std::endl;
    return;
  }
  std::string lines = textDifferences(record->second, spec.model);
  if (lines.empty())
    return;
  if (!allowChanged)
    throw InputError("the model changed since '" + found.path +
                     "' was written, though its parameters kept their names "
                     "and shapes:" +
                     lines +
                     "\nresume with the model file of that run, start a new "
                     "run without --resume, or add --allow-changed-model to "
                     "go on with the changed one");
  messages << "the run goes on with a changed model (--allow-changed-model):"
           << lines << std::endl;
}

TrainingLog resumeLog(const FoundCheckpoint &found, const std::string &path,
                      std::ostream &messages) {
  if (path.empty())
    return TrainingLog();
  if (!found.records.count("log")) {
    if (fs::exists(path) && fs::file_size(path) > 0)
      throw InputError("'" + path + "' exists, but the checkpoint '" +
                       found.path +
                       "' belongs to a run without a log; name another file");
    return TrainingLog(path);
  }
  const StateRecord &record = findRecord(found, "log");
  bool sameName = absolutePath(path) == record.getText("path");
  if (!sameName && !fs::exists(path)) {
    messages << "the log '" << record.getText("path")
             << "' is not continued; starting '" << path << "'" << std::endl;
    return TrainingLog(path);
  }
  return TrainingLog(
      path, {uint64_t(record.getInt("offset")), record.getText("sha256")});
}

} // namespace blocks
