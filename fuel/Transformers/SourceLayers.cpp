// SourceLayer and its kinds: see include/fuel/SourceLayers.h.
#include "fuel/SourceLayers.h"

#include "blocks/Error.h"

#include <algorithm>

namespace fuel {

using blocks::Array;

SourceLayer::SourceLayer(std::unique_ptr<Layer> below,
                         const std::vector<std::string> &which,
                         std::string description)
    : UpperLayer(std::move(below), std::move(description)) {
  selected.assign(infos.size(), which.empty());
  for (const std::string &name : which)
    selected[sourceIndex(name)] = true;
}

void SourceLayer::describeSources() {
  for (size_t i = 0; i < infos.size(); ++i)
    if (selected[i])
      changeInfo(infos[i]);
}

void SourceLayer::produce(Work &work, Batch &batch) {
  auto &mine = static_cast<SourceWork &>(work);
  if (int64_t each = partOf(mine))
    return produceInParts(mine, each, batch);
  produceInput(mine);
  Batch &input = mine.input;
  batch.examples = input.examples;
  std::swap(batch.request, input.request);
  batch.resize(input.sources.size());
  for (size_t i = 0; i < input.sources.size(); ++i) {
    if (selected[i]) {
      change(mine, i, input, batch);
    } else {
      std::swap(input.sources[i], batch.sources[i]);
      std::swap(input.items[i], batch.items[i]);
    }
  }
}

void ElementLayer::change(InnerWork &, size_t i, Batch &in, Batch &out) const {
  std::swap(in.items[i], out.items[i]);
  changeElements(in.sources[i], out.sources[i]);
}

//===-- ItemLayer ---------------------------------------------------------===//

int64_t ItemView::size() const {
  int64_t size = 1;
  for (int64_t extent : shape)
    size *= extent;
  return size;
}

void ItemLayer::expectLabels(const std::vector<std::string> &labels) const {
  auto list = [](auto begin, auto end) {
    std::string text;
    for (; begin != end; ++begin)
      text += (text.empty() ? "(" : ", ") + (begin->empty() ? "''" : *begin);
    return text.empty() ? std::string("none") : text + ")";
  };
  for (size_t i = 0; i < infos.size(); ++i) {
    if (!selected[i])
      continue;
    const SourceInfo &info = inner->sources()[i];
    size_t own = std::min(batchAxes(), info.axisLabels.size());
    auto begin = info.axisLabels.begin() + long(own);
    if (!std::equal(begin, info.axisLabels.end(), labels.begin(), labels.end()))
      refuse("works on axes labelled " + list(labels.begin(), labels.end()) +
             ", but the axes of an example of '" + info.name +
             "' are labelled " + list(begin, info.axisLabels.end()) +
             "; choose the sources with which=…, or label the axes with "
             "label(which=" +
             info.name + ",axes=channel+height+width) if they are these");
  }
}

namespace {
/// Walks over the items of a source, whatever its kind.
struct Walk {
  Walk(const Batch &in, size_t source, bool example, bool ragged)
      : array(in.sources[source]), items(in.items[source]), example(example),
        ragged(ragged), count(example ? 1 : in.examples) {
    if (ragged)
      return;
    shape = array.shape();
    if (!example)
      shape = shape.subspan(1);
    size = 1;
    for (int64_t extent : shape)
      size *= extent;
  }
  ItemView item(int64_t i) const {
    int64_t start = ragged ? items.offsets[size_t(i)] : i * size;
    return {array.data() + size_t(start) * blocks::dtypeSize(array.dtype()),
            ragged ? items.shape(i) : shape, array.dtype()};
  }
  const Array &array;
  const RaggedItems &items;
  bool example, ragged;
  int64_t count, size = 0;
  std::span<const int64_t> shape;
};
} // namespace

// Results lie one after the other, whether they are ragged or not, so the
// elements are made the same way; only how they are described differs.
void ItemLayer::change(InnerWork &work, size_t source, Batch &in,
                       Batch &out) const {
  const SourceInfo &before = inner->sources()[source], &after = infos[source];
  bool example = producesExamples();
  Walk walk(in, source, example, before.ragged);
  RaggedItems &items = out.items[source];
  items.clear(int64_t(after.shape.size() - batchAxes()));
  std::vector<int64_t> &shape = work.shape;
  for (int64_t i = 0; i < walk.count; ++i) {
    shapeOf(walk.item(i), drawsOf(work, source, i), shape);
    items.append(shape);
  }
  Array &array = out.sources[source];
  if (after.ragged) {
    array.resizeRows(after.dtype, items.offsets.back(), {});
  } else if (example) {
    array.resize(after.dtype, shape);
  } else {
    for (int64_t i = 1; i < walk.count; ++i)
      if (!std::ranges::equal(items.shape(i), items.shape(0)))
        refuse("gives examples of different shapes of '" + after.name +
               "', which was declared to have one");
    if (walk.count == 0)
      shape.assign(after.shape.begin() + 1, after.shape.end());
    array.resizeRows(after.dtype, walk.count, shape);
  }
  size_t width = blocks::dtypeSize(after.dtype);
  for (int64_t i = 0; i < walk.count; ++i)
    changeItem(walk.item(i), drawsOf(work, source, i), items.shape(i),
               array.data() + size_t(items.offsets[size_t(i)]) * width);
}

//===-- RandomItemLayer ---------------------------------------------------===//

std::unique_ptr<Layer::Work> RandomItemLayer::makeWork() const {
  auto work = std::make_unique<RandomWork>();
  work->inner = inner->makeWork();
  work->draws.resize(infos.size());
  return work;
}

void RandomItemLayer::startEpoch() {
  inner->startEpoch();
  random.startEpoch();
}

bool RandomItemLayer::knownBeforehand(size_t source) const {
  const SourceInfo &info = inner->sources()[source];
  if (!drawsNeedShapes())
    return true;
  return !info.ragged &&
         std::all_of(info.shape.begin() + long(batchAxes()), info.shape.end(),
                     [](int64_t extent) { return extent >= 0; });
}

// Draws are made in order; where they depend on shapes that only the data
// tells, the data must be there.
bool RandomItemLayer::prepare(Work &base) {
  auto &work = static_cast<RandomWork &>(base);
  work.finished = false;
  if (!UpperLayer::prepare(work))
    return false;
  bool known = work.examples.has_value() || producesExamples();
  for (size_t i = 0; i < infos.size(); ++i)
    known &= !selected[i] || knownBeforehand(i);
  if (!known) {
    inner->finish(*work.inner, work.input);
    work.finished = true;
  }
  drawAll(work);
  return true;
}

void RandomItemLayer::drawAll(RandomWork &work) {
  for (size_t i = 0; i < infos.size(); ++i) {
    if (!selected[i])
      continue;
    const SourceInfo &info = inner->sources()[i];
    ItemShapes shapes;
    shapes.count = producesExamples() ? 1
                   : work.finished    ? work.input.examples
                                      : *work.examples;
    const blocks::Shape &whole =
        work.finished ? work.input.sources[i].shape() : info.shape;
    if (!info.ragged)
      shapes.fixed = std::span(whole).subspan(batchAxes());
    else if (work.finished) // Otherwise the draws do not depend on them.
      shapes.items = &work.input.items[i];
    work.draws[i].clear();
    draw(random.generator(), shapes, work.draws[i]);
  }
}

void RandomItemLayer::produceInput(InnerWork &base) {
  auto &work = static_cast<RandomWork &>(base);
  if (!work.finished)
    inner->finish(*work.inner, work.input);
}

std::span<const double> RandomItemLayer::drawsOf(InnerWork &work, size_t source,
                                                 int64_t item) const {
  const std::vector<double> &all =
      static_cast<RandomWork &>(work).draws[source];
  size_t each = drawsPerItem();
  if ((size_t(item) + 1) * each > all.size())
    refuse("finds more examples than were announced");
  return {all.data() + size_t(item) * each, each};
}

void RandomItemLayer::savePosition(Position &position) const {
  random.savePosition(position);
  inner->savePosition(position);
}
void RandomItemLayer::loadPosition(PositionReader &reader) {
  random.loadPosition(reader);
  inner->loadPosition(reader);
}
void RandomItemLayer::saveRandom(std::vector<std::string> &states) const {
  random.saveRandom(states);
  inner->saveRandom(states);
}
void RandomItemLayer::loadRandom(RandomReader &reader) {
  random.loadRandom(reader);
  inner->loadRandom(reader);
}

} // namespace fuel
