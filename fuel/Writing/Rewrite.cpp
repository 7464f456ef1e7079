// Rewrite: see Rewrite.h.
#include "fuel/Writing/Rewrite.h"

#include "blocks/Error.h"
#include "fuel/Datasets/RaggedRows.h"
#include "fuel/Writer.h"

#include <algorithm>
#include <numeric>

namespace fuel {

using blocks::InputError;
using blocks::hdf5::StoredArray;

namespace {
constexpr int64_t pieceBytes = int64_t(4) << 20, mostItems = 1024;

/// Level of gzip, if the data are compressed by it.
std::optional<int> deflateOf(const StoredArray &data) {
  for (const blocks::hdf5::Filter &filter : data.filters)
    if (filter.id == 1)
      return filter.parameters.empty()
                 ? 4
                 : std::clamp(int(filter.parameters[0]), 1, 9);
  return std::nullopt;
}

blocks::DType shapeTypeOf(const Catalog::Source &source) {
  using blocks::DType;
  if (source.shapes)
    for (DType dtype : {DType::UInt8, DType::UInt16, DType::Int64})
      if (source.shapes->element.dtype == dtype)
        return dtype;
  return DType::Int32;
}

class Rewriter {
public:
  Rewriter(const std::string &path, const NewSplit &split, Progress *progress)
      : path(path), split(split), progress(progress),
        catalog(readCatalog(path)),
        file{path, std::make_shared<const blocks::MappedFile>(path)} {
    if (split.dataFile.empty())
      return;
    H5PYDatasetOptions options;
    options.file = split.dataFile;
    options.whichSets = {split.dataSplit};
    if (!split.sources.empty())
      options.sources = split.sources;
    data = openH5PYDataset(options);
  }

  void run(const std::vector<NewPart> &parts, const std::string &origin) {
    for (const Catalog::Source &source : catalog.sources)
      declare(source);
    checkNewSources();
    keepSplits();
    addSplit(parts);
    for (const Catalog::Source &source : catalog.sources)
      copy(source);
    addRows();
    writer.beforePublishing([this](const std::string &written) {
      copyOtherObjects(path, written, notToCopy());
    });
    writer.commit(origin);
  }

private:
  std::string where(const Catalog::Source &source) const {
    return "source '" + source.name + "' of '" + path + "'";
  }
  const SourceInfo *newSource(const std::string &name) const {
    if (data)
      for (const SourceInfo &info : data->sources())
        if (info.name == name)
          return &info;
    return nullptr;
  }

  //===-- Sources ---------------------------------------------------------===//

  SourceInfo describe(const Catalog::Source &source) const {
    const StoredArray &stored = source.data;
    if (!source.problem.empty())
      throw InputError(source.problem);
    if (stored.element.kind == blocks::hdf5::ElementType::Kind::Other ||
        stored.shape.empty())
      throw blocks::UnsupportedError(where(source) + " is a " +
                                     stored.element.name +
                                     ", which cannot be written again");
    SourceInfo info{
        source.name, stored.element.dtype, {}, source.batchLabels()};
    info.text = stored.element.isText();
    info.ragged = stored.element.isVariable();
    if (source.shapes && source.shapes->shape.size() != 2)
      throw InputError(where(source) + " has shapes of " +
                       std::to_string(source.shapes->shape.size()) +
                       " axes; expected a row for each item");
    if (info.ragged)
      info.shape.assign(source.shapes ? size_t(source.shapes->shape.at(1)) : 1,
                        -1);
    else
      info.shape = rowShape(stored);
    info.shape.insert(info.shape.begin(), -1);
    info.axisLabels.resize(info.shape.size());
    return info;
  }

  void declare(const Catalog::Source &source) {
    SourceInfo info = describe(source);
    if (const SourceInfo *more = newSource(source.name))
      requireAlike(info, *more);
    Writer::SourceOptions options;
    options.rows = source.data.shape[0] +
                   (newSource(source.name) ? data->numExamples() : 0);
    options.shapes = bool(source.shapes);
    options.shapeType = shapeTypeOf(source);
    options.deflate = deflateOf(source.data);
    writer.addSource(info, options);
    infos.push_back(std::move(info));
  }

  void requireAlike(const SourceInfo &ours, const SourceInfo &theirs) const {
    auto describe = [](const SourceInfo &info) {
      std::string labels;
      for (const std::string &label : info.axisLabels)
        labels += (labels.empty() ? "" : ", ") + label;
      return std::string(blocks::dtypeName(info.dtype)) + " of " +
             blocks::formatShape(info.shape) + (info.ragged ? ", ragged" : "") +
             (info.text ? ", text" : "") + " (" + labels + ")";
    };
    bool named = !theirs.axisLabels.empty() && !ours.axisLabels.empty() &&
                 ours.axisLabels != theirs.axisLabels;
    if (ours.dtype != theirs.dtype || ours.shape != theirs.shape ||
        ours.ragged != theirs.ragged || ours.text != theirs.text || named)
      throw InputError("source '" + ours.name + "' is " + describe(theirs) +
                       " in '" + split.dataFile + "', but " + describe(ours) +
                       " in '" + path +
                       "'; expected the same element type, shape and labels");
  }

