// embed: a program of one's own around Blocks: compiles the model given as the
// first argument, and trains it for one epoch on the file given as the second.
// README.md shows its middle; the suite builds and runs it.
#include "blocks/Compiler.h"
#include "blocks/Error.h"
#include "blocks/Parameters.h"
#include "fuel/OpenStream.h"

#include <fstream>
#include <iostream>
#include <sstream>

static std::string readText(const char *path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

static void trainOneEpoch(const char *model, const char *file) {
  blocks::CompileRequest request;
  request.modelText = readText(model);
  request.training = true; // derive the entries "train" and "eval"
  request.stepRule = "adam(learning_rate=0.001)";
  auto [program, seconds, cached] = blocks::compileOrLoad(request);

  // The first entry is "train"; its sources say what the stream must deliver.
  fuel::StreamOptions options;
  options.file = file;
  for (const auto &source : program->spec().entries[0].sources)
    options.sources.push_back(source.name);
  auto stream = fuel::openStream(options);

  auto state = blocks::makeInitialState(program->spec(), /*seed=*/1);
  fuel::Batch batch;
  std::vector<blocks::ArrayView> inputs;
  std::vector<blocks::Array> outputs;
  stream->startEpoch();
  while (stream->next(batch)) {
    inputs.clear();
    for (const blocks::Array &source : batch.sources)
      inputs.push_back(source.view());
    if (auto status = program->run(0, state, inputs, outputs); !status.ok)
      throw blocks::NumericError(status.message());
  }
  std::cout << "cost of the last batch: " << *outputs[0].as<float>() << "\n";
  blocks::saveParameters(program->spec(), state, "trained.npz");
}

int main(int argc, char **argv) {
  if (argc != 3) {
    std::cerr << "usage: embed MODEL.mlir DATA.hdf5\n";
    return 2;
  }
  try {
    trainOneEpoch(argv[1], argv[2]);
    return 0;
  } catch (const blocks::Error &error) {
    std::cerr << "embed: error: " << error.what() << "\n";
    return error.exitStatus();
  }
}
