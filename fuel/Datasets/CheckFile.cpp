// checkFile: see include/fuel/FileInfo.h. Every row of every source is read, a
// piece at a time, and every split opened as a training run would.
#include "fuel/FileInfo.h"

#include "blocks/Error.h"
#include "fuel/Datasets/RaggedRows.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace fuel {

using blocks::hdf5::ElementType;

namespace {
constexpr int64_t pieceBytes = int64_t(8) << 20, mostRows = 4096;

class Checker {
public:
  explicit Checker(const std::string &path)
      : path(path), catalog(readCatalog(path)),
        file{path, std::make_shared<const blocks::MappedFile>(path)} {}

  std::vector<std::string> run() {
    for (const Catalog::Source &source : catalog.sources)
      attempt([&] { checkSource(source); });
    for (const std::string &split : catalog.splits())
      checkSplit(split);
    return std::move(problems);
  }

private:
  /// An error is a problem of the file, once.
  void attempt(const std::function<void()> &step) {
    try {
      step();
    } catch (const std::exception &error) {
      if (std::find(problems.begin(), problems.end(), error.what()) ==
          problems.end())
        problems.push_back(error.what());
    }
  }

  void checkSource(const Catalog::Source &source) {
    std::string where = "source '" + source.name + "' of '" + path + "'";
    if (!source.problem.empty())
      throw blocks::InputError(source.problem);
    const blocks::hdf5::StoredArray &data = source.data;
    if (data.element.kind == ElementType::Kind::Other || data.shape.empty())
      throw blocks::UnsupportedError(
          where + " is a " + data.element.name + " array of shape " +
          blocks::formatShape(data.shape) + ", which no stream delivers");
    if (data.shape[0] == 0)
      return;
    RowSet all = RowSet::slice(0, data.shape[0], data.shape[0], where);
    if (data.element.isVariable())
      readItems(source, where, all);
    else
      readRows(source, where, all);
  }

  void readRows(const Catalog::Source &source, const std::string &where,
                const RowSet &all) {
    auto rows = makeRows(file, source.data, all, where);
    size_t bytes = rowBytesOf(source.data, where);
    int64_t piece = std::clamp<int64_t>(
        pieceBytes / int64_t(std::max<size_t>(bytes, 1)), 1, mostRows);
    std::vector<std::byte> values(size_t(piece) * bytes);
    for (int64_t at = 0; at < all.size(); at += piece)
      rows->slice(at, std::min(piece, all.size() - at), values.data());
  }

  void readItems(const Catalog::Source &source, const std::string &where,
                 const RowSet &all) {
    HeapRows rows(file, catalog.userBlock, raggedLayoutOf(file, source, where),
                  all, where);
    blocks::Array values;
    for (int64_t row = 0; row < all.size(); ++row)
      attempt([&] { rows.example(row, values); });
  }

  void checkSplit(const std::string &split) {
    std::optional<int64_t> length;
    std::string first;
    for (const std::string &name : catalog.sourcesOf(split))
      attempt([&] {
        int64_t rows = rowsOf(split, name);
        if (rows >= 0 && length.value_or(rows) != rows)
          throw blocks::InputError("split '" + split + "' of '" + path +
                                   "' has " + std::to_string(*length) +
                                   " rows of source '" + first + "', but " +
                                   std::to_string(rows) + " of '" + name + "'");
        if (rows >= 0 && !length)
          first = name;
        length = rows >= 0 ? rows : length;
      });
  }

  /// Rows of the pair, checked; -1 if the source itself is broken.
  int64_t rowsOf(const std::string &split, const std::string &name) const {
    const Catalog::Source *source = catalog.find(name);
    if (!source || !source->problem.empty() || source->data.shape.empty())
      return -1;
    std::string where =
        "'" + path + "', split '" + split + "', source '" + name + "'";
    const Catalog::SplitPart &part = *catalog.find(split, name);
    int64_t available = source->data.shape[0];
    if (part.index < 0)
      return RowSet::slice(part.start, part.stop, available, where).size();
    return RowSet::list(readIntegers(file,
                                     catalog.indices.at(size_t(part.index)),
                                     "the index of " + where),
                        available, where)
        .size();
  }

  std::string path;
  Catalog catalog;
  OpenedFile file;
  std::vector<std::string> problems;
};
} // namespace

std::vector<std::string> checkFile(const std::string &path) {
  return Checker(path).run();
}

} // namespace fuel
