// Layers that change some sources of each item and keep the order: the bases of
// most transformers, and of a program's own.
//
// - SourceLayer: any change of a source's array.
// - ElementLayer: a change of each element; the same for examples, batches and
//   batches of different shapes.
// - ItemLayer: a change of each example's array (an image, a sequence), which
//   may change its shape; likewise for all three. With random numbers, which
//   are drawn in the order of the items.
#pragma once

#include "fuel/Layer.h"

#include <span>

namespace fuel {

class SourceLayer : public UpperLayer {
public:
  /// `which`: the sources to change; empty: all.
  SourceLayer(std::unique_ptr<Layer> inner,
              const std::vector<std::string> &which, std::string text);
  std::unique_ptr<Work> makeWork() const override;
  bool divisible() const override;

protected:
  /// Fills `infos`; constructors of derived classes call it.
  void describeSources();
  virtual void changeInfo(SourceInfo &info) const = 0;
  /// Makes `out` of `in`, which may be changed or swapped with it. `work` is
  /// the item's.
  virtual void change(InnerWork &work, size_t source, Batch &in,
                      Batch &out) const = 0;
  void produce(Work &work, Batch &batch) override;
  /// Makes `work.input`.
  virtual void produceInput(InnerWork &work) {
    inner->finish(*work.inner, work.input);
  }

  /// Whether `changePart` may be called, where all examples of the stream have
  /// one shape before and after this layer.
  virtual bool changesParts() const { return false; }
  /// Fills `out` with what becomes of some examples of a source, those from
  /// `start` of the item; `large`: the whole result is beyond the caches.
  virtual void changePart(InnerWork &, size_t, const blocks::ArrayView &,
                          int64_t, std::byte *, bool) const {}

  /// An item's work, with room for parts.
  struct SourceWork : InnerWork {
    Part part;
    std::vector<blocks::Array> changed;
  };
  std::vector<bool> selected;

private:
  void producePart(Work &work, int64_t start, int64_t count,
                   Part &part) override;
  /// The number of examples in a part; 0 if the item is made as a whole.
  int64_t partOf(const SourceWork &work) const;
  void produceInParts(SourceWork &work, int64_t each, Batch &batch);
};

class ElementLayer : public SourceLayer {
public:
  using SourceLayer::SourceLayer;

protected:
  /// May run in several threads at once.
  virtual void changeElements(blocks::Array &in, blocks::Array &out) const = 0;

private:
  void change(InnerWork &work, size_t source, Batch &in,
              Batch &out) const override;
};

/// The value of one example.
struct ItemView {
  const std::byte *data;
  std::span<const int64_t> shape;
  blocks::DType dtype;
  int64_t size() const;
};

/// The shapes of a batch's items before they are there.
struct ItemShapes {
  int64_t count = 0;
  const RaggedItems *items = nullptr; ///< Or all have `fixed`.
  std::span<const int64_t> fixed;
  std::span<const int64_t> shape(int64_t i) const {
    return items ? items->shape(i) : fixed;
  }
};

class ItemLayer : public SourceLayer {
public:
  using SourceLayer::SourceLayer;

protected:
  /// Shape of the result for an item: as many axes for all.
  virtual void shapeOf(const ItemView &item, std::span<const double> draws,
                       std::vector<int64_t> &shape) const = 0;
  /// Fills `out`, which has that shape and the element type of the stream.
  virtual void changeItem(const ItemView &item, std::span<const double> draws,
                          std::span<const int64_t> shape,
                          std::byte *out) const = 0;
  /// Random numbers of item `i`.
  virtual std::span<const double> drawsOf(InnerWork &, size_t, int64_t) const {
    return {};
  }
  /// Axes that are not an item's own: 1 in batches.
  size_t batchAxes() const { return producesExamples() ? 0 : 1; }
  /// Checks that the last axes of the selected sources are labelled so.
  void expectLabels(const std::vector<std::string> &labels) const;

private:
  void change(InnerWork &work, size_t source, Batch &in,
              Batch &out) const override;
  bool changesParts() const override { return true; }
  void changePart(InnerWork &work, size_t source, const blocks::ArrayView &in,
                  int64_t start, std::byte *out, bool large) const override;
};

class RandomItemLayer : public ItemLayer {
public:
  RandomItemLayer(std::unique_ptr<Layer> inner,
                  const std::vector<std::string> &which, std::string text,
                  uint64_t seed)
      : ItemLayer(std::move(inner), which, std::move(text)), random(seed) {}

  std::unique_ptr<Work> makeWork() const override;
  void startEpoch() override;
  bool prepare(Work &work) override;
  void savePosition(Position &position) const override;
  void loadPosition(PositionReader &reader) override;
  void saveRandom(std::vector<std::string> &states) const override;
  void loadRandom(RandomReader &reader) override;

protected:
  /// Draws `drawsPerItem` numbers for each item, item by item in `draws`.
  virtual void draw(Mt19937 &generator, const ItemShapes &shapes,
                    std::vector<double> &draws) const = 0;
  virtual size_t drawsPerItem() const = 0;
  /// Whether the draws depend on the items' shapes.
  virtual bool drawsNeedShapes() const { return true; }

private:
  struct RandomWork : SourceWork {
    std::vector<std::vector<double>> draws; ///< By source.
    bool finished = false; ///< `input` was made within `prepare`.
  };
  bool knownBeforehand(size_t source) const;
  void drawAll(RandomWork &work);
  void produceInput(InnerWork &work) override;
  std::span<const double> drawsOf(InnerWork &work, size_t source,
                                  int64_t item) const override;
  LayerRandom random;
};

} // namespace fuel
