// BatchReader: the batches of a stream, one after the other, with the next one
// read ahead when there is time or need: while a device works, or to learn
// whether the epoch ends here. What was read ahead does not count: `position`
// is always that of the batch in hand, and an error in it waits for its turn.
#pragma once

#include "fuel/DataStream.h"

#include <exception>
#include <string>

namespace blocks {

class BatchReader {
public:
  explicit BatchReader(fuel::DataStream &stream) : stream(stream) {}

  void startEpoch();
  /// Goes on to the next batch; false at the epoch's end.
  bool next();
  /// True if a batch follows the one in hand.
  bool readAhead();
  /// The same, but an error is kept until the batch is asked for.
  bool readAheadQuietly();
  /// Forgets what was read ahead: the stream was moved.
  void reset();

  const fuel::Batch &batch() const { return current; }
  /// The batch that follows, after `readAhead` said that there is one.
  const fuel::Batch &ahead() const { return following; }
  /// The stream's position behind the batch in hand.
  std::string position() const;

private:
  enum class Ahead { Nothing, Batch, End };
  void rethrow();

  fuel::DataStream &stream;
  fuel::Batch current, following;
  Ahead state = Ahead::Nothing;
  std::string positionBefore; ///< Of what was read ahead.
  std::exception_ptr failure;
};

} // namespace blocks
