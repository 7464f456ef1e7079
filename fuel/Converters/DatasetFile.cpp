// DatasetFile: see DatasetFile.h.
#include "fuel/Converters/DatasetFile.h"

namespace fuel {

void DatasetFile::addSource(const std::string &name, blocks::DType dtype,
                            const blocks::Shape &shape,
                            const std::vector<std::string> &axisLabels) {
  Writer::SourceOptions options;
  if (shape.at(0) >= 0)
    options.rows = shape[0];
  SourceInfo info{name, dtype, shape, axisLabels};
  info.shape[0] = -1;
  writer.addSource(info, options);
}

void DatasetFile::addRaggedSource(const std::string &name, blocks::DType dtype,
                                  const std::vector<std::string> &axisLabels,
                                  blocks::DType shapeType, int64_t rows) {
  SourceInfo info{name, dtype, blocks::Shape(axisLabels.size(), -1),
                  axisLabels};
  info.ragged = true;
  Writer::SourceOptions options;
  options.shapeType = shapeType;
  if (rows >= 0)
    options.rows = rows;
  writer.addSource(info, options);
}

void DatasetFile::extendSplit(const std::string &split,
                              const std::string &source, int64_t start) {
  int64_t first = starts.emplace(std::pair(split, source), start).first->second;
  writer.setSplit(split, source, first, writer.rows(source));
}

void DatasetFile::append(const std::string &split, const std::string &source,
                         const blocks::ArrayView &rows) {
  int64_t start = writer.rows(source);
  writer.append(source, rows);
  extendSplit(split, source, start);
}

void DatasetFile::appendItem(const std::string &split,
                             const std::string &source,
                             const blocks::ArrayView &item) {
  int64_t start = writer.rows(source);
  oneItem.clear(int64_t(item.shape.size()));
  oneItem.append(item.shape);
  writer.append(source, item, oneItem);
  extendSplit(split, source, start);
}

} // namespace fuel