  void checkNewSources() const {
    if (!data)
      return;
    for (const SourceInfo &info : data->sources())
      if (!catalog.find(info.name))
        throw InputError("'" + path + "' has no source '" + info.name +
                         "', which split '" + split.dataSplit + "' of '" +
                         split.dataFile +
                         "' has; choose among its sources with --sources");
    if (split.sources.empty())
      for (const Catalog::Source &source : catalog.sources)
        if (!newSource(source.name))
          throw InputError("split '" + split.dataSplit + "' of '" +
                           split.dataFile + "' has no source '" + source.name +
                           "', which '" + path +
                           "' has; name those that it is to have with "
                           "--sources");
  }

  //===-- Splits ----------------------------------------------------------===//

  void keepSplits() {
    for (const Catalog::SplitPart &part : catalog.parts) {
      std::string comment = part.comment == "." ? "" : part.comment;
      if (!part.available)
        continue;
      if (part.index < 0)
        writer.setSplit(part.split, part.source, part.start, part.stop,
                        comment);
      else
        writer.setSplit(part.split, part.source,
                        readIntegers(file,
                                     catalog.indices.at(size_t(part.index)),
                                     "an index of split '" + part.split +
                                         "' of '" + path + "'"),
                        comment);
    }
  }

  void addSplit(const std::vector<NewPart> &parts) {
    for (const NewPart &part : parts)
      if (part.rows)
        writer.setSplit(split.name, part.source, *part.rows, split.comment);
      else
        writer.setSplit(split.name, part.source, part.start, part.stop,
                        split.comment);
    for (const Catalog::Source &source : catalog.sources)
      if (newSource(source.name))
        writer.setSplit(split.name, source.name, source.data.shape[0],
                        source.data.shape[0] + data->numExamples(),
                        split.comment);
  }

  //===-- Rows ------------------------------------------------------------===//

  void copy(const Catalog::Source &source) {
    int64_t count = source.data.shape[0];
    ProgressTask task(progress, "copying " + source.name, count);
    if (count == 0)
      return;
    RowSet all = RowSet::slice(0, count, count, where(source));
    if (source.data.element.isVariable())
      copyItems(source, all, task);
    else
      copyRows(source, all, task);
  }

  void copyRows(const Catalog::Source &source, const RowSet &all,
                ProgressTask &task) {
    auto rows = makeRows(file, source.data, all, where(source));
    blocks::Shape item = rowShape(source.data);
    size_t bytes = rowBytesOf(source.data, where(source));
    int64_t piece =
        std::max<int64_t>(1, pieceBytes / int64_t(std::max<size_t>(bytes, 1)));
    blocks::Array values;
    for (int64_t at = 0; at < all.size(); at += piece) {
      int64_t here = std::min(piece, all.size() - at);
      values.resizeRows(source.data.element.dtype, here, item);
      rows->slice(at, here, values.data());
      writer.append(source.name, values.view());
      task.advance(here);
    }
  }

  void copyItems(const Catalog::Source &source, const RowSet &all,
                 ProgressTask &task) {
    HeapRows rows(file, catalog.userBlock,
                  raggedLayoutOf(file, source, where(source)), all,
                  where(source));
    blocks::Array values;
    RaggedItems items;
    std::vector<int64_t> positions;
    for (int64_t at = 0; at < all.size(); at += mostItems) {
      positions.resize(size_t(std::min(mostItems, all.size() - at)));
      std::iota(positions.begin(), positions.end(), at);
      rows.gather(positions, values, items);
      writer.append(source.name, values.view(), items);
      task.advance(int64_t(positions.size()));
    }
  }

  void addRows() {
    if (!data)
      return;
    ProgressTask task(progress, "split '" + split.name + "'",
                      data->numExamples());
    Batch batch;
    constexpr int64_t piece = 256;
    for (int64_t at = 0; at < data->numExamples(); at += piece) {
      int64_t stop = std::min(at + piece, data->numExamples());
      data->getSlice(at, stop, batch);
      for (size_t i = 0; i < data->sources().size(); ++i) {
        const SourceInfo &info = data->sources()[i];
        if (info.ragged)
          writer.append(info.name, batch.sources[i].view(), batch.items[i]);
        else
          writer.append(info.name, batch.sources[i].view());
      }
      task.advance(stop - at);
    }
  }

  /// Written anew already.
  std::vector<std::string> notToCopy() const {
    std::vector<std::string> names;
    auto add = [&](const StoredArray &array) {
      names.push_back(array.path.substr(array.path.find_first_not_of('/')));
    };
    for (const Catalog::Source &source : catalog.sources) {
      names.push_back(source.name);
      if (source.shapes)
        add(*source.shapes);
    }
    for (const StoredArray &index : catalog.indices)
      add(index);
    return names;
  }

  std::string path;
  const NewSplit &split;
  Progress *progress;
  Catalog catalog;
  OpenedFile file;
  std::unique_ptr<Dataset> data;
  std::vector<SourceInfo> infos;
  Writer writer{path};
};
} // namespace

void rewriteWithSplit(const std::string &path, const NewSplit &split,
                      std::vector<NewPart> parts, const std::string &origin,
                      Progress *progress) {
  Rewriter(path, split, progress).run(parts, origin);
}

} // namespace fuel
