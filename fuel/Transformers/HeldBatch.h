// HeldBatch: for layers that deliver a batch of the layer beneath in parts. Its
// place is that of the layer beneath before the batch, and how far the batch
// was used, so that a saved state holds no data.
#pragma once

#include "fuel/Layer.h"

namespace fuel {

class HeldBatch {
public:
  Batch batch;
  int64_t used = 0;  ///< Parts delivered, of `parts`.
  int64_t parts = 0; ///< 0: nothing is held.

  bool exhausted() const { return used >= parts; }
  void clear() { used = parts = 0; }
  /// Takes the next batch; false at the end of the epoch. The caller sets
  /// `parts`.
  bool refill(Layer &inner) {
    if (!work)
      work = inner.makeWork();
    before.clear();
    inner.savePosition(before);
    clear();
    if (!inner.prepare(*work))
      return false;
    inner.finish(*work, batch);
    return true;
  }
  void savePosition(const Layer &inner, Position &position) const {
    position.counts.push_back(exhausted() ? 0 : used);
    if (exhausted())
      inner.savePosition(position);
    else
      position.append(before);
  }
  /// Returns how many parts were used; if any, refill and skip them.
  int64_t loadPosition(Layer &inner, PositionReader &reader) {
    int64_t count = reader.count();
    inner.loadPosition(reader);
    clear();
    return count;
  }

private:
  std::unique_ptr<Layer::Work> work;
  Position before;
};

/// Throws InputError: a saved state is `used` parts into a batch of `parts`.
[[noreturn]] void badPart(int64_t used, int64_t parts);

} // namespace fuel
