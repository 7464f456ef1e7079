// Writer: see include/fuel/Writer.h.
#include "fuel/Writer.h"

#include "blocks/Error.h"
#include "fuel/Hdf5/SplitTable.h"
#include "fuel/Writing/SourceFile.h"
#include "runtime/Base/AtomicFile.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

namespace fuel {

using blocks::UsageError;
using blocks::hdf5::File;
using blocks::hdf5::Group;

namespace {
/// One pair of the split table; `rows` counts where it is not empty.
struct Part {
  SplitRow row;
  std::optional<std::vector<int64_t>> rows;
};

std::string folderOf(const std::string &path) {
  std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}
} // namespace

class Writer::Impl {
public:
  explicit Impl(const std::string &path)
      : output(path), folder(folderOf(output.temporary())) {}

  void add(const SourceInfo &info, const SourceOptions &options);
  SourceFile &find(const std::string &name);
  SourceFile &ready(const std::string &name);
  void append(const Batch &batch);
  void set(Part part);
  void commit(const std::string &command);
  std::map<std::string, std::vector<std::string>> texts;
  std::function<void(const std::string &)> lastStep;

private:
  SplitTable table() const;
  void begin();
  void checkParts();
  void writeIndices(Group &root);
  std::string indexName(const Part &part) const;

