// StreamArguments: the options of a command line that describe a stream of
// batches, alike for all tools that read or serve one.
#pragma once

#include "fuel/OpenStream.h"
#include "tools/ToolMain.h"

#include <sstream>

namespace fuel {

class StreamArguments {
public:
  StreamOptions options;

  void add(CLI::App &app) {
    app.add_option("file", options.file,
                   "the file to read, the name of a data set (see fuel-info "
                   "--datasets), or a description such as spiral(classes=3) "
                   "(see fuel-cat --help-data)");
    app.add_option("--config", config,
                   "a TOML file with options of the stream; those given here "
                   "come on top");
    app.add_option("--split", options.split, "a split, or several: train+valid")
        ->capture_default_str();
    app.add_option("--sources", options.sources,
                   "sources, in this order [all of the split]")
        ->delimiter(',')
        ->allow_extra_args(false);
    addOrder(app);
    app.add_option(
           "--transform", transforms,
           "a transformer, such as flatten or cast(dtype=f32,which=a+b) "
           "(see fuel-cat --help-transforms); repeat for several")
        ->expected(1)
        ->take_all();
    app.add_flag("--default-transformers", options.defaultTransformers,
                 "the data set's own transformers, before any others");
    app.add_option("--workers", options.workers,
                   "threads that prepare batches; 0: none")
        ->check(CLI::Range(0, 1024))
        ->capture_default_str();
    app.add_flag("--preserve-order", options.preserveOrder,
                 "keep the order and repetitions of splits by index");
    app.add_flag("--load-in-memory", options.loadInMemory,
                 "read the rows once, instead of mapping the file");
  }

  /// After the command line was parsed: reads the configuration, over which the
  /// command line comes again; its transformers come after those.
  void complete(CLI::App &app, int argc, char **argv) {
    if (!config.empty()) {
      readStreamConfig(config, options);
      app.parse(argc, argv);
    }
    if (options.file.empty())
      throw blocks::UsageError("no file was given; name one, or give --config "
                               "(run with --help for usage)");
    if (!shard.empty())
      parseShard();
    options.transforms.insert(options.transforms.end(), transforms.begin(),
                              transforms.end());
  }

private:
  void addOrder(CLI::App &app) {
    app.add_option("--scheme", options.scheme,
                   "sequential, shuffled … (see fuel-cat --help-schemes)")
        ->capture_default_str();
    app.add_option("--batch-size", options.batchSize, "examples in a batch")
        ->capture_default_str();
    app.add_option("--seed", options.seed,
                   "seed of the shuffle [the configuration's default_seed, or "
                   "1]");
    app.add_option("--shard", shard, "a share of the order: 0/4");
    app.add_option("--shard-ends", options.shardEnds,
                   "if shares are uneven: keep, drop or pad")
        ->capture_default_str();
    app.add_option("--mix", options.moreFiles,
                   "files that are joined to the first, for --scheme "
                   "'mixed(weights=3+1)'")
        ->delimiter(',')
        ->allow_extra_args(false);
  }

  /// "0/4".
  void parseShard() {
    char slash = 0;
    std::istringstream words(shard);
    if (!(words >> options.shard >> slash >> options.shards) || slash != '/' ||
        words.peek() != EOF)
      throw blocks::UsageError("'" + shard +
                               "' is no share; expected for "
                               "example 0/4, the first of four");
  }

  std::string config, shard;
  std::vector<std::string> transforms;
};

} // namespace fuel
