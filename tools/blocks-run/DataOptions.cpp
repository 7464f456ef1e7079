// DataOptions: see the header.
#include "tools/blocks-run/DataOptions.h"
#include "tools/blocks-run/ModelOptions.h"

#include "blocks/Error.h"
#include "fuel/Server.h"
#include "fuel/Streams/SchemeOptions.h"

#include <algorithm>

namespace blocks::cli {

void DataOptions::addTo(CLI::App &command, bool required) {
  auto *data = command.add_option(
      "--data", file,
      "A Fuel HDF5 file, the name of a data set (fuel-info --datasets), a "
      "fuel-server's address tcp://HOST:PORT, or a TOML "
      "file (.toml) that describes a pipeline");
  if (required)
    data->required();
  command.add_option("--batch-size", batchSize, "Examples in a batch")
      ->check(wholeNumber<int64_t>(1))
      ->default_str("128");
  command
      .add_option("--sources", sources,
                  "Sources to read, where transformers make the model's of "
                  "others (default: those of the model that the data have)")
      ->delimiter(',');
  command.add_option("--transform", transforms,
                     "A transformer for the data, e.g. 'cast(dtype=f32)'; "
                     "repeatable");
  command.add_flag("--default-transformers", defaultTransformers,
                   "The data set's own transformers, before any others");
  command.add_option("--workers", workers, "Threads that prepare batches")
      ->check(CLI::Range(0, 1024))
      ->default_str("1");
  command
      .add_option("--prefetch-depth", prefetchDepth, "Batches prepared ahead")
      ->check(wholeNumber<int64_t>(1))
      ->default_str("4");
  command.add_flag("--no-prefetch", noPrefetch,
                   "Read batches in the training thread");
}

fuel::StreamOptions DataOptions::describe(uint64_t seed) const {
  fuel::StreamOptions options;
  options.seed = seed;
  if (file.ends_with(".toml"))
    fuel::readStreamConfig(file, options);
  else
    options.file = file;
  if (options.file.empty())
    throw UsageError("the pipeline '" + file +
                     "' names no data; it needs a line such as "
                     "file = \"train.hdf5\"");
  options.batchSize = batchSize.value_or(options.batchSize);
  options.workers = workers.value_or(options.workers);
  options.prefetchDepth = prefetchDepth.value_or(options.prefetchDepth);
  options.prefetch = !noPrefetch;
  options.defaultTransformers |= defaultTransformers;
  if (!sources.empty())
    options.sources = sources;
  options.transforms.insert(options.transforms.end(), transforms.begin(),
                            transforms.end());
  return options;
}

/// How the data become what the entry expects.
static std::string remedy(const fuel::SourceInfo &found,
                          const SourceSpec &wanted) {
  if (found.dtype == wanted.dtype && found.shape.size() == 1 &&
      wanted.shape.size() == 2 && wanted.shape[1] == 1)
    return "; --transform 'flatten(which=" + wanted.name +
           ")' makes an axis of each example";
  return "; change the graph's argument and convert it there (blocks.cast, the "
         "Flattener brick), or use --transform";
}

/// Refuses data whose element type or rank is not the entry's: the model casts
/// and scales in its graph, nothing is converted behind its back. Sources that
/// are missing are told when the entry is bound to the stream.
static void checkSources(const fuel::DataStream &stream, const EntrySpec &entry,
                         const std::string &file) {
  for (const SourceSpec &wanted : entry.sources)
    for (const fuel::SourceInfo &found : stream.sources()) {
      if (found.name != wanted.name || found.ragged)
        continue;
      bool fits = found.shape.size() == wanted.shape.size();
      for (size_t d = 0; fits && d < wanted.shape.size(); ++d)
        fits = wanted.shape[d] < 0 || found.shape[d] < 0 ||
               wanted.shape[d] == found.shape[d];
      if (fits && found.dtype == wanted.dtype)
        continue;
      throw InputError("source '" + wanted.name + "' of " + file + " is " +
                       formatShape(found.shape) + " " +
                       std::string(dtypeName(found.dtype)) + ", but entry '" +
                       entry.name + "' expects " + formatShape(wanted.shape) +
                       " " + std::string(dtypeName(wanted.dtype)) +
                       remedy(found, wanted));
    }
}

/// The names of what the data give before any transformer.
static std::vector<std::string> storedSources(fuel::StreamOptions options) {
  options.transforms.clear();
  options.defaultTransformers = false;
  options.prefetch = false;
  options.loadInMemory = false;
  auto stream = fuel::openStream(options);
  std::vector<std::string> names;
  for (const fuel::SourceInfo &source : stream->sources())
    names.push_back(source.name);
  return names;
}

/// The sources of the entry. Of a file, those that it has: the others are made
/// by transformers, such as the mask of a padded sequence.
static std::vector<std::string> wantedSources(const EntrySpec &entry,
                                              const fuel::StreamOptions &data) {
  std::vector<std::string> names;
  for (const SourceSpec &source : entry.sources)
    names.push_back(source.name);
  bool isFile = data.file.find("://") == std::string::npos &&
                data.file.find('(') == std::string::npos;
  if (data.transforms.empty() || !isFile)
    return names;
  std::vector<std::string> stored = storedSources(data);
  std::erase_if(names, [&](const std::string &name) {
    return std::find(stored.begin(), stored.end(), name) == stored.end();
  });
  return names;
}

std::unique_ptr<fuel::DataStream> openFor(const EntrySpec &entry,
                                          fuel::StreamOptions options) {
  if (options.sources.empty() && !fuel::isZeroMqAddress(options.file))
    options.sources = wantedSources(entry, options);
  auto stream = fuel::openStream(options);
  checkSources(*stream, entry, options.file);
  return stream;
}

fuel::StreamOptions forEvaluation(fuel::StreamOptions options,
                                  const std::string &split) {
  options.split = split;
  options.scheme = "sequential";
  options.shard = 0;
  options.shards = 1;
  return options;
}

CLI::Validator schemeText() {
  auto check = [](std::string &text) -> std::string {
    fuel::StreamOptions options;
    options.scheme = text;
    try {
      fuel::checkScheme(options);
    } catch (const Error &error) {
      return error.what();
    }
    return {};
  };
  return CLI::Validator(check, "");
}

} // namespace blocks::cli
