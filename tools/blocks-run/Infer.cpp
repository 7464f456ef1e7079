// blocks-run infer: runs a graph of the model on arrays from NPY files.
#include "tools/blocks-run/Commands.h"
#include "tools/blocks-run/ModelOptions.h"
#include "tools/blocks-run/OutputFiles.h"

#include "blocks/Error.h"
#include "blocks/NpzFile.h"
#include "blocks/Parameters.h"

#include <algorithm>
#include <iostream>
#include <memory>

namespace blocks::cli {

namespace {

/// NAME=FILE of --input and --output.
using NamedFiles = std::vector<std::pair<std::string, std::string>>;

NamedFiles parseNamedFiles(const std::vector<std::string> &texts,
                           const char *option) {
  NamedFiles files;
  for (const std::string &text : texts) {
    size_t equal = text.find('=');
    if (equal == std::string::npos || equal == 0)
      throw UsageError(std::string(option) + " takes NAME=FILE.npy, found '" +
                       text + "'");
    std::string name = text.substr(0, equal);
    if (std::any_of(files.begin(), files.end(),
                    [&](auto &file) { return file.first == name; }))
      throw UsageError(std::string(option) + " " + name + " is given twice");
    files.emplace_back(name, text.substr(equal + 1));
  }
  return files;
}

struct InferCommand {
  ModelOptions model;
  std::string entry = "predict", parameters;
  std::vector<std::string> inputs, outputs;

  void addTo(CLI::App &command);
  void checkFiles(const NamedFiles &outputFiles) const;
  int run();
};

void InferCommand::addTo(CLI::App &command) {
  model.addTo(command);
  command.add_option("--entry", entry, "The graph to run")
      ->capture_default_str();
  command.add_option("--parameters", parameters,
                     "NPZ file or checkpoint (default: initial values)");
  command.add_option("--input", inputs,
                     "SOURCE=FILE.npy; repeatable, one for each source of the "
                     "graph");
  command
      .add_option("--output", outputs,
                  "OUTPUT=FILE.npy; repeatable. An output of the graph, or a "
                  "value inside a brick such as /mlp/linear_0.output")
      ->required();
  command.footer("Example:\n  blocks-run infer docs/examples/mnist_mlp.mlir "
                 "--entry predict \\\n    --parameters mnist.ckpt --input "
                 "features=x.npy --output probabilities=p.npy");
}

/// The arrays of the entry's sources, in its order.
std::vector<Array> readInputs(const EntrySpec &entry, const NamedFiles &files) {
  std::vector<Array> arrays;
  for (const SourceSpec &source : entry.sources) {
    auto file = std::find_if(files.begin(), files.end(),
                             [&](auto &f) { return f.first == source.name; });
    if (file == files.end())
      throw UsageError("entry '" + entry.name + "' needs source '" +
                       source.name + "'; add --input " + source.name +
                       "=FILE.npy");
    arrays.push_back(readNpy(file->second));
  }
  for (const auto &[name, path] : files)
    if (std::none_of(entry.sources.begin(), entry.sources.end(),
                     [&](auto &source) { return source.name == name; }))
      throw UsageError("entry '" + entry.name + "' has no source '" + name +
                       "'");
  return arrays;
}

/// An output may replace an input, but not the model or the parameters.
void InferCommand::checkFiles(const NamedFiles &outputFiles) const {
  std::vector<NamedFile> files;
  for (const auto &[name, path] : outputFiles)
    files.push_back({"--output " + name, path});
  checkOutputFiles({{"MODEL", model.model}, {"--parameters", parameters}},
                   files);
}

int InferCommand::run() {
  NamedFiles inputFiles = parseNamedFiles(inputs, "--input");
  NamedFiles outputFiles = parseNamedFiles(outputs, "--output");
  checkFiles(outputFiles);
  CompileRequest request = model.request();
  std::vector<std::string> wanted;
  for (const auto &[name, path] : outputFiles)
    wanted.push_back(name);
  request.graphs = {{entry, wanted}};
  CompiledModel compiled = model.compile(request);
  if (!compiled.program)
    return 0;
  Program &program = *compiled.program;
  size_t index = findEntry(program, entry);
  const EntrySpec &spec = program.spec().entries[index];
  std::vector<Array> arrays = readInputs(spec, inputFiles);
  std::vector<ArrayView> views;
  for (const Array &array : arrays)
    views.push_back(array.view());
  ProgramState state = makeInitialState(program.spec(), model.seed);
  if (parameters.empty())
    std::cerr << "note: no --parameters, so these are the initial "
                 "values of seed "
              << model.seed << "\n";
  else
    loadParameters(program.spec(), state, parameters);
  std::vector<Array> results;
  StepStatus status = program.run(index, state, views, results);
  if (!status.ok)
    throw NumericError(status.message());
  for (const auto &[name, path] : outputFiles)
    for (size_t i = 0; i < spec.outputs.size(); ++i)
      if (spec.outputs[i].name == name)
        writeNpy(path, results[i].view());
  model.events().end(0, 0, 0);
  return 0;
}

} // namespace

void addInferCommand(CLI::App &app, Action &action) {
  auto *command =
      app.add_subcommand("infer", "Runs a graph of the model on arrays");
  auto state = std::make_shared<InferCommand>();
  state->addTo(*command);
  command->callback([=, &action] { action = [=] { return state->run(); }; });
}

} // namespace blocks::cli
