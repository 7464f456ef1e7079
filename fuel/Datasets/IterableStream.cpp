// IterableStream: sequences that the caller makes, side by side. See
// include/fuel/Datasets.h.
#include "fuel/Datasets.h"

#include "blocks/Error.h"
#include "fuel/Datasets/SequenceStream.h"

namespace fuel {

using blocks::UsageError;

namespace {
class IterableStream : public SequenceStream {
public:
  explicit IterableStream(std::vector<IterableSource> sources);
  std::string fingerprint() const override;

protected:
  void rewind() override;
  bool produce(Batch &batch) override;

private:
  void checkEnd(size_t ended, Batch &batch);
  void checkValue(const blocks::Array &value, const SourceInfo &info) const;
  std::vector<IterableSource> given;
  std::vector<ExampleSource> walking;
  bool delivered = false, delivering = false;
};

IterableStream::IterableStream(std::vector<IterableSource> sources)
    : given(std::move(sources)) {
  if (given.empty())
    throw UsageError("a stream of sequences needs at least one source");
  for (const IterableSource &source : given) {
    if (source.length && length && *source.length != *length)
      throw UsageError(
          "the sequences have different lengths: '" + given.front().info.name +
          "' has " + std::to_string(*length) + " values, '" + source.info.name +
          "' has " + std::to_string(*source.length));
    length = source.length ? source.length : length;
    infos.push_back(source.info);
    infos.back().axisLabels.resize(infos.back().shape.size());
  }
}

void IterableStream::rewind() {
  walking.clear();
  delivering = false;
  for (const IterableSource &source : given) {
    walking.push_back(source.start());
    if (!walking.back())
      throw UsageError("source '" + source.info.name +
                       "' can be walked only once, and was; give a sequence "
                       "that starts anew for each epoch");
  }
}

void IterableStream::checkValue(const blocks::Array &value,
                                const SourceInfo &info) const {
  bool fits =
      value.dtype() == info.dtype && value.shape().size() == info.shape.size();
  for (size_t axis = 0; fits && axis < info.shape.size(); ++axis)
    fits = info.shape[axis] < 0 || value.shape()[axis] == info.shape[axis];
  if (!fits)
    throw UsageError("source '" + info.name + "' gave " +
                     std::string(dtypeName(value.dtype())) + " " +
                     blocks::formatShape(value.shape()) + "; expected " +
                     std::string(dtypeName(info.dtype)) + " " +
                     blocks::formatShape(info.shape));
}

// A source that ends first must not silently cut the others, and a generator
// that was used up must not look like an empty epoch.
void IterableStream::checkEnd(size_t ended, Batch &batch) {
  for (size_t i = 0; i < walking.size(); ++i)
    if (i < ended || (i > ended && walking[i](batch.sources[i])))
      throw UsageError("source '" + given[ended].info.name +
                       "' ended before source '" + given[i].info.name + "'");
  if (delivered && !delivering)
    throw UsageError("source '" + given[ended].info.name +
                     "' is exhausted: it gave values before and none now; give "
                     "a sequence that starts anew for each epoch");
}

bool IterableStream::produce(Batch &batch) {
  for (size_t i = 0; i < walking.size(); ++i) {
    if (!walking[i](batch.sources[i])) {
      checkEnd(i, batch);
      return false;
    }
    checkValue(batch.sources[i], infos[i]);
  }
  delivered = delivering = true;
  return true;
}

std::string IterableStream::fingerprint() const {
  std::string text = "sequences";
  for (const SourceInfo &info : infos)
    text += " " + info.name + "=" + std::string(dtypeName(info.dtype)) + ":" +
            blocks::formatShape(info.shape);
  return text + (length ? " examples=" + std::to_string(*length) : "");
}
} // namespace

std::unique_ptr<DataStream>
makeIterableStream(std::vector<IterableSource> sources) {
  return std::make_unique<IterableStream>(std::move(sources));
}

} // namespace fuel
