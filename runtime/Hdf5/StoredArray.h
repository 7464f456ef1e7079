// StoredArray: where and how a dataset's elements lie in the file, as plain
// data: element type, shape, and either an offset or a table of compressed
// chunks. Whoever has it and a mapping of the file can read the elements
// without the HDF5 library, in any thread, and after checking every number
// himself.
#pragma once

#include "blocks/Array.h"

#include <optional>
#include <string>
#include <vector>

namespace blocks::hdf5 {

struct ElementType {
  enum class Kind : uint8_t {
    Number,       ///< `dtype`, little- or big-endian.
    Text,         ///< Strings of `bytes` bytes, padded.
    VariableList, ///< Lists of `dtype` in the global heap.
    VariableText, ///< Strings in the global heap.
    Other         ///< Nothing that we read; see `name`.
  };
  Kind kind = Kind::Other;
  DType dtype = DType::UInt8;
  bool bigEndian = false;
  uint64_t bytes = 0; ///< Of one element as stored.
  std::string name;   ///< For messages: "ui8", "variable-length list of i64".

  bool isVariable() const {
    return kind == Kind::VariableList || kind == Kind::VariableText;
  }
  bool isText() const {
    return kind == Kind::Text || kind == Kind::VariableText;
  }
};

/// One step of a chunk's compression; HDF5's registered number.
struct Filter {
  int32_t id = 0;
  std::string name;
  std::vector<uint32_t> parameters;
};

struct StoredChunk {
  static constexpr uint64_t absent = ~uint64_t(0);
  uint64_t offset = absent, bytes = 0;
  uint32_t skipped = 0; ///< Bit i: filter i was not applied.
};

struct StoredArray {
  enum class Layout : uint8_t {
    Contiguous, ///< At `offset`.
    Chunked,    ///< In `chunks`.
    Inline,     ///< In `inlineBytes` (the object's header held them).
    Unwritten   ///< Nowhere: every element is `fill`.
  };
  std::string path;
  ElementType element;
  Shape shape;
  Layout layout = Layout::Unwritten;
  uint64_t offset = 0; ///< From the file's first byte.
  Shape chunkShape;
  std::vector<StoredChunk> chunks; ///< In C order of their places.
  std::vector<Filter> filters;     ///< In the order of writing.
  std::string inlineBytes, fill;   ///< `fill`: one element; empty for zeros.
};

class Dataset;
/// Asks the library. UnsupportedError for external storage and virtual
/// datasets, CorruptError for tables that cannot be.
StoredArray describeStorage(const Dataset &dataset);

} // namespace blocks::hdf5
