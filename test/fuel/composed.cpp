// Composed: what a program puts together in C++: a transformer of its own,
// merged streams, files that are joined. The transformer is the example of
// docs/fuel.md.
#include "fuel/SourceLayers.h"
#include "fuel/Transformers.h"
#include "test/fuel/ServedStreams.h"

#include <fstream>

using namespace served;
using Strings = std::vector<std::string>;

/// The brightest elements of each image are cut: min(x, limit), where the limit
/// is drawn for each image from [least, 255].
class RandomLimit : public RandomItemLayer {
public:
  RandomLimit(std::unique_ptr<Layer> inner, TransformerOptions &options)
      : RandomItemLayer(std::move(inner), options.takeWhich(),
                        options.written(),
                        uint64_t(options.takeInteger("seed", 1))),
        least(options.takeInteger("least", 128)) {
    describeSources();
  }

protected:
  void changeInfo(SourceInfo &info) const override {
    if (info.dtype != blocks::DType::UInt8)
      refuse("takes bytes, but '" + info.name + "' is of another type");
  }
  bool drawsNeedShapes() const override { return false; }
  size_t drawsPerItem() const override { return 1; }
  void draw(Mt19937 &generator, const ItemShapes &shapes,
            std::vector<double> &draws) const override {
    for (int64_t i = 0; i < shapes.count; ++i)
      draws.push_back(double(generator.randomInteger(least, 255)));
  }
  void shapeOf(const ItemView &item, std::span<const double>,
               std::vector<int64_t> &shape) const override {
    shape.assign(item.shape.begin(), item.shape.end());
  }
  void changeItem(const ItemView &item, std::span<const double> draws,
                  std::span<const int64_t>, std::byte *out) const override {
    for (int64_t i = 0; i < item.size(); ++i)
      out[i] = std::min(item.data[i], std::byte(draws[0]));
  }

private:
  int64_t least;
};

static Registry ownRegistry() {
  Registry registry = Registry::builtIn();
  registry.add({"random_limit",
                "cuts the brightest elements",
                {{"least", "128", "the lowest limit"},
                 {"seed", "1", "seed of the limits"},
                 {"which", "all", "the sources to change: a+b"}},
                [](std::unique_ptr<Layer> inner, TransformerOptions &options) {
                  return std::make_unique<RandomLimit>(std::move(inner),
                                                       options);
                }});
  return registry;
}

/// At every step, into a stream with another number of workers.
static void checkResumes(const std::vector<Step> &steps, const MakeStream &make,
                         const std::string &name) {
  Batch batch;
  for (int64_t workers : {0, 4}) {
    auto stream = withWorkers(make(), workers);
    for (size_t at = 0; at < steps.size(); ++at) {
      stream->restore(steps[at].state);
      bool more = stream->next(batch);
      if ((more ? describe(*stream, batch) : "end") != steps[at].next)
        checkFailed(__FILE__, __LINE__,
                    name + ": resumed at " + std::to_string(at));
    }
  }
}

static void ownTransformer(const std::string &data,
                           const std::string &scratch) {
  Registry registry = ownRegistry();
  CHECK_CONTAINS(registry.describe(), "random_limit");
  CHECK_THROWS(registry.add({"flatten", "", {}, {}}),
               "there is a transformer 'flatten' already");
  std::string path = scratch + "/own.toml";
  std::ofstream(path) << "file = \"" << data << "/mnist_small.hdf5\"\n"
                      << "batch_size = 32\nworkers = 0\n[[transform]]\n"
                         "name = \"random_limit\"\nleast = 100\n"
                         "which = [\"features\"]\n";
  auto make = [=] {
    StreamOptions options;
    readStreamConfig(path, options);
    return openStream(options, registry);
  };
  auto stream = make();
  std::vector<Step> steps = record(*stream, 2);
  checkResumes(steps, make, "random_limit");

  StreamOptions plain;
  plain.file = data + "/mnist_small.hdf5";
  plain.batchSize = 32;
  auto original = openStream(plain);
  Mt19937 generator(1);
  Batch mine, theirs;
  stream = make();
  stream->startEpoch();
  original->startEpoch();
  while (original->next(theirs)) {
    CHECK(stream->next(mine));
    for (int64_t image = 0; image < theirs.examples; ++image) {
      auto limit = uint8_t(generator.randomInteger(100, 255));
      for (int64_t i = image * 784; i < (image + 1) * 784; ++i)
        CHECK_EQ(mine.sources[0].as<uint8_t>()[i],
                 std::min(theirs.sources[0].as<uint8_t>()[i], limit));
    }
  }
  StreamOptions wrong = plain;
  wrong.transforms = {"cast(dtype=f32)", "random_limit"};
  CHECK_THROWS(openStream(wrong, registry), "takes bytes");
  wrong.transforms = {"random_limit(most=3)"};
  CHECK_THROWS(openStream(wrong, registry), "it knows: least, seed, which");
}

/// Side by side, with a generator each; states hold both.
static void merged(const std::string &data) {
  auto part = [data](const char *split, Strings sources, Strings texts) {
    StreamOptions options;
    options.file = data + "/mnist_small.hdf5";
    options.split = split;
    options.batchSize = 10;
    options.sources = std::move(sources);
    options.transforms = std::move(texts);
    options.workers = 0;
    return openStream(options);
  };
  auto make = [part]() -> std::unique_ptr<DataStream> {
    std::vector<std::unique_ptr<DataStream>> parts;
    parts.push_back(part("train", {"features"}, {"random_flip"}));
    parts.push_back(part("test", {"features", "targets"},
                         {"random_flip(which=features,seed=9)"}));
    return transform(mergeStreams(std::move(parts), {"a", "b", "label"}),
                     "random_flip(which=a,seed=4)");
  };
  auto stream = make();
  CHECK_EQ(stream->sources()[2].name, "label");
  std::vector<Step> steps = record(*stream, 2);
  CHECK_EQ(steps.size(), 12u); // The shorter one has five batches.
  checkResumes(steps, make, "merged");
}

/// Rows of two files as of one.
static void joinedFiles(const std::string &data) {
  auto open = [&](const char *split) -> std::shared_ptr<const Dataset> {
    H5PYDatasetOptions options;
    options.file = data + "/mnist_small.hdf5";
    options.whichSets = {split};
    return openH5PYDataset(options);
  };
  auto train = open("train"), test = open("test");
  auto both = joinDatasets({train, test});
  CHECK_EQ(both->numExamples(), 250);
  Batch joined, first, second;
  both->getRows(std::vector<int64_t>{249, 3, 200, 3}, joined);
  train->getRows(std::vector<int64_t>{3}, first);
  test->getRows(std::vector<int64_t>{49, 0}, second);
  auto image = [](const Batch &batch, int64_t i) {
    return std::string(
        reinterpret_cast<const char *>(batch.sources[0].data()) + i * 784, 784);
  };
  CHECK(image(joined, 0) == image(second, 0));
  CHECK(image(joined, 1) == image(first, 0));
  CHECK(image(joined, 2) == image(second, 1));
  CHECK(image(joined, 3) == image(first, 0));
  CHECK_THROWS(both->getExample(250, joined), "row 250");
}

int main(int, char **argv) {
  std::string scratch = argv[1], data = argv[2];
  ownTransformer(data, scratch);
  merged(data);
  joinedFiles(data);
  return checkSummary();
}
