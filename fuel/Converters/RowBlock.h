// RowBlock: rows of one split and source, made one by one and appended to the
// file in blocks of some megabytes.
#pragma once

#include "fuel/Converters/DatasetFile.h"

namespace fuel {

class RowBlock {
public:
  RowBlock(DatasetFile &file, std::string split, std::string source,
           blocks::DType dtype, const blocks::Shape &item);

  /// Room for the next row; good until the next call.
  std::byte *add();
  template <typename T> T *add() { return reinterpret_cast<T *>(add()); }
  /// Appends what is left. Without it, the rows of the last block are lost.
  void flush();
  int64_t rows() const { return count; }

private:
  DatasetFile &file;
  std::string split, source;
  blocks::DType dtype;
  blocks::Shape shape; ///< Axis 0: rows in `buffer`.
  size_t rowBytes;
  std::vector<std::byte> buffer;
  size_t used = 0;
  int64_t count = 0;
};

} // namespace fuel
