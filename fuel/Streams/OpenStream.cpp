// openStream: see include/fuel/OpenStream.h.
#include "fuel/OpenStream.h"

#include "blocks/Error.h"
#include "fuel/Server.h"
#include "fuel/Streams.h"

#include <sstream>

namespace fuel {

static std::vector<std::string> splitNames(const std::string &joined) {
  std::vector<std::string> names;
  std::istringstream text(joined);
  for (std::string name; std::getline(text, name, '+');)
    names.push_back(name);
  return names;
}

static std::unique_ptr<IterationScheme> makeScheme(const StreamOptions &options,
                                                   int64_t examples) {
  if (options.scheme == "shuffled")
    return std::make_unique<ShuffledScheme>(examples, options.batchSize,
                                            options.seed);
  if (options.scheme == "sequential")
    return std::make_unique<SequentialScheme>(examples, options.batchSize);
  throw blocks::UsageError("unknown scheme '" + options.scheme +
                           "'; expected 'shuffled' or 'sequential'");
}

static std::shared_ptr<const Dataset>
openDataset(const StreamOptions &options) {
  H5PYDatasetOptions dataset;
  dataset.file = options.file;
  dataset.whichSets = splitNames(options.split);
  if (!options.sources.empty())
    dataset.sources = options.sources;
  dataset.loadInMemory = options.loadInMemory;
  return openH5PYDataset(dataset);
}

/// Split, order and batches are the server's; only transformers come on top.
static std::unique_ptr<DataStream>
openServedStream(const StreamOptions &options) {
  auto stream = connectStream(parseStreamAddress(options.file));
  for (const std::string &text : options.transforms)
    stream = transform(std::move(stream), text);
  bool ahead = options.prefetch && !options.transforms.empty();
  return ahead ? prefetch(std::move(stream), options.prefetchDepth)
               : std::move(stream);
}

std::unique_ptr<DataStream> openStream(const StreamOptions &options) {
  if (isStreamAddress(options.file))
    return openServedStream(options);
  makeScheme(options, 0); // Wrong options are told before the file is opened.
  std::shared_ptr<const Dataset> dataset = openDataset(options);
  bool threaded = options.prefetch && dataset->usableFromAnyThread();
  int64_t examples = dataset->numExamples();
  std::unique_ptr<DataStream> stream =
      makeDatasetStream(std::move(dataset), makeScheme(options, examples));
  for (const std::string &text : options.transforms)
    stream = transform(std::move(stream), text);
  return threaded ? prefetch(std::move(stream), options.prefetchDepth)
                  : std::move(stream);
}

} // namespace fuel
