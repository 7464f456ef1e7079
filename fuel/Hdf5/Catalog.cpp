// Catalog: see Catalog.h. Here are its questions and its form as bytes, by
// which the child process hands it over; CatalogScan.cpp fills it.
#include "fuel/Hdf5/Catalog.h"

#include "fuel/Hdf5/ChildProcess.h"
#include "fuel/Hdf5/Packing.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace fuel {

using blocks::hdf5::ElementType;
using blocks::hdf5::Filter;
using blocks::hdf5::StoredArray;

//===-- Questions ---------------------------------------------------------===//

std::vector<std::string> Catalog::Source::batchLabels() const {
  if (!data.element.isVariable() || !shapes)
    return axisLabels;
  std::vector<std::string> labels{axisLabels.empty() ? "" : axisLabels[0]};
  size_t axes = shapes->shape.size() == 2 ? size_t(shapes->shape[1]) : 0;
  for (size_t i = 0; i < axes; ++i)
    labels.push_back(i < shapeLabels.size() ? shapeLabels[i] : "");
  return labels;
}

std::vector<std::string> Catalog::splits() const {
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (const SplitPart &part : parts)
    if (seen.insert(part.split).second)
      names.push_back(part.split);
  return names;
}

std::vector<std::string> Catalog::sourcesOf(const std::string &split) const {
  std::set<std::string> names;
  for (const SplitPart &part : parts)
    if (part.split == split && part.available)
      names.insert(part.source);
  return {names.begin(), names.end()};
}

const Catalog::SplitPart *Catalog::find(const std::string &split,
                                        const std::string &source) const {
  for (const SplitPart &part : parts)
    if (part.split == split && part.source == source && part.available)
      return &part;
  return nullptr;
}

const Catalog::Source *Catalog::find(const std::string &source) const {
  for (const Source &each : sources)
    if (each.name == source)
      return &each;
  return nullptr;
}

//===-- As bytes ----------------------------------------------------------===//

// One list of members serves both directions.
template <typename F> static void members(ElementType &x, F &&f) {
  f(x.kind), f(x.dtype), f(x.bigEndian), f(x.bytes), f(x.name);
}
template <typename F> static void members(Filter &x, F &&f) {
  f(x.id), f(x.name), f(x.parameters);
}
template <typename F> static void members(StoredArray &x, F &&f) {
  f(x.path), f(x.element), f(x.shape), f(x.layout), f(x.offset);
  f(x.chunkShape), f(x.chunks), f(x.filters), f(x.inlineBytes), f(x.fill);
}
template <typename F> static void members(Catalog::Source &x, F &&f) {
  f(x.name), f(x.problem), f(x.data), f(x.axisLabels), f(x.shapes);
  f(x.shapeLabels);
}
template <typename F> static void members(Catalog::SplitPart &x, F &&f) {
  f(x.split), f(x.source), f(x.comment), f(x.start), f(x.stop), f(x.index);
  f(x.available);
}
template <typename F> static void members(Catalog &x, F &&f) {
  f(x.parts), f(x.sources), f(x.indices), f(x.userBlock);
  f(x.convertCommand), f(x.convertVersion), f(x.interfaceVersion);
}

template <typename T>
concept HasMembers = requires(T &x) { members(x, [](auto &) {}); };

namespace {
struct Pack {
  Packer &out;
  template <typename T> void operator()(T &value) const {
    if constexpr (HasMembers<T>)
      members(value, *this);
    else
      out << value;
  }
  template <typename T>
    requires HasMembers<T>
  void operator()(std::vector<T> &values) const {
    out << uint64_t(values.size());
    for (T &value : values)
      (*this)(value);
  }
  template <typename T>
    requires HasMembers<T>
  void operator()(std::optional<T> &value) const {
    out << bool(value);
    if (value)
      (*this)(*value);
  }
};

struct Unpack {
  Unpacker &in;
  template <typename T> void operator()(T &value) const {
    if constexpr (HasMembers<T>)
      members(value, *this);
    else
      in >> value;
  }
  template <typename T>
    requires HasMembers<T>
  void operator()(std::vector<T> &values) const {
    uint64_t count = 0;
    in >> count;
    values.clear();
    for (uint64_t i = 0; i < count; ++i)
      (*this)(values.emplace_back());
  }
  template <typename T>
    requires HasMembers<T>
  void operator()(std::optional<T> &value) const {
    bool present = false;
    in >> present;
    if (present)
      (*this)(value.emplace());
  }
};
} // namespace

Catalog readCatalog(const std::string &path) {
  ChildLimits limits;
  std::error_code missing;
  uint64_t size = std::filesystem::file_size(path, missing);
  // A sound file takes milliseconds; one of very many chunks, more.
  if (!missing) {
    limits.cpuSeconds += int64_t(size >> 23);
    limits.moreBytes += size / 4;
  }
  std::string bytes = inChildProcess(path, limits, [&] {
    Catalog catalog = scanFile(path);
    Packer packer;
    Pack{packer}(catalog);
    return std::move(packer.bytes);
  });
  Unpacker unpacker(bytes);
  Catalog catalog;
  Unpack{unpacker}(catalog);
  return catalog;
}

} // namespace fuel
