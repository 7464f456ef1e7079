// Inputs: see Inputs.h.
#include "test/fuel/transformer-cases/Inputs.h"

#include "fuel/Datasets.h"
#include "fuel/OpenStream.h"
#include "fuel/Streams.h"

namespace cases {

using namespace fuel;
using blocks::Array;
using blocks::DType;
using Rows = std::vector<int64_t>;

namespace {
/// As `dtype`, in the shape.
Array arrayOf(DType dtype, const blocks::Shape &shape,
              const std::vector<double> &values) {
  Array array(dtype, shape);
  for (int64_t i = 0; i < array.size(); ++i) {
    double value = values[size_t(i)];
    if (dtype == DType::UInt8)
      array.as<uint8_t>()[i] = uint8_t(value);
    else if (dtype == DType::Int32)
      array.as<int32_t>()[i] = int32_t(value);
    else if (dtype == DType::Int64)
      array.as<int64_t>()[i] = int64_t(value);
    else if (dtype == DType::Float32)
      array.as<float>()[i] = float(value);
    else
      array.as<double>()[i] = value;
  }
  return array;
}

std::vector<double> count(int64_t size, double step = 1) {
  std::vector<double> values;
  for (int64_t i = 0; i < size; ++i)
    values.push_back(double(i) * step);
  return values;
}

/// `parts` side by side.
template <typename... Parts>
Stream streamOf(int64_t batchSize, Parts &&...parts) {
  std::vector<HeldSource> sources;
  (sources.push_back(std::forward<Parts>(parts)), ...);
  std::shared_ptr<const Dataset> dataset =
      makeIndexableDataset(std::move(sources));
  int64_t rows = dataset->numExamples();
  if (batchSize == examples)
    return makeDatasetStream(dataset,
                             std::make_unique<SequentialExampleScheme>(rows));
  return makeDatasetStream(dataset,
                           std::make_unique<SequentialScheme>(rows, batchSize));
}

HeldSource fixed(const std::string &name, Array values,
                 std::vector<std::string> labels = {}) {
  return {name, std::move(values), std::nullopt, std::move(labels)};
}

HeldSource listsOf(const std::string &name, const std::vector<Rows> &lists) {
  RaggedItems items;
  items.clear(1);
  std::vector<double> values;
  for (const Rows &list : lists) {
    items.append(Rows{int64_t(list.size())});
    values.insert(values.end(), list.begin(), list.end());
  }
  return {name, arrayOf(DType::Int64, {int64_t(values.size())}, values), items};
}
} // namespace

Stream labelled(int64_t batchSize) {
  return streamOf(
      batchSize,
      fixed("x", arrayOf(DType::Float32, {6, 2, 2}, count(24)),
            {"batch", "h", "w"}),
      fixed("y", arrayOf(DType::Int64, {6, 1}, count(6)), {"batch", "index"}));
}

Stream numbers(int64_t batchSize) {
  return streamOf(batchSize, fixed("x", arrayOf(DType::Int64, {10}, count(10))),
                  fixed("y", arrayOf(DType::Int64, {10}, count(10, 10))));
}

Stream sequences(int64_t batchSize) {
  const std::vector<Rows> features = {
      {1, 2, 3}, {4, 5}, {6, 7, 8, 9, 10}, {11}, {12, 13}};
  RaggedItems items;
  items.clear(2);
  std::vector<double> values;
  for (const Rows &list : features) {
    auto length = int64_t(list.size());
    items.append(Rows{length, 2});
    for (double value : count(2 * length))
      values.push_back(value);
  }
  HeldSource targets{"targets",
                     arrayOf(DType::Float32, {int64_t(values.size())}, values),
                     items};
  return streamOf(batchSize, listsOf("features", features), std::move(targets));
}

Stream lists() {
  return streamOf(examples,
                  listsOf("data", {{1, 2, 3, 4, 5}, {6, 7}, {8, 9, 10, 11}}));
}

Stream shortLists() {
  return streamOf(examples, listsOf("x", {{1}, {2, 3}, {4, 5, 6}}));
}

Stream images(int64_t batchSize, std::vector<std::string> labels, DType dtype) {
  std::vector<double> values = count(9 * 3 * 7 * 5);
  for (double &value : values)
    value = double(int64_t(value) % 251);
  return streamOf(batchSize, fixed("im", arrayOf(dtype, {9, 3, 7, 5}, values),
                                   std::move(labels)));
}

Stream row(DType dtype, const std::vector<double> &values) {
  return streamOf(
      1, fixed("x", arrayOf(dtype, {1, int64_t(values.size())}, values)));
}

Stream floatsAndIntegers() {
  return streamOf(3, fixed("a", arrayOf(DType::Float64, {3}, count(3))),
                  fixed("b", arrayOf(DType::Int64, {3}, count(3))));
}

Stream scalars(const std::string &name, const std::vector<int64_t> &values,
               int64_t batchSize) {
  return streamOf(batchSize,
                  fixed(name, arrayOf(DType::Int64, {int64_t(values.size())},
                                      {values.begin(), values.end()})));
}

Stream file(const std::string &path, int64_t batchSize,
            std::vector<std::string> sources) {
  StreamOptions options;
  options.file = path;
  options.scheme = batchSize == examples ? "sequential_examples" : "sequential";
  options.batchSize = std::max<int64_t>(batchSize, 1);
  options.sources = std::move(sources);
  options.prefetch = false;
  return openStream(options);
}

} // namespace cases
