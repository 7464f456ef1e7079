// blocks-run eval: the monitored values of one or more splits.
#include "tools/blocks-run/Commands.h"
#include "tools/blocks-run/DataOptions.h"
#include "tools/blocks-run/ModelOptions.h"

#include "blocks/Error.h"
#include "blocks/Training.h"
#include "fuel/Server.h"

#include <iostream>
#include <memory>

namespace blocks::cli {

namespace {

struct EvalCommand {
  ModelOptions model;
  DataOptions data;
  EvaluateOptions evaluate;
  std::vector<std::string> splits;
  std::string cost = "cost", monitor;

  void addTo(CLI::App &command);
  int run();
};

void EvalCommand::addTo(CLI::App &command) {
  model.addTo(command);
  data.addTo(command, /*required=*/true);
  command.add_option("--split", splits, "Split to evaluate; repeatable")
      ->default_str("test");
  command.add_option("--cost", cost, "The output that names the graph")
      ->capture_default_str();
  command.add_option("--parameters", evaluate.parametersPath,
                     "NPZ file or checkpoint (default: initial values)");
  command
      .add_option("--monitor", monitor,
                  "Outputs to report (default: all scalar ones); also values "
                  "inside bricks, /mlp/linear_0.W_norm")
      ->check(nameList());
  command.footer("Example:\n  blocks-run eval docs/examples/mnist_mlp.mlir "
                 "--parameters mnist.ckpt --data fashion_mnist.hdf5 --split "
                 "test");
}

int EvalCommand::run() {
  // Which split a server delivers only the server knows.
  if (splits.empty())
    splits = {fuel::isStreamAddress(data.file) ? "served" : "test"};
  CompileRequest request = model.request();
  request.evaluation = true;
  request.cost = cost;
  request.outputs = splitList(monitor);
  CompiledModel compiled = model.compile(request);
  if (!compiled.program)
    return 0;
  evaluate.seed = model.seed;
  evaluate.monitor = splitList(monitor);
  const EntrySpec &entry =
      compiled.program->spec().entries[findEntry(*compiled.program, "eval")];
  std::vector<std::unique_ptr<fuel::DataStream>> streams;
  std::vector<NamedStream> named;
  fuel::StreamOptions described = data.describe(model.seed);
  for (const std::string &split : splits) {
    streams.push_back(openFor(entry, forEvaluation(described, split)));
    named.push_back({split, streams.back().get()});
  }
  return blocks::evaluate(*compiled.program, named, evaluate, model.events(),
                          model.text(), std::cerr);
}

} // namespace

void addEvalCommand(CLI::App &app, Action &action) {
  auto *command = app.add_subcommand("eval", "Evaluates a model on a split");
  auto state = std::make_shared<EvalCommand>();
  state->addTo(*command);
  command->callback([=, &action] { action = [=] { return state->run(); }; });
}

} // namespace blocks::cli
