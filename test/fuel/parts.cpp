// Batches larger than the caches are made in parts: the same bits as made as a
// whole, whatever the size of a part, wherever the rows lie, with any number of
// workers; and the arithmetic of bytes gives what the slow one gives.
#include "fuel/Datasets.h"
#include "fuel/IterationScheme.h"
#include "fuel/Streams.h"
#include "fuel/Transformers/ByteScale.h"
#include "test/Check.h"
#include "test/fuel/Recording.h"

#include <cstring>

using namespace fuel;
using blocks::Array;
using blocks::DType;

namespace {

Array randomBytes(const blocks::Shape &shape) {
  Array array(DType::UInt8, shape);
  uint32_t x = 1;
  for (int64_t i = 0; i < array.size(); ++i)
    array.as<uint8_t>()[i] = uint8_t((x = x * 1664525u + 1013904223u) >> 24);
  return array;
}

std::shared_ptr<const Dataset> images(int64_t rows, int64_t height,
                                      int64_t width) {
  std::vector<HeldSource> sources;
  sources.push_back({"image",
                     randomBytes({rows, 3, height, width}),
                     {},
                     {"batch", "channel", "height", "width"}});
  sources.push_back({"label", randomBytes({rows, 1}), {}, {"batch", "index"}});
  return makeIndexableDataset(std::move(sources));
}

/// A data set whose rows lie nowhere: they are always copied.
class Copied : public Dataset {
public:
  explicit Copied(std::shared_ptr<const Dataset> inner)
      : inner(std::move(inner)) {}
  const std::vector<SourceInfo> &sources() const override {
    return inner->sources();
  }
  const std::vector<std::string> &providesSources() const override {
    return inner->providesSources();
  }
  const std::map<std::string, std::vector<std::string>> &
  axisLabels() const override {
    return inner->axisLabels();
  }
  int64_t numExamples() const override { return inner->numExamples(); }
  void getRows(std::span<const int64_t> rows, Batch &batch) const override {
    inner->getRows(rows, batch);
  }
  void getSlice(int64_t start, int64_t stop, Batch &batch) const override {
    inner->getSlice(start, stop, batch);
  }
  void getExample(int64_t row, Batch &batch) const override {
    inner->getExample(row, batch);
  }
  std::string fingerprint() const override { return inner->fingerprint(); }

private:
  std::shared_ptr<const Dataset> inner;
};

std::vector<std::string> delivered(std::shared_ptr<const Dataset> dataset,
                                   int64_t batch, const std::string &transforms,
                                   int64_t workers) {
  int64_t rows = dataset->numExamples();
  auto stream = makeDatasetStream(
      std::move(dataset), std::make_unique<ShuffledScheme>(rows, batch, 7));
  stream = withWorkers(transform(std::move(stream), transforms), workers);
  std::vector<std::string> items;
  for (const recording::Step &step : recording::record(*stream, 2))
    items.push_back(step.next);
  return items;
}

// `label` needs the whole batch, so what is above it is not made in parts.
void compare(int64_t rows, int64_t height, int64_t width, int64_t batch,
             const std::string &transforms) {
  auto dataset = images(rows, height, width);
  auto expected = delivered(
      dataset, batch,
      "label(which=image,axes=channel+height+width), " + transforms, 0);
  CHECK(expected == delivered(dataset, batch, transforms, 0));
  CHECK(expected == delivered(dataset, batch, transforms, 2));
  CHECK(expected ==
        delivered(std::make_shared<Copied>(dataset), batch, transforms, 1));
}

void testPipelines() {
  std::string crop = "random_fixed_size_crop(window=30x33,which=image)",
              flip = "random_flip(which=image)",
              scale = "scale_and_shift(scale=1/255,which=image)",
              cast = "cast(dtype=f32,which=image)";
  for (auto [height, width, batch] :
       {std::tuple(40, 48, 200), std::tuple(160, 161, 16)}) {
    int64_t rows = batch * 3 / 2; // The last batch is small.
    compare(rows, height, width, batch, scale + ", " + cast);
    compare(rows, height, width, batch, crop + ", " + flip);
    compare(rows, height, width, batch,
            crop + ", " + flip + ", " + scale + ", " + cast);
    compare(rows, height, width, batch,
            "scale_and_shift(scale=2,which=image), "
            "corner_crop(window=30x31,corner=bottom_right,which=image)");
    compare(rows, height, width, batch,
            flip + ", rename(from=image,to=picture), scale_and_shift(shift=3)");
  }
}

/// All bytes, at places in memory that no vector is aligned to.
void testBytes(const std::string &scale, const std::string &shift,
               DType dtype) {
  Scalar factor = Scalar::parse(scale), term = Scalar::parse(shift);
  Array bytes = randomBytes({5000}), expected;
  for (int i = 0; i < 256; ++i)
    bytes.as<uint8_t>()[i] = uint8_t(i);
  scaleElements(bytes, factor, term, dtype, expected);
  ByteScale fast(factor, term, dtype);
  CHECK(fast.dtype() == dtype);
  size_t width = blocks::dtypeSize(dtype);
  Array out(DType::UInt8, {int64_t(5100 * width)});
  for (bool past : {false, true})
    for (size_t offset : {0, 1, 3, 8, 15})
      for (int64_t count : {0, 1, 7, 64, 999, 4985}) {
        std::byte *to = out.data() + offset * width;
        std::memset(out.data(), 0xa5, out.bytes());
        fast.apply(bytes.as<uint8_t>() + offset, count, to, past);
        CHECK(std::memcmp(to, expected.data() + offset * width,
                          size_t(count) * width) == 0);
        CHECK(to[size_t(count) * width] == std::byte(0xa5));
      }
}

void testArithmetic() {
  for (const char *scale :
       {"1/255", "0.5", "1", "3", "0.0039", "1e-3", "2/255"})
    for (const char *shift : {"0", "0.5", "-1", "-128"})
      for (DType dtype : {DType::Float32, DType::Float64, DType::UInt8,
                          DType::Int16, DType::Float16})
        testBytes(scale, shift, dtype);
}

} // namespace

int main() {
  testPipelines();
  testArithmetic();
  return checkSummary();
}
