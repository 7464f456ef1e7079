// Datasets: those that are no HDF5 file, against Fuel's numbers where it has
// them, and their errors.
#include "fuel/Datasets.h"
#include "fuel/Streams.h"
#include "test/fuel/Reference.h"

#include <filesystem>

using namespace fuel;
using blocks::Array;
using blocks::DType;
using reference::Json;
using Rows = std::vector<int64_t>;
using Strings = std::vector<std::string>;

static Array integers(const blocks::Shape &shape, Rows values) {
  Array array(DType::Int64, shape);
  std::copy(values.begin(), values.end(), array.as<int64_t>());
  return array;
}

static Rows numbers(const Array &array) {
  return {array.as<int64_t>(), array.as<int64_t>() + array.size()};
}

//===-- Toy sets ----------------------------------------------------------===//

static void flatten(const Json &json, std::vector<double> &out) {
  if (!json.is_array())
    return out.push_back(json.get<double>());
  for (const Json &each : json)
    flatten(each, out);
}

static double elementOf(const Array &array, int64_t i) {
  return array.dtype() == DType::Float32   ? double(array.as<float>()[i])
         : array.dtype() == DType::Float64 ? array.as<double>()[i]
                                           : double(array.as<int64_t>()[i]);
}

static void checkToy(const Dataset &dataset, const Json &one) {
  CHECK_EQ(dataset.numExamples(), one["num_examples"].get<int64_t>());
  Batch batch;
  dataset.getSlice(0, dataset.numExamples(), batch);
  for (size_t i = 0; i < batch.sources.size(); ++i) {
    CHECK_EQ(dataset.sources()[i].name, one["sources"][i].get<std::string>());
    const Json &expected = one["data"][dataset.sources()[i].name];
    std::vector<double> values;
    flatten(expected["values"], values);
    CHECK_EQ(std::string(dtypeNumpy(batch.sources[i].dtype())),
             expected["dtype"].get<std::string>());
    CHECK_EQ(size_t(batch.sources[i].size()), values.size());
    for (size_t k = 0; k < values.size(); ++k)
      CHECK_EQ(elementOf(batch.sources[i], int64_t(k)), values[k]);
  }
}

static void toySets(const Json &reference) {
  for (const Json &one : reference["Spiral"]) {
    const Json &k = one["kwargs"];
    checkToy(*makeSpiral({k["num_examples"], k.value("classes", 1),
                          k.value("cycles", 1.0), k.value("noise", 0.0),
                          k.value("seed", uint64_t(1))}),
             one);
  }
  for (const Json &one : reference["SwissRoll"]) {
    const Json &k = one["kwargs"];
    checkToy(*makeSwissRoll({k["num_examples"], k.value("noise", 0.0),
                             k.value("seed", uint64_t(1))}),
             one);
  }
  SpiralOptions none;
  none.examples = 0;
  CHECK_THROWS(makeSpiral(none), "0 examples");
}

//===-- In memory ---------------------------------------------------------===//

static std::vector<HeldSource> twoSources(int64_t length) {
  std::vector<HeldSource> sources;
  Rows values;
  for (int64_t i = 0; i < length; ++i)
    values.push_back(10 * i);
  sources.push_back({"x", integers({length}, values), std::nullopt, {"batch"}});
  RaggedItems items; // Item i has i elements: 0, 1 0, 2 1 0 …
  items.clear(1);
  Rows all;
  for (int64_t i = 0; i < length; ++i) {
    items.append(Rows{i});
    for (int64_t k = i; k-- > 0;)
      all.push_back(k);
  }
  sources.push_back({"r", integers({int64_t(all.size())}, all), items, {}});
  return sources;
}

