// Writer: what it writes reads back the same, refuses what cannot be written,
// and leaves nothing behind without `commit`. test/fuel/written.py looks at the
// same files with h5py.
#include "fuel/Writer.h"
#include "blocks/Error.h"
#include "fuel/Dataset.h"
#include "fuel/Streams.h"
#include "test/fuel/Reference.h"

#include <filesystem>

using namespace fuel;
using blocks::Array;
using blocks::DType;
using Rows = std::vector<int64_t>;
using Strings = std::vector<std::string>;
namespace fs = std::filesystem;

static std::unique_ptr<Dataset> open(const std::string &path, Strings splits) {
  H5PYDatasetOptions options;
  options.file = path;
  options.whichSets = std::move(splits);
  return openH5PYDataset(options);
}

static Rows iota(int64_t count) {
  Rows rows;
  for (int64_t i = 0; i < count; ++i)
    rows.push_back(i);
  return rows;
}

/// Names, bytes, shapes: everything that a batch holds.
static std::string contents(const Dataset &dataset, const Batch &batch) {
  std::string text;
  for (size_t i = 0; i < batch.sources.size(); ++i) {
    const Array &array = batch.sources[i];
    const SourceInfo &info = dataset.sources()[i];
    blocks::Sha256 hash;
    hash.update(array.data(), array.bytes());
    text += info.name + " " + std::string(dtypeName(array.dtype())) + " " +
            blocks::formatShape(array.shape()) + " " + hash.hex();
    for (int64_t extent : batch.items[i].shapes)
      text += info.ragged ? " " + std::to_string(extent) : "";
    text += "\n";
  }
  return text;
}

static std::string everything(const Dataset &dataset) {
  Batch batch;
  dataset.getRows(iota(dataset.numExamples()), batch);
  return contents(dataset, batch);
}

/// Copies the splits of a genuine file, batch by batch.
static void copyFile(const std::string &from, const std::string &to,
                     const Strings &splits, bool knownRows) {
  auto dataset = open(from, splits);
  Writer writer(to);
  for (const SourceInfo &info : dataset->sources()) {
    Writer::SourceOptions options;
    if (knownRows)
      options.rows = dataset->numExamples();
    writer.addSource(info, options);
  }
  Batch batch;
  for (int64_t at = 0; at < dataset->numExamples(); at += 7) {
    dataset->getSlice(at, std::min(at + 7, dataset->numExamples()), batch);
    writer.append(batch);
  }
  int64_t third = dataset->numExamples() / 3;
  for (const SourceInfo &info : dataset->sources()) {
    writer.setSplit("train", info.name, 0, third);
    writer.setSplit("test", info.name, third, dataset->numExamples(), "rest");
    writer.setSplit("some", info.name, Rows{5, 2, 2});
  }
  writer.commit("writer test");
  CHECK_EQ(everything(*open(to, {"train", "test"})), everything(*dataset));
  CHECK_EQ(open(to, {"some"})->numExamples(), 2);
  CHECK(open(to, {"train"})->axisLabels() == dataset->axisLabels());
}

static Array integers(const blocks::Shape &shape, Rows values) {
  Array array(DType::Int64, shape);
  std::copy(values.begin(), values.end(), array.as<int64_t>());
  return array;
}

static void texts(const std::string &path) {
  Writer writer(path);
  SourceInfo fixed{"word", DType::UInt8, {-1, 3}, {"batch"}};
  SourceInfo free{"line", DType::UInt8, {-1, -1}, {"batch"}};
  fixed.text = free.text = free.ragged = true;
  writer.addSource(fixed);
  writer.addSource(free);
  Array words(DType::UInt8, {2, 3}), line(DType::UInt8, {7});
  std::memcpy(words.data(), "abcd\0\0", 6);
  std::memcpy(line.data(), "Grüße", 7);
  RaggedItems items;
  items.clear(1);
  items.append(Rows{7});
  items.append(Rows{0});
  writer.append("word", words.view());
  writer.append("line", line.view(), items);
  for (const char *name : {"word", "line"})
    writer.setSplit("all", name, 0, 2);
  writer.setTexts("vocabulary", {"a", "Grüße"});
  writer.commit("texts");
  auto dataset = open(path, {"all"});
  Batch batch;
  dataset->getRows(iota(2), batch);
  CHECK(dataset->sources()[0].text && dataset->sources()[0].ragged);
  CHECK(batch.items[0].shapes == (Rows{7, 0}));
  CHECK(std::memcmp(batch.sources[0].data(), "Grüße", 7) == 0);
  CHECK(batch.sources[1].shape() == (blocks::Shape{2, 3}));
  CHECK(std::memcmp(batch.sources[1].data(), "abcd\0\0", 6) == 0);
}

