// Rows: see Rows.h.
#include "fuel/Transformers/Rows.h"

#include "blocks/Error.h"

#include <algorithm>
#include <cstring>

namespace fuel {

using blocks::Array;

namespace {
struct RowView {
  const std::byte *data;
  std::span<const int64_t> shape;
};

RowView rowOf(const SourceInfo &info, const Batch &in, size_t source,
              int64_t row) {
  const Array &array = in.sources[source];
  size_t width = blocks::dtypeSize(array.dtype());
  if (info.ragged) {
    const RaggedItems &items = in.items[source];
    return {array.data() + size_t(items.offsets[size_t(row)]) * width,
            items.shape(row)};
  }
  int64_t size = 1;
  for (size_t i = 1; i < array.shape().size(); ++i)
    size *= array.shape()[i];
  return {array.data() + size_t(row * size) * width,
          std::span(array.shape()).subspan(1)};
}

size_t sizeOf(std::span<const int64_t> shape) {
  int64_t size = 1;
  for (int64_t extent : shape)
    size *= extent;
  return size_t(size);
}
} // namespace

RowAppender::RowAppender(const std::vector<SourceInfo> &infos, Batch &out)
    : infos(infos), out(out), bytes(infos.size()), shapes(infos.size()),
      types(infos.size()) {
  out.resize(infos.size());
  out.examples = 0;
  out.request.clear();
  for (size_t i = 0; i < infos.size(); ++i) {
    types[i] = infos[i].dtype;
    out.items[i].clear(int64_t(infos[i].shape.size()) - 1);
  }
}

void RowAppender::add(size_t i, const std::byte *data,
                      std::span<const int64_t> shape, blocks::DType dtype) {
  size_t count = sizeOf(shape) * blocks::dtypeSize(dtype);
  types[i] = dtype;
  if (infos[i].ragged) {
    out.items[i].append(shape);
  } else if (out.examples == 0) {
    shapes[i].assign(shape.begin(), shape.end());
  } else if (!std::ranges::equal(shapes[i], shape)) {
    throw blocks::InputError("the examples of '" + infos[i].name +
                             "' have the shapes " +
                             blocks::formatShape(shapes[i]) + " and " +
                             blocks::formatShape({shape.begin(), shape.end()}) +
                             ", but were declared to have one shape");
  }
  bytes[i].insert(bytes[i].end(), data, data + count);
}

void RowAppender::append(const Batch &in, int64_t row) {
  for (size_t i = 0; i < infos.size(); ++i) {
    RowView view = rowOf(infos[i], in, i, row);
    add(i, view.data, view.shape, in.sources[i].dtype());
  }
  if (size_t(row) < in.request.size())
    out.request.push_back(in.request[size_t(row)]);
  ++out.examples;
}

void RowAppender::appendExample(const Batch &in) {
  for (size_t i = 0; i < infos.size(); ++i)
    add(i, in.sources[i].data(), in.sources[i].shape(), in.sources[i].dtype());
  out.request.insert(out.request.end(), in.request.begin(), in.request.end());
  ++out.examples;
}

void RowAppender::finish() {
  for (size_t i = 0; i < infos.size(); ++i) {
    Array &array = out.sources[i];
    if (infos[i].ragged) {
      array.resizeRows(types[i], out.items[i].offsets.back(), {});
    } else {
      if (out.examples == 0)
        for (size_t k = 1; k < infos[i].shape.size(); ++k)
          shapes[i].push_back(std::max<int64_t>(infos[i].shape[k], 0));
      array.resizeRows(types[i], out.examples, shapes[i]);
    }
    if (!bytes[i].empty())
      std::memcpy(array.data(), bytes[i].data(), bytes[i].size());
  }
}

void takeExample(const std::vector<SourceInfo> &infos, const Batch &in,
                 int64_t row, Batch &out) {
  out.resize(infos.size());
  out.examples = 1;
  out.request.clear();
  if (size_t(row) < in.request.size())
    out.request.push_back(in.request[size_t(row)]);
  for (size_t i = 0; i < infos.size(); ++i) {
    RowView view = rowOf(infos[i], in, i, row);
    blocks::Shape shape(view.shape.begin(), view.shape.end());
    out.sources[i].resize(in.sources[i].dtype(), shape);
    if (out.sources[i].bytes())
      std::memcpy(out.sources[i].data(), view.data, out.sources[i].bytes());
  }
}

} // namespace fuel
