// HeldBatch and HoldingLayer: for layers that deliver a batch of the layer
// beneath in parts. Their place is that of the layer beneath before the batch,
// and how far the batch was used, so that a saved state holds no data.
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

/// A layer over a held batch. `prepare` takes parts out of `held` into the
/// work's input, and calls `refill` when it needs more.
class HoldingLayer : public UpperLayer {
public:
  using UpperLayer::UpperLayer;
  std::unique_ptr<Work> makeWork() const override {
    return std::make_unique<InnerWork>();
  }
  void startEpoch() override {
    inner->startEpoch();
    held.clear();
  }
  void savePosition(Position &position) const override {
    held.savePosition(*inner, position);
  }
  /// Throws InputError if the held batch has fewer parts than were used.
  void loadPosition(PositionReader &reader) override;

protected:
  void produce(Work &base, Batch &batch) override {
    std::swap(batch, static_cast<InnerWork &>(base).input);
  }
  /// Into how many parts the held batch falls: its examples, unless overridden.
  virtual int64_t countParts() const { return held.batch.examples; }
  /// Takes the next batch from beneath; false at the end of the epoch.
  bool refill();
  HeldBatch held;
};

} // namespace fuel
