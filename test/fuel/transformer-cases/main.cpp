// The reference's transformer cases: sources, labels, every item and every
// error of genuine Fuel, from our transformers. The six cases of text files are
// in datasets.cpp, which makes them without transformers.
#include "test/fuel/Reference.h"
#include "test/fuel/transformer-cases/Table.h"

using namespace fuel;
using reference::Json;

/// Of a batch or an example, source by source.
static void checkItem(const DataStream &stream, const Batch &batch,
                      const Json &item, const std::string &where) {
  CHECK_EQ(batch.sources.size(), item.size());
  for (size_t i = 0; i < std::min(batch.sources.size(), item.size()); ++i) {
    const SourceInfo &info = stream.sources()[i];
    std::string here = where + ", source " + info.name;
    Json expected = item[i];
    if (expected["kind"] == "list") // Fuel's images of different sizes.
      expected["kind"] = "ragged";
    if (info.ragged && !stream.producesExamples())
      reference::checkRagged(batch.sources[i], batch.items[i], expected, here);
    else
      reference::checkArray(batch.sources[i], expected, here, info.text);
  }
}

static void checkDescription(const DataStream &stream, const Json &one,
                             const std::string &where) {
  CHECK_EQ(stream.producesExamples(), one["produces_examples"].get<bool>());
  const Json &labels = one["axis_labels"];
  for (size_t i = 0; i < stream.sources().size(); ++i) {
    const SourceInfo &info = stream.sources()[i];
    CHECK_EQ(info.name, one["sources"][i].get<std::string>());
    CHECK(info.axisLabels.empty() ||
          info.axisLabels.size() == info.shape.size());
    std::vector<std::string> mine = info.axisLabels;
    if (info.text && !mine.empty())
      mine.pop_back();
    if (labels.is_object() && Json(mine) != labels[info.name])
      checkFailed(__FILE__, __LINE__,
                  where + ": labels of " + info.name + " are " +
                      Json(mine).dump() + " instead of " +
                      labels[info.name].dump());
  }
}

static void checkEpochs(DataStream &stream, const Json &epochs,
                        const cases::Case &mine, const std::string &where) {
  Batch batch;
  for (const Json &epoch : epochs) {
    stream.startEpoch();
    size_t number = 0;
    for (const Json &item : epoch) {
      std::string here = where + ", item " + std::to_string(number++);
      if (item.is_object()) {
        CHECK_THROWS(stream.next(batch), mine.error);
        return;
      }
      if (!stream.next(batch))
        return checkFailed(__FILE__, __LINE__, here + " is missing");
      checkItem(stream, batch, item, here);
    }
    if (mine.whole && stream.next(batch))
      checkFailed(__FILE__, __LINE__, where + ": too many items");
  }
}

/// Fuel tells some errors when the first item is asked for, we when the stream
/// is made.
static void checkCase(const Json &one, const cases::Case &mine) {
  std::string where = one["id"];
  bool everyItemFails = one.contains("epochs") && !one["epochs"][0].empty() &&
                        one["epochs"][0][0].is_object();
  cases::Stream stream;
  try {
    stream = mine.make();
  } catch (const std::exception &error) {
    if (!one.contains("error") && !everyItemFails)
      return checkFailed(__FILE__, __LINE__, where + ": " + error.what());
    CHECK(!mine.error.empty());
    CHECK_CONTAINS(error.what(), mine.error);
    return;
  }
  if (one.contains("error"))
    return checkFailed(__FILE__, __LINE__, where + ": no error");
  checkDescription(*stream, one, where);
  checkEpochs(*stream, one["epochs"], mine, where);
}

/// Fuel's compiled crop takes only u8, f32 and f64 batches; ours any type, with
/// the same places.
static void cropsOfOtherTypes(const Json &reference) {
  cases::Stream stream = cases::table("").at("crop_ndarray_seed3").make();
  Batch bytes, numbers;
  CHECK_EQ(reference["epochs"][0][0]["message"].get<std::string>(),
           "No matching signature found");
  auto wide = cases::croppedIntegers();
  stream->startEpoch();
  wide->startEpoch();
  while (stream->next(bytes)) {
    CHECK(wide->next(numbers));
    for (int64_t i = 0; i < bytes.sources[0].size(); ++i)
      CHECK_EQ(numbers.sources[0].as<int32_t>()[i],
               int32_t(bytes.sources[0].as<uint8_t>()[i]));
  }
  CHECK(!wide->next(numbers));
}

int main(int, char **argv) {
  std::string data = argv[2];
  Json reference = reference::load(data + "/transformers.json");
  std::map<std::string, cases::Case> table = cases::table(data);
  int compared = 0, elsewhere = 0;
  for (const Json &one : reference["cases"]) {
    std::string id = one["id"];
    if (id.starts_with("textfile")) {
      ++elsewhere;
      continue;
    }
    ++compared;
    if (id == "crop_float16")
      cropsOfOtherTypes(one);
    else if (auto found = table.find(id); found != table.end())
      checkCase(one, found->second);
    else
      checkFailed(__FILE__, __LINE__, "no test of the case " + id);
  }
  CHECK_EQ(compared, 72);
  CHECK_EQ(elsewhere, 6);
  return checkSummary();
}