  blocks::AtomicFile output;
  std::string folder;
  std::vector<SourceInfo> infos;
  std::vector<std::unique_ptr<SourceFile>> sources;
  std::vector<Part> parts;
  bool largeAttributes = false;
  std::optional<File> file; ///< Made when the first rows come.
};

//===-- Sources -----------------------------------------------------------===//

void Writer::Impl::add(const SourceInfo &info, const SourceOptions &options) {
  if (file)
    throw UsageError("source '" + info.name + "' of '" + output.path() +
                     "' is declared after the first rows; declare all sources "
                     "before");
  for (const SourceInfo &other : infos)
    if (other.name == info.name)
      throw UsageError("source '" + info.name + "' of '" + output.path() +
                       "' is declared twice");
  sources.push_back(std::make_unique<SourceFile>(info, options, folder));
  infos.push_back(info);
}

SourceFile &Writer::Impl::find(const std::string &name) {
  for (auto &source : sources)
    if (source->name() == name)
      return *source;
  throw UsageError("the file to write has no source '" + name + "'");
}

SourceFile &Writer::Impl::ready(const std::string &name) {
  begin();
  return find(name);
}

// The table's size decides which version of HDF5's headers the file needs.
void Writer::Impl::begin() {
  if (file)
    return;
  File::CreateOptions options;
  options.largeAttributes = largeAttributes = !table().fitsOldHeaders();
  file.emplace(File::create(output.temporary(), options));
  for (auto &source : sources)
    source->begin(file->root());
}

void Writer::Impl::append(const Batch &batch) {
  if (batch.sources.size() != sources.size())
    throw UsageError("a batch of " + std::to_string(batch.sources.size()) +
                     " sources cannot be written to a file of " +
                     std::to_string(sources.size()));
  begin();
  for (size_t i = 0; i < sources.size(); ++i)
    if (infos[i].ragged)
      sources[i]->append(batch.sources[i].view(), batch.items.at(i));
    else
      sources[i]->append(batch.sources[i].view());
}

//===-- Splits ------------------------------------------------------------===//

void Writer::Impl::set(Part part) {
  if (part.row.split.empty())
    throw UsageError("a split of '" + output.path() + "' has no name");
  for (Part &known : parts)
    if (known.row.split == part.row.split &&
        known.row.source == part.row.source) {
      known = std::move(part);
      return;
    }
  parts.push_back(std::move(part));
}

/// All pairs: splits as they came, sources by name.
SplitTable Writer::Impl::table() const {
  std::vector<std::string> splits;
  std::set<std::string> names;
  for (const SourceInfo &info : infos)
    names.insert(info.name);
  std::map<std::pair<std::string, std::string>, const Part *> known;
  for (const Part &part : parts) {
    if (std::find(splits.begin(), splits.end(), part.row.split) == splits.end())
      splits.push_back(part.row.split);
    known[{part.row.split, part.row.source}] = &part;
  }
  std::vector<SplitRow> rows;
  for (const std::string &split : splits)
    for (const std::string &name : names) {
      auto found = known.find({split, name});
      SplitRow missing{split, name};
      missing.available = false;
      rows.push_back(found == known.end() ? missing : found->second->row);
    }
  return SplitTable(std::move(rows));
}

void Writer::Impl::checkParts() {
  for (const Part &part : parts) {
    int64_t rows = find(part.row.source).rows();
    std::string where = "split '" + part.row.split + "', source '" +
                        part.row.source + "' of '" + output.path() + "'";
    if (part.rows) {
      for (int64_t row : *part.rows)
        if (row < 0 || row >= rows)
          throw UsageError(where + ": row " + std::to_string(row) +
                           " is outside 0 to " + std::to_string(rows - 1));
    } else if (part.row.start < 0 || part.row.stop < part.row.start ||
               part.row.stop > rows) {
      throw UsageError(where + ": rows " + std::to_string(part.row.start) +
                       " to " + std::to_string(part.row.stop) +
                       " are no range within the " + std::to_string(rows) +
                       " rows written");
    }
  }
}

/// The sources of a split usually share their rows, and then the dataset.
std::string Writer::Impl::indexName(const Part &part) const {
  for (const Part &first : parts)
    if (first.row.split == part.row.split && first.rows) {
      if (*first.rows == *part.rows)
        return part.row.split + "_indices";
      break;
    }
  return part.row.split + "_" + part.row.source + "_indices";
}

void Writer::Impl::writeIndices(Group &root) {
  for (Part &part : parts) {
    if (!part.rows)
      continue;
    std::string name = indexName(part);
    if (!root.has(name)) {
      blocks::Array rows(blocks::DType::Int64, {int64_t(part.rows->size())});
      std::copy(part.rows->begin(), part.rows->end(), rows.as<int64_t>());
      root.write(name, rows.view());
    }
    part.row.indices = root.reference(name);
  }
}

//===-- The end -----------------------------------------------------------===//

void Writer::Impl::commit(const std::string &command) {
  begin();
  checkParts();
  {
    Group root = file->root();
    for (auto &source : sources)
      source->finish(root);
    for (const auto &[name, list] : texts)
      root.writeTexts(name, list);
    writeIndices(root);
    SplitTable splits = table();
    if (!largeAttributes && !splits.fitsOldHeaders())
      throw UsageError("the split table of '" + output.path() + "' has " +
                       std::to_string(splits.bytes()) +
                       " bytes, more than 64 KiB, which must be known before "
                       "the first rows; declare the splits before appending");
    splits.write(root);
    root.writeString("h5py_interface_version", "0.3");
    root.writeString("fuel_convert_version", "0.2");
    root.writeString("fuel_convert_command", command);
  }
  file->close();
  if (lastStep)
    lastStep(output.temporary());
  output.commit();
}

//===-- Writer ------------------------------------------------------------===//

Writer::Writer(const std::string &path) : impl(std::make_unique<Impl>(path)) {}
Writer::~Writer() = default;
Writer::Writer(Writer &&) noexcept = default;
Writer &Writer::operator=(Writer &&) noexcept = default;

void Writer::addSource(const SourceInfo &info, const SourceOptions &options) {
  impl->add(info, options);
}

void Writer::append(const std::string &source, const blocks::ArrayView &rows) {
  impl->ready(source).append(rows);
}

void Writer::append(const std::string &source, const blocks::ArrayView &values,
                    const RaggedItems &items) {
  impl->ready(source).append(values, items);
}

void Writer::append(const Batch &batch) { impl->append(batch); }

int64_t Writer::rows(const std::string &source) const {
  return impl->find(source).rows();
}

void Writer::setSplit(const std::string &split, const std::string &source,
                      int64_t start, int64_t stop, const std::string &comment) {
  impl->set({{split, source, start, stop, 0, true, comment}, std::nullopt});
}

// Fuel's converters write -1 where a list counts.
void Writer::setSplit(const std::string &split, const std::string &source,
                      std::vector<int64_t> rows, const std::string &comment) {
  impl->set({{split, source, -1, -1, 0, true, comment}, std::move(rows)});
}

// HDF5's strings of varying length end at the first NUL.
void Writer::setTexts(const std::string &name, std::vector<std::string> texts) {
  for (size_t i = 0; i < texts.size(); ++i)
    if (texts[i].find('\0') != std::string::npos)
      throw blocks::InputError(
          "text " + std::to_string(i) + " of the list '" + name +
          "' holds a NUL character, which HDF5's strings cannot; take it out "
          "of the data (is it UTF-16? Expected UTF-8)");
  impl->texts[name] = std::move(texts);
}

void Writer::beforePublishing(std::function<void(const std::string &)> step) {
  impl->lastStep = std::move(step);
}

void Writer::commit(const std::string &command) { impl->commit(command); }

} // namespace fuel
