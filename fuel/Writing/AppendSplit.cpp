// AppendSplit: see include/fuel/AppendSplit.h. Rows that are there need only a
// changed table, so the file is copied and its headers are edited. New rows
// lengthen contiguous arrays, so the file is written anew.
#include "fuel/AppendSplit.h"

#include "blocks/Error.h"
#include "fuel/Datasets/H5PYDataset.h"
#include "fuel/Datasets/RowSet.h"
#include "fuel/Writing/Rewrite.h"
#include "runtime/Base/AtomicFile.h"
#include "runtime/Base/Text.h"

#include <algorithm>
#include <fcntl.h>
#include <sys/stat.h>

namespace fuel {

using blocks::FileDescriptor;
using blocks::InputError;
using blocks::UsageError;

namespace {
/// One at a time: a second one would start from the old file, and its rename
/// would undo the first one's. The HDF5 library has locks of another kind.
class Turn {
public:
  explicit Turn(const std::string &path) : file(path, O_RDWR) {
    struct flock whole = {};
    whole.l_type = F_WRLCK;
    struct stat mine, now;
    if (::fcntl(file.get(), F_OFD_SETLK, &whole) != 0 ||
        ::fstat(file.get(), &mine) != 0 || ::stat(path.c_str(), &now) != 0 ||
        mine.st_ino != now.st_ino || mine.st_dev != now.st_dev)
      throw InputError("'" + path +
                       "' is being changed by another process; try again when "
                       "it is done");
  }
  const FileDescriptor &descriptor() const { return file; }

private:
  FileDescriptor file;
};

void check(const Catalog &catalog, const std::string &path,
           const NewSplit &split) {
  std::vector<std::string> known = catalog.splits();
  if (split.name.empty())
    throw UsageError("the new split has no name");
  if (std::find(known.begin(), known.end(), split.name) != known.end())
    throw InputError("'" + path + "' has a split '" + split.name +
                     "' already; it has: " + blocks::quotedNames(known));
  if (!split.of.empty() &&
      std::find(known.begin(), known.end(), split.of) == known.end())
    throw InputError("'" + path + "' has no split '" + split.of +
                     "'; it has: " + blocks::quotedNames(known));
  for (const std::string &name : split.sources)
    if (!catalog.find(name))
      throw InputError("'" + path + "' has no source '" + name + "'");
  bool existing = split.rows || !split.of.empty();
  if (existing == !split.dataFile.empty())
    throw UsageError("the new split '" + split.name +
                     "' needs either rows of this file or another file");
}

/// The sources of the new split.
std::vector<std::string> sourcesOf(const Catalog &catalog,
                                   const NewSplit &split) {
  if (!split.sources.empty())
    return split.sources;
  if (!split.of.empty())
    return catalog.sourcesOf(split.of);
  std::vector<std::string> all;
  for (const Catalog::Source &source : catalog.sources)
    all.push_back(source.name);
  return all;
}

class Selection {
public:
  Selection(const Catalog &catalog, const std::string &path,
            const NewSplit &split)
      : catalog(catalog), split(split),
        file{path, std::make_shared<const blocks::MappedFile>(path)} {}

  NewPart of(const std::string &name) const {
    const Catalog::Source &source = *catalog.find(name);
    if (!source.problem.empty() || source.data.shape.empty())
      throw InputError("source '" + name + "' of '" + file.path +
                       "' cannot be read: " + source.problem);
    std::string where = "'" + file.path + "', split '" + split.name +
                        "', source '" + name + "'";
    RowSet rows = base(name, source.data.shape[0], where);
    if (split.rows)
      rows = rows.select(*split.rows, where, RowSet::Order::Kept);
    if (rows.size() == 0)
      throw InputError(where + ": it would have no rows");
    if (rows.isSlice())
      return {name, rows.start(), rows.stop(), std::nullopt};
    return {name, 0, 0, rows.list()};
  }

private:
  RowSet base(const std::string &name, int64_t available,
              const std::string &where) const {
    if (split.of.empty())
      return RowSet::slice(0, available, available, where);
    const Catalog::SplitPart *part = catalog.find(split.of, name);
    if (!part)
      throw InputError("split '" + split.of + "' of '" + file.path +
                       "' has no source '" + name + "'");
    if (part->index < 0)
      return RowSet::slice(part->start, part->stop, available, where);
    return RowSet::list(
        readIntegers(file, catalog.indices.at(size_t(part->index)), where),
        available, where);
  }

  const Catalog &catalog;
  const NewSplit &split;
  OpenedFile file;
};

void copyContents(const FileDescriptor &from, blocks::AtomicFile &to) {
  std::vector<char> piece(size_t(4) << 20);
  for (uint64_t at = 0;;) {
    size_t count = from.readAt(piece.data(), piece.size(), at);
    if (count == 0)
      return;
    to.write(piece.data(), count);
    at += count;
  }
}

std::vector<SplitRow> tableOf(const Catalog &catalog) {
  std::vector<SplitRow> rows;
  for (const Catalog::SplitPart &part : catalog.parts) {
    rows.push_back({part.split, part.source});
    rows.back().comment = part.comment;
  }
  return rows;
}
} // namespace

void appendSplit(const std::string &path, const NewSplit &split,
                 const std::string &command, Progress *progress) {
  Turn turn(path);
  Catalog catalog = readCatalog(path);
  check(catalog, path, split);
  std::string origin = catalog.convertCommand.empty()
                           ? command
                           : catalog.convertCommand + "; " + command;
  std::vector<NewPart> parts;
  if (split.dataFile.empty()) {
    Selection selection(catalog, path, split);
    for (const std::string &name : sourcesOf(catalog, split))
      parts.push_back(selection.of(name));
  } else {
    std::vector<std::string> names;
    for (const Catalog::Source &source : catalog.sources)
      names.push_back(source.name);
    requireSameLists(path, split.dataFile, names);
  }
  if (!split.dataFile.empty() ||
      !fitsWithSplit(tableOf(catalog), split.name, split.comment,
                     catalog.sources.size()))
    return rewriteWithSplit(path, split, std::move(parts), origin, progress);
  blocks::AtomicFile copy(path);
  copyContents(turn.descriptor(), copy);
  addToTable(copy.temporary(), split.name, split.comment, parts, origin);
  copy.commit();
}

} // namespace fuel