static void inMemory() {
  auto dataset = makeIndexableDataset(twoSources(6), 1, 5);
  CHECK_EQ(dataset->numExamples(), 4);
  CHECK(dataset->providesSources() == (Strings{"r", "x"}));
  CHECK(dataset->axisLabels().at("x") == (Strings{"batch"}));
  Batch batch;
  dataset->getRows(Rows{3, 0, 3}, batch);
  CHECK(numbers(batch.sources[0]) == (Rows{40, 10, 40}));
  CHECK(batch.items[1].shapes == (Rows{4, 1, 4}));
  CHECK(numbers(batch.sources[1]) == (Rows{3, 2, 1, 0, 0, 3, 2, 1, 0}));
  dataset->getSlice(1, 3, batch);
  CHECK(numbers(batch.sources[0]) == (Rows{20, 30}));
  dataset->getExample(2, batch);
  CHECK(numbers(batch.sources[1]) == (Rows{2, 1, 0}));
  CHECK_EQ(dataset->fingerprint(),
           makeIndexableDataset(twoSources(6), 1, 5)->fingerprint());
  CHECK(dataset->fingerprint() !=
        makeIndexableDataset(twoSources(6))->fingerprint());
  CHECK_THROWS(dataset->getRows(Rows{4}, batch), "row 4");
  CHECK_THROWS(dataset->getRows(Rows{}, batch), "no rows");
  CHECK_THROWS(makeIndexableDataset(twoSources(6), 2, 7), "rows 2 to 7");
  auto unequal = twoSources(6);
  unequal[0].values = integers({5}, {1, 2, 3, 4, 5});
  CHECK_THROWS(makeIndexableDataset(std::move(unequal)),
               "'x' has 5 rows, 'r' has 6");
}

//===-- Sequences ---------------------------------------------------------===//

static IterableSource counting(const char *name, int64_t stop,
                               std::optional<int64_t> length = {}) {
  auto start = [stop]() -> ExampleSource {
    return [stop, at = int64_t(0)](Array &value) mutable {
      if (at == stop)
        return false;
      value.resize(DType::Int64, {});
      *value.as<int64_t>() = at++;
      return true;
    };
  };
  return {{name, DType::Int64, {}, {}}, start, length};
}

static std::unique_ptr<DataStream> iterable(IterableSource a,
                                            IterableSource b) {
  std::vector<IterableSource> sources;
  sources.push_back(std::move(a));
  sources.push_back(std::move(b));
  return makeIterableStream(std::move(sources));
}

static Rows walk(DataStream &stream) {
  Rows found;
  Batch batch;
  while (stream.next(batch))
    found.push_back(*batch.sources[0].as<int64_t>());
  return found;
}

static void sequences() {
  auto stream = iterable(counting("a", 4, 4), counting("b", 4));
  CHECK(stream->examplesPerEpoch() == 4);
  for (int epoch = 0; epoch < 2; ++epoch) {
    stream->startEpoch();
    CHECK(walk(*stream) == (Rows{0, 1, 2, 3}));
    CHECK(walk(*stream).empty());
  }
  stream->startEpoch();
  Batch batch;
  CHECK(stream->next(batch) && stream->next(batch));
  auto resumed = iterable(counting("a", 4, 4), counting("b", 4));
  resumed->restore(stream->state());
  CHECK_EQ(resumed->state(), stream->state());
  CHECK(walk(*resumed) == (Rows{2, 3}));

  CHECK_THROWS(iterable(counting("a", 4, 4), counting("b", 5, 5)),
               "'a' has 4 values, 'b' has 5");
  auto uneven = iterable(counting("a", 4), counting("b", 3));
  uneven->startEpoch();
  CHECK_THROWS(walk(*uneven), "'b' ended before source 'a'");
  uneven = iterable(counting("a", 3), counting("b", 4));
  uneven->startEpoch();
  CHECK_THROWS(walk(*uneven), "'a' ended before source 'b'");

  // A generator that can be walked only once.
  auto used = std::make_shared<int64_t>(0);
  IterableSource once{{"data", DType::Int64, {}, {}},
                      [used]() -> ExampleSource {
                        return [used](Array &value) {
                          value.resize(DType::Int64, {});
                          *value.as<int64_t>() = *used;
                          return (*used)++ < 3;
                        };
                      }};
  std::vector<IterableSource> sources;
  sources.push_back(std::move(once));
  auto exhausted = makeIterableStream(std::move(sources));
  exhausted->startEpoch();
  CHECK_EQ(walk(*exhausted).size(), 3u);
  exhausted->startEpoch();
  CHECK_THROWS(walk(*exhausted), "'data' is exhausted");
}

