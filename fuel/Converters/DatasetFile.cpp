// DatasetFile: see DatasetFile.h.
#include "fuel/Converters/DatasetFile.h"

namespace fuel {

void DatasetFile::addSource(const std::string &name, blocks::DType dtype,
                            const blocks::Shape &shape,
                            const std::vector<std::string> &axisLabels) {
  writer.addSource({name, dtype, shape, axisLabels}, {shape.at(0)});
}

void DatasetFile::append(const std::string &split, const std::string &source,
                         const blocks::ArrayView &rows) {
  int64_t start = writer.rows(source);
  writer.append(source, rows);
  writer.setSplit(split, source, start, writer.rows(source));
}

} // namespace fuel
