// openStream: see include/fuel/OpenStream.h.
#include "fuel/OpenStream.h"

#include "blocks/Error.h"
#include "fuel/Server.h"
#include "fuel/Streams.h"
#include "fuel/Streams/DataKinds.h"
#include "fuel/Streams/NamedData.h"
#include "fuel/Streams/SchemeOptions.h"
#include "fuel/Transformers.h"

namespace fuel {

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

/// A file, or what stands for one.
static OpenedData openPart(const StreamOptions &options,
                           const Registry &registry, const std::string &file) {
  if (isDataCall(file))
    return openDataCall(file, registry);
  return openNamedFile(options, file);
}

static std::shared_ptr<const Dataset> datasetOf(OpenedData data,
                                                const std::string &file) {
  if (auto *dataset = std::get_if<std::shared_ptr<const Dataset>>(&data))
    return *dataset;
  throw blocks::UsageError("'" + file +
                           "' can be read from its beginning only, so it "
                           "cannot be mixed with other files");
}

using Parts = std::vector<std::shared_ptr<const Dataset>>;

static Parts openParts(const StreamOptions &options, const Registry &registry,
                       OpenedData first) {
  Parts parts{datasetOf(std::move(first), options.file)};
  for (const std::string &file : options.moreFiles)
    parts.push_back(datasetOf(openPart(options, registry, file), file));
  return parts;
}

static std::unique_ptr<DataStream> openScheme(const StreamOptions &options,
                                              Parts parts, bool &anyThread) {
  std::vector<int64_t> sizes;
  for (const auto &part : parts)
    sizes.push_back(part->numExamples());
  std::shared_ptr<const Dataset> dataset =
      parts.size() == 1 ? parts.front() : joinDatasets(parts);
  anyThread = dataset->usableFromAnyThread();
  auto scheme = located(options, options.scheme,
                        [&] { return makeScheme(options, *dataset, sizes); });
  return makeDatasetStream(std::move(dataset), std::move(scheme));
}

/// Of a described data set all sources are there; some may be wanted.
static std::unique_ptr<DataStream>
chooseSources(std::unique_ptr<DataStream> stream,
              const StreamOptions &options) {
  if (options.sources.empty() || !isDataCall(options.file))
    return stream;
  std::string names;
  for (const std::string &name : options.sources)
    names += (names.empty() ? "" : "+") + name;
  return transform(std::move(stream), "filter_sources(sources=" + names + ")");
}

/// Split, order and batches are a server's own, and those of a text the file's;
/// only transformers come on top.
static std::unique_ptr<DataStream> openOrder(const StreamOptions &options,
                                             const Registry &registry,
                                             bool &anyThread) {
  if (isZeroMqAddress(options.file))
    return connectZeroMqStream(parseStreamAddress(options.file),
                               options.sources);
  if (isStreamAddress(options.file))
    return connectStream(parseStreamAddress(options.file));
  // Wrong options are told before the file is opened.
  located(options, options.scheme, [&] { checkScheme(options); });
  OpenedData data = located(
      options, "", [&] { return openPart(options, registry, options.file); });
  auto *lines = std::get_if<std::unique_ptr<DataStream>>(&data);
  if (lines && options.moreFiles.empty())
    return chooseSources(std::move(*lines), options);
  Parts parts = located(options, "", [&] {
    return openParts(options, registry, std::move(data));
  });
  return chooseSources(openScheme(options, std::move(parts), anyThread),
                       options);
}

std::unique_ptr<DataStream> openStream(const StreamOptions &options,
                                       const Registry &registry) {
  bool anyThread = true;
  std::vector<std::string> transforms =
      located(options, "", [&] { return allTransforms(options); });
  std::unique_ptr<DataStream> stream = openOrder(options, registry, anyThread);
  for (const std::string &text : transforms)
    stream = located(options, text, [&] {
      return addLayer(std::move(stream), [&](std::unique_ptr<Layer> inner) {
        return registry.make(std::move(inner), text);
      });
    });
  // A server's stream works ahead by itself.
  bool bare = isStreamAddress(options.file) && transforms.empty();
  if (!options.prefetch || !anyThread || bare || options.workers == 0)
    return stream;
  return withWorkers(std::move(stream), options.workers, options.prefetchDepth);
}

std::unique_ptr<DataStream> openStream(const StreamOptions &options) {
  return openStream(options, Registry::builtIn());
}

} // namespace fuel