//===-- Text --------------------------------------------------------------===//

static void textCases(const Json &reference, const std::string &data) {
  int cases = 0;
  for (const Json &one : reference["cases"]) {
    if (one["id"].get<std::string>().rfind("textfile", 0) != 0)
      continue;
    ++cases;
    if (!one.contains("epochs")) {
      TextFileOptions none;
      none.files = {data + "/sentences.txt"};
      CHECK_THROWS(openTextFile(none), "lacks '<S>'");
      continue;
    }
    Json params = one.value("params", Json::object());
    TextFileOptions options;
    options.files = {data + "/sentences.txt"};
    options.dictionary = one["input"]["dictionary"].get<Dictionary>();
    auto token = [&](const char *name, std::optional<std::string> &option) {
      if (params.contains(name) && params[name].is_null())
        option.reset();
    };
    token("bos_token", options.bosToken);
    token("eos_token", options.eosToken);
    token("unk_token", options.unkToken);
    if (params.value("level", "word") == "character")
      options.level = TextLevel::Character;
    if (params.contains("preprocess"))
      options.preprocess = lowerCase;
    auto stream = openTextFile(options);
    for (const Json &epoch : one["epochs"]) {
      stream->startEpoch();
      Batch batch;
      for (const Json &item : epoch) {
        if (item.contains("error")) {
          CHECK_THROWS(stream->next(batch), "'This' is not in the dictionary");
          break;
        }
        CHECK(stream->next(batch));
        // An empty list is an f64 array in NumPy, and i64 here.
        if (item[0]["shape"] == Json::array({0}))
          CHECK_EQ(batch.sources[0].size(), 0);
        else
          reference::checkArray(batch.sources[0], item[0], one["id"]);
      }
    }
  }
  CHECK_EQ(cases, 6);
}

static void vocabulary(const std::string &data, const std::string &scratch) {
  VocabularyOptions options;
  options.files = {data + "/sentences.txt", data + "/sentences.txt"};
  options.preprocess = lowerCase;
  Dictionary words = buildVocabulary(options);
  CHECK_EQ(words.size(), 9u);
  CHECK_EQ(words.at("<UNK>"), 2);
  CHECK_EQ(words.at("this"), 3); // Twice in each file; the others once.
  CHECK_EQ(words.at("a"), 4);
  options.size = 1;
  CHECK_EQ(buildVocabulary(options).size(), 4u);
  options.size.reset();
  options.leastCount = 3;
  CHECK_EQ(buildVocabulary(options).size(), 4u);
  std::string path = scratch + "/words.txt";
  writeVocabulary(path, words);
  CHECK(readVocabulary(path) == words);
  std::ofstream(path) << "a\nb\na\n";
  CHECK_THROWS(readVocabulary(path), "line 3: 'a' stands there twice");
  CHECK_THROWS(writeVocabulary(path, {{"a", 3}}), "'a' has number 3");

  TextFileOptions text;
  text.files = options.files;
  text.dictionary = words;
  auto stream = openTextFile(text);
  Batch batch;
  stream->startEpoch();
  for (int i = 0; i < 4; ++i) // The second file's first line.
    CHECK(stream->next(batch));
  auto resumed = openTextFile(text);
  resumed->restore(stream->state());
  int left = 0;
  for (Batch rest; resumed->next(rest);)
    ++left;
  CHECK_EQ(left, 2);
  text.dictionary.erase("<S>");
  CHECK_THROWS(openTextFile(text), "lacks '<S>'");
  text.bosToken.reset();
  text.files = {scratch + "/nowhere.txt"};
  auto absent = openTextFile(text);
  absent->startEpoch();
  CHECK_THROWS(absent->next(batch), "nowhere.txt");
}

int main(int, char **argv) {
  std::string scratch = argv[1], data = argv[2];
  toySets(reference::load(data + "/toy.json"));
  inMemory();
  sequences();
  textCases(reference::load(data + "/transformers.json"), data);
  vocabulary(data, scratch);
  return checkSummary();
}
