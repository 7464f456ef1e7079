// blocks-run train: options → a compiled program, streams, and one call of
// blocks::train (runtime/Train).
#include "tools/blocks-run/Commands.h"
#include "tools/blocks-run/DataOptions.h"
#include "tools/blocks-run/ModelOptions.h"
#include "tools/blocks-run/OutputFiles.h"

#include "blocks/Error.h"
#include "blocks/Training.h"
#include "fuel/Server.h"
#include "runtime/Base/NamedCalls.h"

#include <algorithm>
#include <iostream>
#include <memory>

namespace blocks::cli {

namespace {

struct TrainCommand {
  ModelOptions model;
  DataOptions data;
  TrainOptions train;
  fuel::StreamOptions stream; ///< Of the training data.
  std::optional<std::string> split, scheme;
  std::string validData, cost = "cost";
  std::vector<std::string> validSplits, validTransforms, regularizers;
  std::string stepRule = "scale(learning_rate=0.1)", monitor;
  std::string checkpointEvery = "1epoch", onNan = "stop";
  bool progress = false, noProgress = false;

  void addTo(CLI::App &command);
  void addOutputs(CLI::App &command);
  int run();
  void checkFiles() const;
  void describeStream();
  void checkSplits() const;
  void finishOptions(const ProgramSpec &spec);
};

void TrainCommand::addTo(CLI::App &command) {
  model.addTo(command);
  data.addTo(command, /*required=*/true);
  command.add_option("--split", split, "Split to train on; a+b joins two")
      ->default_str("train");
  command.add_option("--valid-split", validSplits,
                     "Split to evaluate after each epoch; repeatable");
  command.add_option("--valid-data", validData,
                     "Where these splits are (default: --data)");
  command.add_option("--valid-transform", validTransforms,
                     "Their transformers, in place of the training data's, "
                     "random ones for example; repeatable, '' for none");
  command
      .add_option("--scheme", scheme,
                  "shuffled, sequential, … (see fuel-cat --help-schemes)")
      ->check(schemeText())
      ->default_str("shuffled");
  command
      .add_option("--epochs", train.epochs,
                  "Epochs in all, counting those before a resume")
      ->check(wholeNumber<int64_t>(0));
  command
      .add_option("--batches", train.batches,
                  "Batches in all, counting those before a resume")
      ->check(wholeNumber<int64_t>(0));
  command.add_option("--cost", cost, "The output to minimize")
      ->capture_default_str();
  command
      .add_option("--step-rule", stepRule,
                  "e.g. 'adam(learning_rate=0.001)', or several: "
                  "'step_clipping(threshold=10), scale(learning_rate=0.1)'")
      ->capture_default_str();
  command.add_option("--schedule", train.schedule,
                     "How the learning rate changes, e.g. "
                     "'warmup(over=500batches), cosine(over=10epochs)'; "
                     "for=NAME for another hyperparameter");
  command.add_option("--regularize", regularizers,
                     "e.g. 'dropout(p=0.5, where=\"role:output "
                     "brick:/mlp/rectifier_*\")'; repeatable");
  addOutputs(command);
}

void TrainCommand::addOutputs(CLI::App &command) {
  command
      .add_option("--monitor", monitor,
                  "Outputs to report, e.g. cost,error_rate (default: all "
                  "scalar ones); also values inside bricks, "
                  "/mlp/linear_0.W_norm, and "
                  "/algorithm.total_gradient_norm, …total_step_norm")
      ->check(nameList());
  command.add_option("--checkpoint", train.checkpointPath,
                     "File for checkpoints");
  command
      .add_option("--checkpoint-every", checkpointEvery,
                  "1epoch, 500batches or 10min")
      ->capture_default_str();
  command.add_option("--keep", train.keep, "Checkpoints to keep")
      ->check(wholeNumber<int64_t>(1))
      ->capture_default_str();
  command.add_option("--best", train.best,
                     "SPLIT/OUTPUT, e.g. valid/cost: the model with the best "
                     "one is kept as CHECKPOINT.best");
  command
      .add_option("--choose-best", train.chooseBest,
                  "Which value is the best: lowest or highest")
      ->check(CLI::IsMember({"lowest", "highest"}))
      ->capture_default_str();
  command
      .add_option("--patience", train.patience,
                  "End after so many epochs without a better --best")
      ->check(wholeNumber<int64_t>(1));
  command.add_flag("--resume", train.resume,
                   "Continue from the newest valid checkpoint, if any");
  command.add_flag("--allow-changed-model", train.allowChangedModel,
                   "Resume even if the model file changed since");
  command.add_option("--log", train.logPath, "JSON lines, a row an epoch");
  command
      .add_option("--log-every", train.logEvery,
                  "Also a row every so many batches")
      ->check(wholeNumber<int64_t>(0));
  command.add_option("--times", train.timesPath, "JSON lines of times");
  command.add_flag("--profile", train.profile,
                   "Tell at the end how long training waited for data, and "
                   "where the time of the data went");
  command.add_option("--plot", train.plotPath, "HTML page of the curves");
  command.add_option("--on-nan", onNan, "stop or continue")
      ->check(CLI::IsMember({"stop", "continue"}))
      ->capture_default_str();
  command.add_option("--set-parameters", train.setParametersPath,
                     "Start from an NPZ file or a checkpoint");
  command.add_option("--save-parameters", train.saveParametersPath,
                     "Write the parameters to an NPZ file at the end");
  command.add_flag("--progress", progress, "Show a progress bar");
  command.add_flag("--no-progress", noProgress, "Show no progress bar");
  command.footer("Example:\n"
                 "  blocks-run train docs/examples/mnist_mlp.mlir --data "
                 "fashion_mnist.hdf5 \\\n"
                 "    --valid-split test --epochs 10 --step-rule "
                 "'adam(learning_rate=0.001)' \\\n"
                 "    --checkpoint mnist.ckpt --log mnist.jsonl --resume");
}

void TrainCommand::checkFiles() const {
  NamedFile checkpoint{"--checkpoint", train.checkpointPath};
  std::vector<NamedFile> outputs = {
      checkpoint,
      {"--log", train.logPath, /*replaced=*/false},
      {"--times", train.timesPath, /*replaced=*/false},
      {"--plot", train.plotPath},
      {"--save-parameters", train.saveParametersPath}};
  checkOutputFiles({{"MODEL", model.model}, {"--data", data.file}}, outputs);
  if (!train.resume)
    checkNoOtherFile(checkpoint);
}

void TrainCommand::describeStream() {
  stream = data.describe(model.seed);
  stream.split = split.value_or(stream.split);
  stream.scheme = scheme.value_or(stream.scheme);
  if (!validSplits.empty() && validData.empty() &&
      fuel::isStreamAddress(stream.file))
    throw UsageError("the server at '" + stream.file +
                     "' delivers the training data alone; say where the splits "
                     "of --valid-split are, with --valid-data FILE");
}

/// Values are reported by the split's name, so each may stand once.
void TrainCommand::checkSplits() const {
  std::vector<std::string> seen = {stream.split};
  for (const std::string &name : validSplits) {
    if (std::find(seen.begin(), seen.end(), name) != seen.end())
      throw UsageError("--valid-split '" + name + "' is " +
                       (name == stream.split ? "the split that is trained on"
                                             : "given twice") +
                       "; leave it out (blocks-run eval measures any split)");
    seen.push_back(name);
  }
}

/// What only the compiled program and all options together tell.
void TrainCommand::finishOptions(const ProgramSpec &spec) {
  train.seed = model.seed;
  train.trainName = stream.split;
  train.monitor = splitList(monitor);
  train.checkpointEvery = parseCheckpointInterval(checkpointEvery);
  train.onNan = parseOnNan(onNan);
  train.hyperparameters = explicitHyperparameters(stepRule, spec);
  if (progress || noProgress || model.json)
    train.progressBar = progress && !noProgress;
  std::string rules;
  for (const std::string &regularizer : regularizers)
    rules += regularizer + ";";
  train.fixed = {{"--cost", cost},
                 {"--split", stream.split},
                 {"--scheme", stream.scheme},
                 {"--batch-size", std::to_string(stream.batchSize)},
                 {"--seed", std::to_string(model.seed)},
                 {"--regularize", rules},
                 {"--step-rule", callStructure(stepRule)}};
  train.platform = model.platform();
}

int TrainCommand::run() {
  if (!train.epochs && !train.batches)
    throw UsageError("say how long to train: --epochs N or --batches N");
  describeStream();
  checkSplits();
  checkFiles();
  CompileRequest request = model.request();
  request.training = true;
  request.cost = cost;
  request.stepRule = stepRule;
  request.regularizers = regularizers;
  request.outputs = splitList(monitor);
  CompiledModel compiled = model.compile(request);
  if (!compiled.program)
    return 0;
  const ProgramSpec &spec = compiled.program->spec();
  finishOptions(spec);
  const EntrySpec &entry = spec.entries[findEntry(*compiled.program, "train")];
  auto batches = openFor(entry, stream);
  std::vector<std::unique_ptr<fuel::DataStream>> validStreams;
  std::vector<NamedStream> valid;
  fuel::StreamOptions validation = stream;
  if (!validData.empty())
    validation.file = validData;
  if (!validTransforms.empty()) {
    validation.transforms = validTransforms;
    std::erase(validation.transforms, "");
  }
  for (const std::string &name : validSplits) {
    const EntrySpec &eval = spec.entries[findEntry(*compiled.program, "eval")];
    validStreams.push_back(openFor(eval, forEvaluation(validation, name)));
    valid.push_back({name, validStreams.back().get()});
  }
  return blocks::train(*compiled.program, *batches, valid, train,
                       model.events(), model.text(), std::cerr);
}

} // namespace

void addTrainCommand(CLI::App &app, Action &action) {
  auto *command = app.add_subcommand("train", "Trains a model");
  auto state = std::make_shared<TrainCommand>();
  state->addTo(*command);
  command->callback([=, &action] { action = [=] { return state->run(); }; });
}

} // namespace blocks::cli
