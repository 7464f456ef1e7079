// Pipelines of every scheme and transformer: stopped and resumed at every batch
// with any number of workers, and through the server, they deliver the same to
// the end of the next epoch. Damaged states are refused.
#include "blocks/Error.h"
#include "fuel/Datasets.h"
#include "fuel/OpenStream.h"
#include "fuel/Streams.h"
#include "runtime/Base/Sha256.h"
#include "test/fuel/ServedStreams.h"

#include <random>
#include <thread>

using namespace served;

/// From `at` to the end of the next epoch.
static bool follows(DataStream &stream, const std::vector<Step> &steps,
                    size_t at) {
  Batch batch;
  stream.restore(steps[at].state);
  for (size_t i = at; i < steps.size(); ++i) {
    bool more = stream.next(batch);
    if ((more ? describe(stream, batch) : "end") != steps[i].next)
      return false;
    if (!more && i + 1 < steps.size())
      stream.startEpoch();
    if (i + 1 < steps.size() && stream.state() != steps[i + 1].state)
      return false;
  }
  return true;
}

static void checkPipeline(StreamOptions options) {
  std::string name = options.scheme;
  for (const std::string &text : options.transforms)
    name += " | " + text;
  try {
    options.workers = 0;
    std::vector<Step> steps = record(*openStream(options), 2);
    CHECK(steps.size() > 4);
    auto make = [options] { return openStream(options); };
    served::RunningServer server(make);
    for (int64_t workers : {0, 1, 4, -1}) { // -1: through the server.
      options.workers = workers;
      auto stream =
          workers < 0 ? connectStream(server.address()) : openStream(options);
      for (size_t at = 0; at < steps.size(); ++at) {
        if (!follows(*stream, steps, at))
          checkFailed(__FILE__, __LINE__,
                      name + ", workers " + std::to_string(workers) +
                          ", resumed at " + std::to_string(at));
      }
    }
  } catch (const std::exception &error) {
    checkFailed(__FILE__, __LINE__, name + ": " + error.what());
  }
}

static void everyPipeline(const std::string &data) {
  StreamOptions mnist;
  mnist.file = data + "/mnist_small.hdf5";
  mnist.split = "test";
  mnist.batchSize = 8;
  for (const char *scheme :
       {"sequential", "shuffled", "shuffled(sorted=true)", "index_shuffled",
        "block_shuffled(block_size=7)",
        "block_shuffled(block_size=7,rows=shuffled)",
        "weighted(source=targets,draws=40)", "mixed(weights=3)"}) {
    mnist.scheme = scheme;
    checkPipeline(mnist);
  }
  mnist.scheme = "index_shuffled";
  mnist.shard = 1;
  mnist.shards = 3;
  for (const char *ends : {"keep", "drop", "pad"}) {
    mnist.shardEnds = ends;
    mnist.batchSize = 5;
    checkPipeline(mnist);
  }
  mnist.shard = 0;
  mnist.shards = 1;
  mnist.batchSize = 8;
  mnist.scheme = "shuffled";
  const std::vector<std::string> chains[] = {
      {"scale_and_shift(scale=1/255,which=features)",
       "cast(dtype=f32,which=features)"},
      {"flatten", "force_floatX"},
      {"random_fixed_size_crop(window=24x20,which=features)"},
      {"random_flip(which=features,seed=3)"},
      {"random_2d_rotation(which=features)"},
      {"center_crop(window=20x20,which=features)",
       "one_hot(classes=10,which=targets)"},
      {"corner_crop(window=9x9,corner=bottom_right,which=features)"},
      {"minimum_image_dimensions(shape=30x40,which=features,"
       "resample=bicubic)"},
      {"unpack", "filter(source=targets,maximum=6)", "batch(size=6)"},
      {"unpack", "random_fixed_size_crop(window=24x20,which=features)",
       "batch(size=3,strictness=1)"},
      {"cache(size=3)"},
      {"random_flip(which=features)", "cache(size=5)"},
      {"drop_last(size=8)", "rename(from=features,to=x)"},
      {"sort(source=targets,by=value)", "filter_sources(sources=targets)"},
      {"standardize(source=features,mean=30,deviation=70)"},
      {"unpack", "filter_sources(sources=features)", "flatten",
       "window(offset=1,source_window=700,target_window=50)", "batch(size=64)"},
  };
  for (const auto &chain : chains) {
    mnist.transforms = chain;
    checkPipeline(mnist);
  }
  StreamOptions ragged;
  ragged.file = data + "/vlen_images.hdf5";
  ragged.batchSize = 5;
  ragged.scheme = "shuffled";
  const std::vector<std::string> raggedChains[] = {
      {"scale_and_shift(scale=1/255,which=image_features)", "flatten"},
      {"minimum_image_dimensions(shape=9x9,which=image_features)",
       "random_fixed_size_crop(window=8x8,which=image_features)",
       "stack(shape=3x8x8,which=image_features)"},
      {"sort(source=image_features)"},
  };
  for (const auto &chain : raggedChains) {
    ragged.transforms = chain;
    checkPipeline(ragged);
  }
  StreamOptions sequences;
  sequences.file = data + "/vlen_sequences.hdf5";
  sequences.batchSize = 6;
  sequences.scheme = "bucketed(source=recordings,bounds=8+16)";
  sequences.sources = {"recordings", "transcripts"};
  sequences.transforms = {"padding"};
  checkPipeline(sequences);
}

// 2,000 mutations of a state: refused, or (never, with a checksum) right.
static void mutatedStates(const std::string &data) {
  StreamOptions options;
  options.file = data + "/mnist_small.hdf5";
  options.workers = 0;
  options.transforms = {"random_flip(which=features)", "cache(size=5)"};
  auto stream = openStream(options);
  Batch batch;
  stream->startEpoch();
  stream->next(batch);
  stream->next(batch);
  std::string good = stream->state();
  std::mt19937 random(5);
  int refused = 0;
  for (int i = 0; i < 2000; ++i) {
    std::string bad = good;
    size_t at = random() % bad.size();
    if (i % 3 == 0)
      bad[at] = char(random());
    else if (i % 3 == 1)
      bad.erase(at, 1 + random() % 9);
    else
      bad.insert(at, 1, "0123456789;- %"[random() % 14]);
    try {
      stream->restore(bad);
      CHECK(bad == good || stream->state() == good);
    } catch (const blocks::Error &) {
      ++refused;
    }
  }
  CHECK(refused > 1950);
  stream->restore(good);
  CHECK_EQ(stream->state(), good);
}

int main(int, char **argv) {
  everyPipeline(argv[2]);
  mutatedStates(argv[2]);
  return checkSummary();
}
