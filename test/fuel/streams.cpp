// Streams: state and restore at every batch, with and without prefetching, for
// every scheme; errors that cross the prefetching thread; wrong options.
#include "fuel/Streams.h"
#include "blocks/Error.h"
#include "fuel/OpenStream.h"
#include "test/fuel/Recording.h"

#include <chrono>
#include <functional>
#include <thread>

using namespace fuel;
using namespace recording;
using reference::Json;
using MakeStream = std::function<std::unique_ptr<DataStream>()>;

/// Restores each state of `from` into a stream of `to` that was used before,
/// and compares all that follows.
static void checkResumes(const MakeStream &from, const MakeStream &to) {
  constexpr int epochs = 3;
  std::vector<Step> steps = record(*from(), epochs);
  std::unique_ptr<DataStream> stream = to();
  for (size_t i = 0; i < steps.size(); ++i) {
    Batch batch;
    stream->startEpoch();
    stream->next(batch);
    stream->restore(steps[i].state);
    CHECK_EQ(stream->state(), steps[i].state);
    for (size_t j = i; j < steps.size(); ++j) {
      bool more = stream->next(batch);
      CHECK_EQ(more ? describe(*stream, batch) : "end", steps[j].next);
      if (!more && j + 1 < steps.size())
        stream->startEpoch();
      if (j + 1 < steps.size())
        CHECK_EQ(stream->state(), steps[j + 1].state);
      if (j > i + 6) // The rest was compared from a later state.
        break;
    }
  }
}

static void resumesEverywhere(const std::string &data) {
  H5PYDatasetOptions options;
  options.file = data + "/mnist_small.hdf5";
  options.whichSets = {"test"};
  std::shared_ptr<const Dataset> dataset = openH5PYDataset(options);
  const char *schemes[] = {
      R"({"type":"SequentialScheme","examples":50,"batch_size":20})",
      R"({"type":"ShuffledScheme","examples":50,"batch_size":7,"seed":3})",
      R"({"type":"ShuffledScheme","examples":50,"batch_size":16,
          "sorted_indices":true})",
      R"({"type":"SequentialExampleScheme","examples":5})",
      R"({"type":"ShuffledExampleScheme","examples":5,"seed":9})",
      R"({"type":"ConcatenatedScheme","schemes":[
          {"type":"SequentialScheme","examples":[5,4,3],"batch_size":2},
          {"type":"ShuffledScheme","examples":10,"batch_size":4,"seed":7},
          {"type":"ConcatenatedScheme","schemes":[
            {"type":"ShuffledScheme","examples":9,"batch_size":4}]}]})",
  };
  for (const char *scheme : schemes) {
    MakeStream plain = [&] {
      return makeDatasetStream(dataset,
                               reference::makeScheme(Json::parse(scheme)));
    };
    MakeStream ahead = [&] { return prefetch(plain(), 2); };
    MakeStream changed = [&] {
      return prefetch(
          transform(plain(), "scale_and_shift(scale=0.5,which=features)"), 3);
    };
    checkResumes(plain, plain);
    checkResumes(ahead, ahead);
    checkResumes(plain, ahead);
    checkResumes(ahead, plain);
    checkResumes(changed, changed);
    checkResumes(plain, [&] { return withWorkers(plain(), 4, 4); });
  }
}

/// A stream that fails at its third item of an epoch.
class Failing : public DataStream {
public:
  explicit Failing(std::unique_ptr<DataStream> inner)
      : inner(std::move(inner)) {}
  const std::vector<SourceInfo> &sources() const override {
    return inner->sources();
  }
  std::optional<int64_t> batchesPerEpoch() const override { return {}; }
  std::optional<int64_t> examplesPerEpoch() const override { return {}; }
  void startEpoch() override {
    count = 0;
    inner->startEpoch();
  }
  bool next(Batch &batch) override {
    if (++count == 3)
      throw blocks::IoError("the disk is gone");
    return inner->next(batch);
  }
  std::string state() const override { return inner->state(); }
  void restore(const std::string &state) override { inner->restore(state); }
  std::string fingerprint() const override { return inner->fingerprint(); }

private:
  std::unique_ptr<DataStream> inner;
  int count = 0;
};

static StreamOptions mnist(const std::string &data) {
  StreamOptions options;
  options.file = data + "/mnist_small.hdf5";
  options.batchSize = 32;
  return options;
}

