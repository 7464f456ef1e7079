// ArrayExamples: see ArrayExamples.h.
#include "fuel/Converters/Generic/ArrayExamples.h"

#include "blocks/Error.h"

#include <algorithm>

namespace fuel {

using blocks::InputError;

namespace {
std::string describe(const ArrayFile &file) {
  return "'" + file.where() + "' holds " +
         std::string(blocks::dtypeName(file.info().dtype)) + " of " +
         blocks::formatShape(file.info().shape);
}

/// One source: its files, and where it stands in them.
class Column {
public:
  explicit Column(ArraySource source) : files(std::move(source.files)) {
    const ArrayFile &first = *files.front();
    for (const auto &file : files) {
      if (file->info().dtype != first.info().dtype ||
          file->info().shape != first.info().shape)
        throw InputError(describe(*file) + ", but " + describe(first) +
                         "; expected rows of one kind in source '" +
                         source.name + "'");
      if (__builtin_add_overflow(rows, file->rows(), &rows))
        throw InputError(describe(first) + ": too many rows");
    }
  }
  const ArrayFile &first() const { return *files.front(); }
  int64_t rows = 0;

  void read(int64_t count, std::byte *out) {
    while (count > 0) {
      ArrayFile &file = *files[current];
      int64_t here = std::min(count, file.rows() - done);
      if (here > 0)
        file.read(here, out);
      out += size_t(here) * file.rowBytes();
      count -= here;
      done += here;
      if (done == file.rows()) {
        ++current;
        done = 0;
      }
    }
  }

private:
  std::vector<std::unique_ptr<ArrayFile>> files;
  size_t current = 0;
  int64_t done = 0;
};

class ArrayExamples : public ExampleReader {
public:
  ArrayExamples(std::vector<ArraySource> given, const AxisNames &axes) {
    for (ArraySource &source : given) {
      std::string name = source.name;
      columns.emplace_back(std::move(source));
      addInfo(name, axes);
    }
    left = columns.front().rows;
  }
  const std::vector<SourceInfo> &sources() const override { return infos; }
  std::optional<int64_t> rows() const override { return columns.front().rows; }

  bool next(Batch &batch) override {
    if (left == 0)
      return false;
    int64_t count = std::min(left, piece);
    batch.resize(columns.size());
    batch.examples = count;
    for (size_t i = 0; i < columns.size(); ++i) {
      batch.sources[i].resizeRows(
          infos[i].dtype, count,
          {infos[i].shape.begin() + 1, infos[i].shape.end()});
      columns[i].read(count, batch.sources[i].data());
    }
    left -= count;
    return true;
  }

private:
  void addInfo(const std::string &name, const AxisNames &axes) {
    const Column &column = columns.back(), &first = columns.front();
    if (column.rows != first.rows)
      throw InputError("source '" + infos.front().name + "' has " +
                       std::to_string(first.rows) + " rows ('" +
                       first.first().where() + "'), but source '" + name +
                       "' has " + std::to_string(column.rows) + " ('" +
                       column.first().where() +
                       "'); expected equally many: do they belong together?");
    SourceInfo info = column.first().info();
    info.name = name;
    axes.label(info, "'" + column.first().where() + "'");
    infos.push_back(std::move(info));
    piece = std::min(piece, rowsInPiece(column.first().rowBytes()));
  }

  std::vector<Column> columns;
  std::vector<SourceInfo> infos;
  int64_t left = 0, piece = 4096;
};
} // namespace

std::unique_ptr<ExampleReader> readArrays(std::vector<ArraySource> sources,
                                          const AxisNames &axes) {
  return std::make_unique<ArrayExamples>(std::move(sources), axes);
}

} // namespace fuel
