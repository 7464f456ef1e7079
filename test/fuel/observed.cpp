// Observed: faults of genuine Fuel that need no file of their own, and what its
// users need instead. README.md lists which test stands for which case.
#include "fuel/SourceLayers.h"
#include "fuel/Transformers.h"
#include "fuel/Writer.h"
#include "test/fuel/ServedStreams.h"
#include "test/fuel/transformer-cases/Inputs.h"

#include <fstream>

using namespace served;
using blocks::Array;
using blocks::DType;
using Rows = std::vector<int64_t>;
using Strings = std::vector<std::string>;

static cases::Stream chain(cases::Stream stream, const Strings &texts) {
  for (const std::string &text : texts)
    stream = transform(std::move(stream), text);
  return stream;
}

/// Case 9: element by element and item by item, whatever the items' shapes.
static void raggedImages(const std::string &data) {
  auto open = [&] {
    return cases::file(data + "/vlen_images.hdf5", 4, {"image_features"});
  };
  auto plain = open(),
       scaled =
           chain(open(), {"scale_and_shift(scale=1/255)", "cast(dtype=f32)"});
  auto flat = chain(open(), {"flatten"});
  Batch bytes, floats, flats;
  for (auto [stream, batch] : {std::pair{plain.get(), &bytes},
                               {scaled.get(), &floats},
                               {flat.get(), &flats}}) {
    stream->startEpoch();
    CHECK(stream->next(*batch));
  }
  CHECK(floats.items[0].shape(0)[0] == 3 && floats.items[0].shape(0)[1] == 6 &&
        floats.items[0].shape(0)[2] == 8);
  CHECK(floats.sources[0].dtype() == DType::Float32);
  for (int64_t i = 0; i < bytes.sources[0].size(); ++i)
    CHECK_EQ(floats.sources[0].as<float>()[i],
             float(bytes.sources[0].as<uint8_t>()[i] * (1 / 255.0)));
  CHECK_EQ(flats.items[0].rank, 1);
  CHECK_EQ(flats.items[0].shape(0)[0], 144);
  CHECK(flat->sources()[0].axisLabels == (Strings{"batch", "feature"}));
}

/// Case 10: what a filter passes on still has its sources' names.
static void filtersKeepNames() {
  auto stream = addLayer(
      cases::scalars("a", {0, 1, 2, 3}, cases::examples), [](auto inner) {
        return filterLayer(std::move(inner),
                           [](const Batch &) { return true; });
      });
  CHECK(stream->producesExamples());
  CHECK_EQ(stream->sources()[0].name, "a");
  Batch batch;
  stream->startEpoch();
  for (int64_t i = 0; i < 4; ++i) {
    CHECK(stream->next(batch));
    CHECK(batch.sources[0].shape().empty());
    CHECK_EQ(*batch.sources[0].as<int64_t>(), i);
  }
  CHECK(!stream->next(batch));
}

/// Case 11: an epoch that was left early leaves nothing to the next one.
static void abandonedEpochs() {
  const std::pair<std::function<cases::Stream()>, Strings> streams[] = {
      {[] { return cases::scalars("x", {0, 1, 2, 3, 4, 5, 6, 7}, 4); },
       {"unpack"}},
      {[] { return cases::numbers(5); }, {"cache(size=3)"}},
      {[] { return cases::numbers(cases::examples); }, {"batch(size=4)"}},
      {cases::lists, {"ngrams(order=2)"}},
      {cases::lists,
       {"window(offset=0,source_window=2,target_window=1)", "batch(size=2)"}},
      {[] { return cases::images(2); },
       {"unpack", "filter(source=im,minimum=0)", "batch(size=4)"}},
  };
  for (const auto &[make, texts] : streams)
    for (int64_t workers : {0, 1, 4}) {
      auto whole = chain(make(), texts);
      std::vector<Step> expected = record(*whole, 1);
      auto stream = withWorkers(chain(make(), texts), workers);
      Batch batch;
      for (size_t taken = 0; taken < expected.size(); ++taken) {
        stream->startEpoch();
        for (size_t i = 0; i < taken; ++i) {
          CHECK(stream->next(batch));
          CHECK_EQ(describe(*stream, batch), expected[i].next);
        }
      }
    }
}

