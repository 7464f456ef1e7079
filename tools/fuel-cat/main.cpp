// fuel-cat: prints the batches of a stream over a Fuel HDF5 file.
#include "fuel/OpenStream.h"
#include "tools/ToolMain.h"
#include "tools/fuel-cat/BatchPrinter.h"

#include <optional>

static void printStream(fuel::DataStream &stream, int64_t epochs,
                        std::optional<int64_t> limit, bool json) {
  fuel::BatchPrinter printer(std::cout, stream, json);
  fuel::Batch batch;
  int64_t printed = 0;
  for (int64_t epoch = 1; epoch <= epochs; ++epoch) {
    stream.startEpoch();
    for (int64_t number = 1; stream.next(batch); ++number) {
      if (limit && printed++ >= *limit)
        return;
      printer.print(epoch, number, batch);
    }
  }
}

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
  fuel::StreamOptions options;
  options.scheme = "sequential";
  int64_t epochs = 1;
  std::optional<int64_t> batches;
  bool json = false;
  app.add_option("file", options.file, "the file to read")->required();
  app.add_option("--split", options.split, "a split, or several: train+valid")
      ->capture_default_str();
  app.add_option("--sources", options.sources,
                 "sources, in this order [all of the split]")
      ->delimiter(',');
  app.add_option("--scheme", options.scheme, "sequential or shuffled")
      ->capture_default_str();
  app.add_option("--batch-size", options.batchSize, "examples in a batch")
      ->capture_default_str();
  app.add_option("--seed", options.seed, "seed of the shuffle")
      ->capture_default_str();
  app.add_option("--transform", options.transforms,
                 "a transformer: scale_and_shift(scale=…,shift=…), "
                 "cast(dtype=…), flatten; each may name its sources "
                 "(which=a+b); repeat for several")
      ->expected(1)
      ->take_all();
  app.add_option("--epochs", epochs, "epochs to print")->capture_default_str();
  app.add_option("--batches", batches, "stop after this many batches");
  app.add_flag("--json", json, "one JSON object a batch");
  return blocks::toolMain(app, argc, argv, [&] {
    printStream(*fuel::openStream(options), epochs, batches, json);
  });
}