static void manySplits(const std::string &path) {
  Writer writer(path);
  for (const char *name : {"s0", "s1", "s2", "s3"})
    writer.addSource({name, DType::Int64, {-1}, {}});
  for (int64_t fold = 0; fold < 700; ++fold)
    for (const char *name : {"s0", "s1", "s3"})
      writer.setSplit("fold_" + std::to_string(fold), name, fold, fold + 1);
  Rows values = iota(700);
  for (const char *name : {"s0", "s1", "s2", "s3"})
    writer.append(name, integers({700}, values).view());
  writer.commit("many splits");
  auto dataset = open(path, {"fold_699"});
  CHECK(dataset->providesSources() == (Strings{"s0", "s1", "s3"}));
  Batch batch;
  dataset->getRows(Rows{0}, batch);
  CHECK_EQ(batch.sources[2].as<int64_t>()[0], 699);
}

static void savesStreams(const std::string &data, const std::string &path) {
  std::shared_ptr<const Dataset> dataset =
      open(data + "/vlen_sequences.hdf5", {"train"});
  for (bool examples : {false, true}) {
    auto make = [&]() -> std::unique_ptr<IterationScheme> {
      if (examples)
        return std::make_unique<ShuffledExampleScheme>(dataset->numExamples());
      return std::make_unique<ShuffledScheme>(dataset->numExamples(), 5);
    };
    auto stream = makeDatasetStream(dataset, make());
    CHECK_EQ(saveStream(*stream, path, "saved", "saved by a test"),
             dataset->numExamples());
    Rows order;
    auto scheme = make();
    scheme->startEpoch();
    for (Rows request; scheme->next(request);)
      order.insert(order.end(), request.begin(), request.end());
    Batch batch;
    dataset->getRows(order, batch);
    CHECK_EQ(everything(*open(path, {"saved"})), contents(*dataset, batch));
  }
}

static void refusals(const std::string &path) {
  fs::remove(path);
  {
    Writer writer(path);
    writer.addSource({"x", DType::Int64, {-1, 2}, {}}, {3});
    CHECK_THROWS(writer.addSource({"x", DType::Int64, {-1}, {}}), "twice");
    CHECK_THROWS(writer.addSource({"y", DType::Int64, {-1, -1}, {}}),
                 "cannot be written");
    Array rows = integers({2, 2}, {1, 2, 3, 4});
    writer.append("x", rows.view());
    CHECK_THROWS(writer.append("x", rows.view()), "1 rows left");
    CHECK_THROWS(writer.append("z", rows.view()), "no source 'z'");
    CHECK_THROWS(writer.append("x", integers({1, 3}, {1, 2, 3}).view()),
                 "cannot append i64 rows of 1x3");
    CHECK_THROWS(writer.addSource({"y", DType::Int64, {-1}, {}}),
                 "after the first rows");
    CHECK_THROWS(writer.commit(""), "holds 2 of its 3 rows");
  }
  {
    Writer writer(path);
    writer.addSource({"x", DType::Int64, {-1}, {}});
    writer.append("x", integers({2}, {1, 2}).view());
    writer.setSplit("train", "x", 0, 3);
    CHECK_THROWS(writer.commit(""), "rows 0 to 3 are no range within the 2");
    writer.setSplit("train", "x", Rows{0, 2});
    CHECK_THROWS(writer.commit(""), "row 2 is outside 0 to 1");
  }
  CHECK(!fs::exists(path));
  for (const auto &entry : fs::directory_iterator(fs::path(path).parent_path()))
    CHECK(entry.path().string().find("refused") == std::string::npos);
}

/// Strings end at a NUL, and would lose what comes after it.
static void refusesNul(const std::string &path) {
  for (bool known : {false, true}) {
    Writer writer(path);
    SourceInfo info{"t", DType::UInt8, {-1, -1}, {}};
    info.ragged = info.text = true;
    Writer::SourceOptions stored;
    if (known)
      stored.rows = 6;
    writer.addSource(info, stored);
    Array bytes(DType::UInt8, {4});
    RaggedItems items;
    items.clear(1);
    for (int64_t length : {0, 2, 2})
      items.append(std::span(&length, 1));
    std::copy_n("abcd", 4, bytes.as<uint8_t>());
    writer.append("t", bytes.view(), items);
    std::copy_n("abc\0", 4, bytes.as<uint8_t>());
    CHECK_THROWS(writer.append("t", bytes.view(), items),
                 "source 't', row 5: the text holds a NUL");
  }
}

int main(int, char **argv) {
  std::string scratch = argv[1], data = argv[2];
  for (bool known : {false, true}) {
    std::string kind = known ? "_known.hdf5" : "_unknown.hdf5";
    copyFile(data + "/vlen_images.hdf5", scratch + "/images" + kind,
             {"train", "test"}, known);
    copyFile(data + "/vlen_sequences.hdf5", scratch + "/sequences" + kind,
             {"train", "valid"}, known);
    copyFile(data + "/dtypes.hdf5", scratch + "/dtypes" + kind, {"train"},
             known);
  }
  texts(scratch + "/texts.hdf5");
  manySplits(scratch + "/many.hdf5");
  savesStreams(data, scratch + "/saved.hdf5");
  refusesNul(scratch + "/refused.hdf5");
  refusals(scratch + "/refused.hdf5");
  return checkSummary();
}
