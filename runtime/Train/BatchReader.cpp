// Reading ahead: see BatchReader.h.
#include "runtime/Train/BatchReader.h"

#include <utility>

namespace blocks {

void BatchReader::startEpoch() {
  reset();
  stream.startEpoch();
}

void BatchReader::reset() {
  state = Ahead::Nothing;
  failure = nullptr;
}

void BatchReader::rethrow() {
  if (failure)
    std::rethrow_exception(std::exchange(failure, nullptr));
}

bool BatchReader::next() {
  rethrow();
  Ahead found = std::exchange(state, Ahead::Nothing);
  if (found == Ahead::Batch)
    std::swap(current, following);
  return found == Ahead::Nothing ? stream.next(current) : found == Ahead::Batch;
}

bool BatchReader::readAhead() {
  rethrow();
  if (state == Ahead::Nothing) {
    positionBefore = stream.state();
    state = stream.next(following) ? Ahead::Batch : Ahead::End;
  }
  return state == Ahead::Batch;
}

bool BatchReader::readAheadQuietly() {
  if (failure)
    return false;
  try {
    return readAhead();
  } catch (...) {
    failure = std::current_exception();
    return false;
  }
}

std::string BatchReader::position() const {
  return state == Ahead::Nothing && !failure ? stream.state() : positionBefore;
}

} // namespace blocks