static void errorsCrossTheThread(const std::string &data) {
  StreamOptions options = mnist(data);
  options.prefetch = false;
  auto stream = prefetch(std::make_unique<Failing>(openStream(options)), 4);
  Batch batch;
  CHECK(!stream->next(batch)); // No epoch was started.
  for (int epoch = 0; epoch < 2; ++epoch) {
    stream->startEpoch();
    CHECK(stream->next(batch));
    CHECK(stream->next(batch));
    std::string state = stream->state();
    CHECK_THROWS(stream->next(batch), "the disk is gone");
    CHECK_THROWS(stream->next(batch), "the disk is gone");
    CHECK_EQ(stream->state(), state);
  }
  CHECK_THROWS(prefetch(openStream(options), 0), "prefetch depth is 0");
}

// Streams left at any moment end their thread; an abandoned epoch leaves
// nothing behind.
static void endsAnywhere(const std::string &data) {
  StreamOptions options = mnist(data);
  options.scheme = "sequential";
  for (int taken = 0; taken < 8; ++taken)
    for (int pause = 0; pause < 2; ++pause) {
      auto stream = openStream(options);
      Batch batch;
      stream->startEpoch();
      for (int i = 0; i < taken; ++i)
        stream->next(batch);
      if (pause)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      stream->startEpoch();
      CHECK(stream->next(batch));
      CHECK_EQ(batch.request.front(), 0);
    }
}

static void describesItself(const std::string &data) {
  auto stream = openStream(mnist(data));
  CHECK_EQ(stream->batchesPerEpoch().value_or(0), 7);
  CHECK_EQ(stream->examplesPerEpoch().value_or(0), 200);
  CHECK_EQ(blocks::formatShape(stream->sources()[0].shape), "?x1x28x28");
  StreamOptions other = mnist(data);
  CHECK_EQ(openStream(other)->fingerprint(), stream->fingerprint());
  other.prefetch = false;
  CHECK_EQ(openStream(other)->fingerprint(), stream->fingerprint());
  auto differs = [&](auto change) {
    StreamOptions changed = mnist(data);
    change(changed);
    return openStream(changed)->fingerprint() != stream->fingerprint();
  };
  CHECK(differs([](StreamOptions &o) { o.seed = 2; }));
  CHECK(differs([](StreamOptions &o) { o.batchSize = 31; }));
  CHECK(differs([](StreamOptions &o) { o.split = "test"; }));
  CHECK(differs([](StreamOptions &o) { o.scheme = "sequential"; }));
  CHECK(differs([](StreamOptions &o) { o.sources = {"targets"}; }));
  CHECK(differs([](StreamOptions &o) { o.transforms = {"flatten"}; }));
  CHECK(differs(
      [&](StreamOptions &o) { o.file = data + "/mnist_small_float32.hdf5"; }));
}

static void wrongOptions(const std::string &data) {
  auto with = [&](auto change) {
    StreamOptions options = mnist(data);
    change(options);
    return openStream(options);
  };
  CHECK_THROWS(with([](auto &o) { o.split = "valid"; }),
               "has no split 'valid'; it has: 'train', 'test'");
  CHECK_THROWS(with([](auto &o) { o.split = ""; }), "it has: 'train', 'test'");
  CHECK_THROWS(with([](auto &o) { o.sources = {"nope"}; }),
               "it has: 'features', 'targets'");
  CHECK_THROWS(with([](auto &o) { o.scheme = "random"; }), "'shuffled'");
  CHECK_THROWS(with([](auto &o) { o.batchSize = 0; }), "batch size is 0");
  CHECK_THROWS(with([](auto &o) { o.file = "nowhere.hdf5"; }),
               "there is no file 'nowhere.hdf5' here or in '.' (no data path");
  auto stream = with([](auto &) {});
  CHECK_THROWS(stream->restore("nonsense"), "not the state of a data stream");
  std::string state = stream->state();
  for (size_t i = 0; i < state.size(); i += 37) { // Any damage is noticed.
    std::string damaged = state;
    damaged[i] ^= 1;
    CHECK_THROWS(stream->restore(damaged), "not the state of a data stream");
  }
  auto other = with([](auto &o) { o.batchSize = 1; });
  Batch batch;
  other->startEpoch();
  for (int i = 0; i < 9; ++i)
    other->next(batch);
  CHECK_THROWS(stream->restore(other->state()),
               "other data or another batch size");
}

int main(int, char **argv) {
  std::string data = argv[2];
  resumesEverywhere(data);
  errorsCrossTheThread(data);
  endsAnywhere(data);
  describesItself(data);
  wrongOptions(data);
  return checkSummary();
}
