// Sidecars: files that genuine Fuel wrote, read through the dataset and the
// stream, and compared with the batches, requests and errors that Fuel gave.
#include "fuel/Streams.h"
#include "test/fuel/Reference.h"

#include <algorithm>

using namespace fuel;
using reference::Json;

static Subset subsetOf(const Json &json) {
  if (json.is_array())
    return json.get<std::vector<int64_t>>();
  const Json &slice = json["slice"];
  RowSlice rows;
  rows.start = slice[0].is_null() ? 0 : slice[0].get<int64_t>();
  if (!slice[1].is_null())
    rows.stop = slice[1].get<int64_t>();
  return rows;
}

static H5PYDatasetOptions optionsOf(const std::string &file, const Json &json) {
  H5PYDatasetOptions options;
  options.file = file;
  options.whichSets = json["which_sets"].get<std::vector<std::string>>();
  if (json.contains("sources") && !json["sources"].is_null())
    options.sources = json["sources"].get<std::vector<std::string>>();
  if (json.contains("subset") && !json["subset"].is_null())
    options.subset = subsetOf(json["subset"]);
  options.loadInMemory = json.value("load_in_memory", false);
  return options;
}

static void checkDescription(const Dataset &dataset, const Json &one,
                             const std::string &where) {
  std::vector<std::string> names;
  for (const SourceInfo &info : dataset.sources())
    names.push_back(info.name);
  if (one.contains("sources") && Json(names) != one["sources"])
    checkFailed(__FILE__, __LINE__, where + ": sources differ");
  if (one.contains("provides_sources") &&
      Json(dataset.providesSources()) != one["provides_sources"])
    checkFailed(__FILE__, __LINE__, where + ": provided sources differ");
  if (one.contains("axis_labels") &&
      Json(dataset.axisLabels()) != one["axis_labels"])
    checkFailed(__FILE__, __LINE__, where + ": axis labels differ");
  if (one.contains("num_examples"))
    CHECK_EQ(dataset.numExamples(), one["num_examples"].get<int64_t>());
}

static void checkEpochs(std::shared_ptr<const Dataset> dataset, const Json &one,
                        const std::string &where) {
  auto stream =
      makeDatasetStream(dataset, reference::makeScheme(one["scheme"]));
  CHECK_EQ(stream->producesExamples(), one["produces_examples"].get<bool>());
  // Fuel gives no label to the axis of items without shapes and to the one in
  // a text's type, and two to the one axis of an unlabelled example.
  auto named = [](Json labels) {
    while (!labels.empty() && labels.back() == "")
      labels.erase(labels.size() - 1);
    return labels;
  };
  for (const SourceInfo &info : stream->sources())
    CHECK_EQ(named(info.axisLabels),
             named(one["stream_axis_labels"][info.name]));
  for (const Json &epoch : one["epochs"]) {
    Batch batch;
    Json requests = Json::array();
    stream->startEpoch();
    while (stream->next(batch)) {
      Json request = batch.request;
      if (stream->producesExamples())
        request = batch.request.front();
      // Only the first batches are kept with their data.
      if (requests.size() < epoch["batches"].size()) {
        const Json &expected = epoch["batches"][requests.size()];
        CHECK_EQ(request, expected["request"]);
        reference::checkBatch(batch, stream->sources(), expected["data"], where,
                              stream->producesExamples());
      }
      requests.push_back(request);
    }
    CHECK_EQ(int64_t(requests.size()), epoch["n_batches"].get<int64_t>());
    CHECK_EQ(requests.back(), epoch["last_request"]);
    CHECK_EQ(blocks::Sha256::hexOf(requests.dump()),
             epoch["all_requests_sha256"].get<std::string>());
  }
}

static void request(const Dataset &dataset, const Json &json, Batch &batch) {
  if (json.is_number())
    return dataset.getExample(json, batch);
  if (json.is_array())
    return dataset.getRows(json.get<std::vector<int64_t>>(), batch);
  RowSlice slice = std::get<RowSlice>(subsetOf(json));
  dataset.getSlice(slice.start, slice.stop.value_or(dataset.numExamples()),
                   batch);
}

/// Fuel reads repeated and unordered rows from memory only (a TypeError of h5py
/// on disk); we read them alike.
static void checkRequests(const Dataset &dataset, const Json &one,
                          const std::string &where) {
  for (const Json &each : one["requests"]) {
    Batch batch;
    std::string text = where + ", request " + each["request"].dump();
    bool ours = each.value("error", "") == "TypeError";
    if (each.contains("error") && !ours) {
      CHECK_THROWS(request(dataset, each["request"], batch), "");
      continue;
    }
    request(dataset, each["request"], batch);
    if (!ours)
      reference::checkBatch(batch, dataset.sources(), each["data"], text,
                            each["request"].is_number());
  }
}

static void checkCase(const std::string &file, const Json &one) {
  std::string where = file + ", " + one["id"].get<std::string>();
  Json options = one["dataset"];
  if (options["which_sets"].is_string() ||
      (options.contains("subset") && options["subset"].contains("slice") &&
       options["subset"]["slice"].size() > 2))
    return; // Our types exclude a string and a step.
  if (one.contains("error")) {
    CHECK_THROWS(openH5PYDataset(optionsOf(file, options)), file);
    return;
  }
  std::shared_ptr<const Dataset> dataset =
      openH5PYDataset(optionsOf(file, options));
  checkDescription(*dataset, one, where);
  if (one.contains("epochs"))
    checkEpochs(dataset, one, where);
  if (one.contains("requests"))
    checkRequests(*dataset, one, where);
}

int main(int, char **argv) {
  std::string data = argv[2];
  size_t cases = 0;
  for (const char *name :
       {"mnist_small", "mnist_small_float32", "index_split", "vlen_images",
        "vlen_sequences", "text_corpus", "nmt_pairs", "dtypes"}) {
    // Held while it is walked.
    Json sidecar = reference::load(data + "/" + name + ".json");
    for (const Json &one : sidecar["cases"]) {
      checkCase(data + "/" + name + ".hdf5", one);
      ++cases;
    }
  }
  CHECK_EQ(cases, 65u);
  return checkSummary();
}
