// fuel-cat: prints the batches of a stream over a Fuel HDF5 file.
#include "fuel/Statistics.h"
#include "runtime/Base/AtomicFile.h"
#include "runtime/Base/FileDescriptor.h"
#include "tools/StreamArguments.h"
#include "tools/fuel-cat/BatchPrinter.h"

#include <fcntl.h>
#include <optional>

namespace {
struct CatOptions {
  int64_t epochs = 1;
  std::optional<int64_t> batches;
  bool json = false, profile = false;
  std::string resume, saveState, statistics;
};

/// The one line that an earlier call has saved.
std::string readState(const std::string &path) {
  constexpr uint64_t most = 1 << 24;
  blocks::FileDescriptor file(path, O_RDONLY);
  if (file.size() > most)
    throw blocks::InputError("it has " + std::to_string(file.size()) +
                             " bytes; expected a line of a few thousand");
  std::string state(file.size(), '\0');
  state.resize(file.readAt(state.data(), state.size(), 0));
  if (state.ends_with('\n'))
    state.pop_back();
  return state;
}

void restore(fuel::DataStream &stream, const std::string &path) {
  try {
    stream.restore(readState(path));
  } catch (const blocks::Error &error) {
    throw blocks::InputError("cannot resume from '" + path +
                             "': " + error.what());
  }
}

void saveState(const std::string &path, const std::string &state) {
  blocks::AtomicFile file(path);
  file.write(state + "\n");
  file.commit();
}

/// A resumed epoch is the first of those asked for; its batches are counted
/// from the place where it goes on.
void printBatches(fuel::DataStream &stream, const CatOptions &options) {
  fuel::BatchPrinter printer(std::cout, stream, options.json);
  fuel::Batch batch;
  int64_t printed = 0;
  bool resumed = !options.resume.empty();
  if (resumed)
    restore(stream, options.resume);
  for (int64_t epoch = 1; epoch <= options.epochs; ++epoch) {
    if (epoch > 1 || !resumed)
      stream.startEpoch();
    for (int64_t number = 1;; ++number) {
      if (options.batches && printed++ >= *options.batches)
        return;
      if (!stream.next(batch))
        break;
      printer.print(epoch, number, batch);
    }
  }
}

void printProfile(const fuel::DataStream &stream) {
  std::optional<fuel::StreamStatistics> found = stream.statistics();
  if (!found)
    return;
  std::cerr << found->batches << " batches, " << found->workers
            << " workers; waited " << found->waited << " s for data ("
            << found->waits << " times nothing was ready), spent "
            << found->between << " s on batches\n";
  for (const fuel::LayerTime &layer : found->layers)
    std::cerr << "  " << layer.seconds << " s in " << layer.items
              << " items of " << layer.name << "\n";
}

void run(const fuel::StreamOptions &options, const CatOptions &cat) {
  auto stream = fuel::openStream(options);
  if (!cat.statistics.empty())
    return fuel::writeStatistics(cat.statistics,
                                 fuel::computeStatistics(*stream));
  printBatches(*stream, cat);
  // What the state counts as delivered is printed, should this process end.
  std::cout.flush();
  if (!cat.saveState.empty())
    saveState(cat.saveState, stream->state());
  if (cat.profile)
    printProfile(*stream);
}

} // namespace

int main(int argc, char **argv) {
  CLI::App app("Prints the batches of a data set, as a training run would see "
               "them.",
               "fuel-cat");
  app.footer(
      "Examples:\n"
      "  fuel-cat mnist.hdf5 --batches 1\n"
      "  fuel-cat mnist.hdf5 --split test --sources targets --batch-size 20\n"
      "  fuel-cat mnist.hdf5 --scheme shuffled --seed 3 --epochs 2 --json\n"
      "  fuel-cat mnist.hdf5 --transform "
      "'scale_and_shift(scale=1/255,which=features)' --transform flatten\n"
      "With --json, each batch is one object on a line: epoch and batch (from "
      "1), request (the rows), and for each source its dtype, shape, sha256, "
      "sum and values, or the first 24 of more than 64.");
  fuel::StreamArguments stream;
  stream.options.scheme = "sequential";
  stream.add(app);
  CatOptions cat;
  bool transformHelp = false, listSchemes = false, dataHelp = false;
  app.add_option("--epochs", cat.epochs, "epochs to print")
      ->capture_default_str();
  app.add_option("--batches", cat.batches, "stop after this many batches");
  app.add_flag("--json", cat.json, "one JSON object a batch");
  app.add_option("--save-state", cat.saveState,
                 "writes the place reached at the end to a file");
  app.add_option("--resume", cat.resume, "goes on from such a file");
  app.add_flag("--profile", cat.profile, "tells at the end where time went");
  app.add_option("--write-statistics", cat.statistics,
                 "prints nothing, but writes means and deviations over an "
                 "epoch to a file for 'standardize'");
  app.add_flag("--help-transforms", transformHelp, "lists the transformers");
  app.add_flag("--help-schemes", listSchemes, "lists the schemes");
  app.add_flag("--help-data", dataHelp,
               "lists the data sets that need no "
               "Fuel file");
  return blocks::toolMain(app, argc, argv, [&] {
    if (transformHelp)
      std::cout << fuel::Registry::builtIn().describe();
    if (listSchemes)
      std::cout << fuel::schemeHelp();
    if (dataHelp)
      std::cout << fuel::Registry::builtIn().describeData();
    if (transformHelp || listSchemes || dataHelp)
      return;
    stream.complete(app, argc, argv);
    run(stream.options, cat);
  });
}
