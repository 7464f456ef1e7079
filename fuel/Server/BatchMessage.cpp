// BATCH: the description of a batch, before its arrays' bytes.
#include "fuel/Server/Messages.h"

namespace fuel::wire {

/// In single examples every source is an array of its own shape.
static bool isRagged(const SourceInfo &info, bool examples) {
  return info.ragged && !examples;
}

void encodeBatch(Bytes &out, const BatchPlace &place, const Batch &batch,
                 const std::string &state,
                 const std::vector<SourceInfo> &sources, bool examples) {
  Writer to(out);
  to.number(place.generation);
  to.number(place.number);
  to.number(place.epoch);
  to.number(batch.examples);
  to.list(batch.request);
  to.text(state);
  for (size_t i = 0; i < sources.size(); ++i) {
    const blocks::Array &array = batch.sources[i];
    bool ragged = isRagged(sources[i], examples);
    to.number(uint8_t(ragged));
    to.number(uint8_t(array.dtype()));
    if (!ragged) {
      to.list(array.shape());
      continue;
    }
    const RaggedItems &items = batch.items[i];
    to.number(items.rank);
    to.number(items.count());
    to.numbers(items.shapes);
  }
}

namespace {
class BatchParser {
public:
  BatchParser(Reader &from, uint64_t payload, ShapeScratch &scratch)
      : from(from), left(payload), shape(scratch.shape),
        shapes(scratch.shapes) {}

  void source(const SourceInfo &info, bool ragged, blocks::Array &array,
              RaggedItems &items) {
    name = &info.name;
    if (from.flag() != ragged)
      reject("is ragged in only one of schema and batch");
    if (from.number<uint8_t>() != uint8_t(info.dtype))
      reject("has another element type than the schema says");
    ragged ? raggedSource(info, array, items) : fixedSource(info, array);
  }
  void finish() const {
    if (left != 0)
      throw blocks::CorruptError("a batch comes with " + std::to_string(left) +
                                 " bytes more than its arrays need");
  }

private:
  [[noreturn]] void reject(const std::string &what) const {
    throw blocks::CorruptError("source '" + *name + "' of a batch " + what);
  }

  void fixedSource(const SourceInfo &info, blocks::Array &array) {
    from.list(shape);
    bool fits = shape.size() == info.shape.size();
    for (size_t i = 0; fits && i < shape.size(); ++i)
      fits = info.shape[i] < 0 || info.shape[i] == shape[i];
    if (!fits)
      reject("is " + blocks::formatShape(shape) + ", but the schema says " +
             blocks::formatShape(info.shape));
    takeBytes(shape, info.dtype);
    array.resize(info.dtype, shape);
  }

  void raggedSource(const SourceInfo &info, blocks::Array &array,
                    RaggedItems &items) {
    auto rank = from.number<int64_t>();
    auto count = from.number<int64_t>();
    if (rank + 1 != int64_t(info.shape.size()))
      reject("has items of " + std::to_string(rank) + " axes");
    if (count < 0 ||
        (rank > 0 && uint64_t(count) > UINT32_MAX / uint64_t(rank)))
      reject("has " + std::to_string(count) + " items");
    if (rank == 0 && uint64_t(count) > left)
      reject("has more items than bytes");
    from.numbers(shapes, uint64_t(count) * uint64_t(rank));
    items.clear(rank);
    for (int64_t i = 0; i < count; ++i) {
      std::span<const int64_t> item(shapes.data() + i * rank, size_t(rank));
      takeBytes(item, info.dtype);
      items.append(item);
    }
    shape.assign(1, items.offsets.back());
    array.resize(info.dtype, shape);
  }

  /// Of the payload, those that an array of this shape needs.
  void takeBytes(std::span<const int64_t> extents, blocks::DType dtype) {
    unsigned __int128 bytes = blocks::dtypeSize(dtype);
    bool empty = false, sound = true;
    for (int64_t extent : extents) {
      sound &= extent >= 0;
      empty |= extent == 0;
      // Also beside a 0 no product may overflow where others compute it.
      bytes *= extent > 0 ? uint64_t(extent) : 1;
      if (!sound || bytes > uint64_t(1) << 62)
        reject("has an impossible shape");
    }
    if (empty)
      return;
    if (bytes > left)
      reject("needs more bytes than came with the batch");
    left -= uint64_t(bytes);
  }

  Reader &from;
  uint64_t left;
  const std::string *name = nullptr;
  blocks::Shape &shape;
  std::vector<int64_t> &shapes;
};
} // namespace

BatchPlace parseBatch(ByteSpan head, uint64_t payload,
                      const std::vector<SourceInfo> &sources, bool examples,
                      Batch &batch, std::string &state, ShapeScratch &scratch) {
  Reader from(head);
  BatchPlace place;
  place.generation = from.number<uint64_t>();
  place.number = from.number<uint64_t>();
  place.epoch = from.number<uint64_t>();
  batch.examples = from.number<int64_t>();
  if (batch.examples < 0)
    throw blocks::CorruptError("a batch has " + std::to_string(batch.examples) +
                               " examples");
  from.list(batch.request);
  from.text(state);
  batch.resize(sources.size());
  BatchParser parser(from, payload, scratch);
  for (size_t i = 0; i < sources.size(); ++i)
    parser.source(sources[i], isRagged(sources[i], examples), batch.sources[i],
                  batch.items[i]);
  from.finish();
  parser.finish();
  return place;
}

} // namespace fuel::wire
