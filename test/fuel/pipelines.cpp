// Pipelines of every scheme and transformer (test/data/fuel/pipelines.json):
// stopped and resumed at every batch with any number of workers, and through
// the server, they deliver the same to the end of the next epoch. Damaged
// states are refused. resume.py does it with a process for each step.
#include "blocks/Error.h"
#include "fuel/Datasets.h"
#include "fuel/OpenStream.h"
#include "fuel/Streams.h"
#include "runtime/Base/Sha256.h"
#include "test/fuel/ServedStreams.h"

#include <random>
#include <thread>

using namespace served;
using reference::Json;
using Strings = std::vector<std::string>;

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
    CHECK(steps.size() > 3);
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

/// What an entry does not say is as in the first one.
static StreamOptions optionsOf(const Json &json, const std::string &data) {
  StreamOptions options;
  options.file = data + "/" + json.value("file", "mnist_small.hdf5");
  options.split = json.value("split", "test");
  options.batchSize = json.value("batch_size", 8);
  options.scheme = json.value("scheme", "shuffled");
  options.shard = json.value("shard", 0);
  options.shards = json.value("shards", 1);
  options.shardEnds = json.value("shard_ends", "keep");
  options.sources = json.value("sources", Strings());
  options.transforms = json.value("transforms", Strings());
  for (const std::string &file : json.value("more_files", Strings()))
    options.moreFiles.push_back(data + "/" + file);
  return options;
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
  std::string data = argv[2];
  for (const Json &json : reference::load(data + "/pipelines.json"))
    checkPipeline(optionsOf(json, data));
  mutatedStates(data);
  return checkSummary();
}
