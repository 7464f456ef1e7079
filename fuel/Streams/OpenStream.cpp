// openStream: see include/fuel/OpenStream.h.
#include "fuel/OpenStream.h"

#include "blocks/Error.h"
#include "fuel/Server.h"
#include "fuel/Streams.h"
#include "fuel/Streams/SchemeOptions.h"
#include "fuel/Transformers.h"

#include <sstream>

namespace fuel {

static std::vector<std::string> splitNames(const std::string &joined) {
  std::vector<std::string> names;
  std::istringstream text(joined);
  for (std::string name; std::getline(text, name, '+');)
    names.push_back(name);
  return names;
}

static std::shared_ptr<const Dataset> openDataset(const StreamOptions &options,
                                                  const std::string &file) {
  H5PYDatasetOptions dataset;
  dataset.file = file;
  dataset.whichSets = splitNames(options.split);
  if (!options.sources.empty())
    dataset.sources = options.sources;
  dataset.loadInMemory = options.loadInMemory;
  return openH5PYDataset(dataset);
}

/// What `make` gives; errors of usage begin with the place of `written` in the
/// configuration that it came from.
template <typename Make>
static auto located(const StreamOptions &options, const std::string &written,
                    Make make) {
  try {
    return make();
  } catch (const blocks::UsageError &error) {
    auto place = options.places.find(written);
    if (place == options.places.end())
      throw;
    throw blocks::UsageError(place->second + ": " + error.what());
  }
}

static std::shared_ptr<const Dataset>
openDatasets(const StreamOptions &options, std::vector<int64_t> &sizes) {
  std::vector<std::shared_ptr<const Dataset>> parts{
      openDataset(options, options.file)};
  for (const std::string &file : options.moreFiles)
    parts.push_back(openDataset(options, file));
  for (const auto &part : parts)
    sizes.push_back(part->numExamples());
  return parts.size() == 1 ? parts.front() : joinDatasets(parts);
}

/// Split, order and batches are the server's; only transformers come on top.
static std::unique_ptr<DataStream> openOrder(const StreamOptions &options,
                                             bool &anyThread) {
  if (isZeroMqAddress(options.file))
    return connectZeroMqStream(parseStreamAddress(options.file),
                               options.sources);
  if (isStreamAddress(options.file))
    return connectStream(parseStreamAddress(options.file));
  // Wrong options are told before the file is opened.
  located(options, options.scheme, [&] { checkScheme(options); });
  std::vector<int64_t> sizes;
  std::shared_ptr<const Dataset> dataset =
      located(options, "", [&] { return openDatasets(options, sizes); });
  anyThread = dataset->usableFromAnyThread();
  auto scheme = located(options, options.scheme,
                        [&] { return makeScheme(options, *dataset, sizes); });
  return makeDatasetStream(std::move(dataset), std::move(scheme));
}

std::unique_ptr<DataStream> openStream(const StreamOptions &options,
                                       const Registry &registry) {
  bool anyThread = true;
  std::unique_ptr<DataStream> stream = openOrder(options, anyThread);
  for (const std::string &text : options.transforms)
    stream = located(options, text, [&] {
      return addLayer(std::move(stream), [&](std::unique_ptr<Layer> inner) {
        return registry.make(std::move(inner), text);
      });
    });
  // A server's stream works ahead by itself.
  bool bare = isStreamAddress(options.file) && options.transforms.empty();
  if (!options.prefetch || !anyThread || bare || options.workers == 0)
    return stream;
  return withWorkers(std::move(stream), options.workers, options.prefetchDepth);
}

std::unique_ptr<DataStream> openStream(const StreamOptions &options) {
  return openStream(options, Registry::builtIn());
}

} // namespace fuel
