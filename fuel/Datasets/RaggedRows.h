// RaggedRows: rows of a source of varying length. Items are found in the
// mapped file's heap and copied from there straight into the batch, one after
// the other; nothing is allocated for an item. Usable from several threads.
#pragma once

#include "fuel/DataStream.h"
#include "fuel/Datasets/ArrayRows.h"
#include "fuel/Hdf5/Catalog.h"
#include "fuel/Hdf5/GlobalHeap.h"

#include <atomic>

namespace fuel {

class RaggedReader {
public:
  virtual ~RaggedReader() = default;
  /// The items at these positions of the row set, in this order.
  virtual void gather(std::span<const int64_t> positions, blocks::Array &values,
                      RaggedItems &items) const = 0;
  /// One item in its own shape.
  virtual void example(int64_t position, blocks::Array &value) const = 0;
};

/// How an item's elements and shape are stored.
struct RaggedLayout {
  blocks::DType dtype = blocks::DType::UInt8;
  bool bigEndian = false, text = false;
  size_t count = 0;               ///< Rows.
  RowTable references;            ///< A HeapReference for each row.
  std::optional<RowTable> shapes; ///< `rank` integers for each row.
  blocks::DType shapeDType = blocks::DType::Int32;
  int64_t rank = 1;
};

/// How the items of `source` are stored; InputError naming `where` if that
/// cannot be.
RaggedLayout raggedLayoutOf(const OpenedFile &file,
                            const Catalog::Source &source,
                            const std::string &where);

class HeapRows : public RaggedReader {
public:
  HeapRows(const OpenedFile &file, uint64_t userBlock, RaggedLayout layout,
           RowSet rows, std::string where)
      : mapping(file.mapping), heap(file.mapping->bytes(), userBlock),
        layout(std::move(layout)), rows(std::move(rows)),
        where(std::move(where)), places(new Place[this->layout.count]()) {}
  void gather(std::span<const int64_t> positions, blocks::Array &values,
              RaggedItems &items) const override;
  void example(int64_t position, blocks::Array &value) const override;

private:
  struct Item {
    const std::byte *data;
    int64_t length; ///< In elements.
  };
  /// Where the item begins in its heap collection; 0: not looked up yet.
  using Place = std::atomic<uint32_t>;
  HeapReference reference(int64_t row) const;
  uint64_t placeOf(int64_t row, const HeapReference &item) const;
  uint64_t lookUp(int64_t row, const HeapReference &item) const;
  void fetchAhead(int64_t row, const HeapReference &item) const;
  Item find(int64_t row) const;
  void readShapes(std::span<const int64_t> positions, RaggedItems &items) const;
  void checkShape(int64_t row, std::span<const int64_t> shape,
                  int64_t length) const;
  void copy(const Item &item, std::byte *out) const;
  [[noreturn]] void fail(int64_t row, const std::string &what) const;

  std::shared_ptr<const blocks::MappedFile> mapping;
  GlobalHeap heap;
  RaggedLayout layout;
  RowSet rows;
  std::string where;
  /// A collection is a list that must be walked, and may hold thousands of
  /// items; so when one is asked for, its neighbours are noted too.
  std::unique_ptr<Place[]> places;
};

/// Items that lie in memory, one after the other.
class HeldItems : public RaggedReader {
public:
  HeldItems(std::shared_ptr<const blocks::Array> values,
            std::shared_ptr<const RaggedItems> items, RowSet rows)
      : held(std::move(values)), heldItems(std::move(items)),
        rows(std::move(rows)) {}
  void gather(std::span<const int64_t> positions, blocks::Array &values,
              RaggedItems &items) const override;
  void example(int64_t position, blocks::Array &value) const override;

private:
  std::shared_ptr<const blocks::Array> held;
  std::shared_ptr<const RaggedItems> heldItems;
  RowSet rows;
};

} // namespace fuel
