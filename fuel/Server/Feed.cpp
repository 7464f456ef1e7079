// Parcels: see Feed.h.
#include "fuel/Server/Feed.h"

namespace fuel {

using namespace wire;

void packBatch(Frame &frame, const BatchPlace &place, const Batch &batch,
               const std::string &state, const std::vector<SourceInfo> &sources,
               bool examples) {
  frame.begin();
  encodeBatch(frame.bytes, place, batch, state, sources, examples);
  for (const blocks::Array &array : batch.sources)
    if (array.bytes() > 0)
      frame.payload.push_back(
          {const_cast<std::byte *>(array.data()), array.bytes()});
  frame.finish(Kind::Batch);
}

void Parcel::pack(const Notice &notice) {
  frame.begin();
  encode(frame.bytes, notice);
  frame.finish(notice.kind);
}

void Parcel::pack(const BatchPlace &place,
                  const std::vector<SourceInfo> &sources, bool examples) {
  packBatch(frame, place, batch, state, sources, examples);
}

Welcome describeStream(const DataStream &stream) {
  Welcome welcome;
  welcome.examples = stream.producesExamples();
  welcome.batchesPerEpoch = stream.batchesPerEpoch();
  welcome.examplesPerEpoch = stream.examplesPerEpoch();
  welcome.fingerprint = stream.fingerprint();
  welcome.state = stream.state();
  welcome.sources = stream.sources();
  return welcome;
}

Notice failureNotice(uint64_t generation, uint64_t number) {
  Notice notice{
      .kind = Kind::Failure, .generation = generation, .number = number};
  try {
    throw;
  } catch (const blocks::Error &error) {
    notice.error = error.kind();
    notice.text = error.what();
  } catch (const std::bad_alloc &) {
    notice.text = "the server has not enough memory";
  } catch (const std::exception &error) {
    notice.text = error.what();
  }
  return notice;
}

} // namespace fuel