/// Case 12: images of different sizes through the server, as read locally.
static void raggedThroughTheServer(const std::string &data) {
  RunningServer server([data] {
    return cases::file(data + "/vlen_images.hdf5", 4,
                       {"image_features", "targets"});
  });
  auto stream = connectStream(server.address());
  reference::Json sidecar = reference::load(data + "/vlen_images.json");
  const reference::Json &epoch = sidecar["cases"][0]["epochs"][0];
  CHECK_EQ(sidecar["cases"][0]["id"].get<std::string>(), "train_seq");
  Batch batch;
  int64_t count = 0;
  stream->startEpoch();
  for (; stream->next(batch); ++count)
    if (size_t(count) < epoch["batches"].size())
      reference::checkBatch(batch, stream->sources(),
                            epoch["batches"][size_t(count)]["data"], "served");
  CHECK_EQ(count, epoch["n_batches"].get<int64_t>());
}

/// Equal contents make equal files, byte for byte.
static void reproducibleFiles(const std::string &scratch) {
  std::string files[2];
  for (int i : {0, 1}) {
    std::string path = scratch + "/same.hdf5";
    {
      Writer writer(path);
      writer.addSource({"x", DType::Int64, {-1}, {"batch"}});
      SourceInfo lists{"r", DType::Int64, {-1, -1}, {"batch", "time"}};
      lists.ragged = true;
      writer.addSource(lists);
      Array values(DType::Int64, {4});
      for (int64_t k = 0; k < 4; ++k)
        values.as<int64_t>()[k] = k;
      RaggedItems items;
      items.clear(1);
      for (int64_t length : {0, 1, 2, 1})
        items.append(Rows{length});
      writer.append("x", values.view());
      writer.append("r", values.view(), items);
      for (const char *source : {"x", "r"}) {
        writer.setSplit("b", source, 0, 2);
        writer.setSplit("a", source, Rows{3, 2});
      }
      writer.commit("made by a test");
    }
    std::ifstream file(path, std::ios::binary);
    files[i].assign(std::istreambuf_iterator<char>(file), {});
  }
  CHECK(!files[0].empty() && files[0] == files[1]);
}

/// `resample` is obeyed.
static void resamplingIsObeyed(const std::string &data) {
  Strings found;
  for (const char *how : {"nearest", "bilinear", "bicubic"}) {
    auto stream = chain(
        cases::file(data + "/vlen_images.hdf5", 4, {"image_features"}),
        {"minimum_image_dimensions(shape=20x20,resample=" + std::string(how) +
         ")"});
    Batch batch;
    stream->startEpoch();
    CHECK(stream->next(batch));
    found.push_back(describe(*stream, batch));
  }
  CHECK(found[0] != found[1] && found[1] != found[2] && found[0] != found[2]);
}

/// A transformer's labels are its own, not those of the stream beneath.
static void labelsBeneathStay(const std::string &data) {
  const Layer *beneath = nullptr;
  cases::Stream stream = addLayer(
      cases::file(data + "/images/encoded_images.hdf5", 2),
      [&](std::unique_ptr<Layer> inner) {
        beneath = inner.get();
        return Registry::builtIn().make(
            std::move(inner), "images_from_bytes(which=encoded_images)");
      });
  CHECK(stream->sources()[0].axisLabels ==
        (Strings{"batch", "channel", "height", "width"}));
  CHECK(beneath->sources()[0].axisLabels != stream->sources()[0].axisLabels);
  CHECK_EQ(beneath->sources()[0].shape.size(), 2u);
}

/// Two data sets of one file share nothing.
static void twoDatasetsOfOneFile(const std::string &data) {
  H5PYDatasetOptions options;
  options.file = data + "/mnist_small.hdf5";
  options.whichSets = {"train"};
  auto mapped = openH5PYDataset(options);
  options.loadInMemory = true;
  auto held = openH5PYDataset(options);
  Batch a, b;
  mapped->getRows(Rows{5, 3, 5}, a);
  held->getRows(Rows{5, 3, 5}, b);
  CHECK_EQ(reference::hashOf(a.sources[0], false),
           reference::hashOf(b.sources[0], false));
  mapped.reset();
  held->getSlice(0, 200, b);
  CHECK_EQ(b.examples, 200);
  CHECK_THROWS(held->getRows(Rows{}, b), "no rows");
  CHECK_THROWS(held->getRows(Rows{-1}, b), "row -1");
}

int main(int, char **argv) {
  std::string scratch = argv[1], data = argv[2];
  raggedImages(data);
  filtersKeepNames();
  abandonedEpochs();
  raggedThroughTheServer(data);
  reproducibleFiles(scratch);
  resamplingIsObeyed(data);
  labelsBeneathStay(data);
  twoDatasetsOfOneFile(data);
  return checkSummary();
}
