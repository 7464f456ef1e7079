// Feed: what a session sends to its client, in order: answers, batches, ends of
// epochs. One kind has a stream for the client alone (OwnFeed), the other takes
// from a stream that all share (SharedFeed). All calls come from the session's
// thread; a feed's own thread rings the session's bell when there is something
// to take.
#pragma once

#include "fuel/Server/Frames.h"
#include "fuel/Server/Messages.h"

namespace fuel {

class Feed {
public:
  virtual ~Feed() = default;
  /// START, RESTORE or RESUME; the answer comes by `take`.
  virtual void command(const wire::Command &command) = 0;
  virtual void credit(const wire::Credit &credit) = 0;
  /// The next frame, or null. It stays until `sent`.
  virtual const Frame *take() = 0;
  virtual void sent() = 0;
  /// The client said goodbye.
  virtual void leave() {}
};

/// A batch with its frame.
struct Parcel {
  Batch batch;
  std::string state;
  Frame frame;

  void pack(const wire::Notice &notice);
  void pack(const wire::BatchPlace &place,
            const std::vector<SourceInfo> &sources, bool examples);
};

/// `frame` for a batch whose arrays stay where they are.
void packBatch(Frame &frame, const wire::BatchPlace &place, const Batch &batch,
               const std::string &state, const std::vector<SourceInfo> &sources,
               bool examples);
/// WELCOME as far as it is about the stream.
wire::Welcome describeStream(const DataStream &stream);
/// FAILURE with what the exception being handled says.
wire::Notice failureNotice(uint64_t generation, uint64_t number);

} // namespace fuel
