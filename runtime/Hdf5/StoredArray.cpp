// StoredArray: see StoredArray.h.
#include "runtime/Hdf5/StoredArray.h"

#include "runtime/Hdf5/Dataset.h"

#include <algorithm>
#include <bit>

namespace blocks::hdf5 {

namespace {
/// A table of more chunks than this is taken for damage.
constexpr int64_t mostChunks = int64_t(1) << 24;
constexpr int mostFilters = 16, mostParameters = 64;

/// Numbers whose bytes are all of the number: no padding, no odd layout.
bool isPlain(const Type &type, DType dtype) {
  if (dtype == DType::Bool)
    return true;
  Type native = Type::of(dtype);
  Type turned(H5Tcopy(type.id()));
  return H5Tset_order(turned.id(), H5T_ORDER_LE) >= 0 && turned.equals(native);
}

bool isBigEndian(const Type &type) {
  return type.bytes() > 1 && H5Tget_order(type.id()) == H5T_ORDER_BE;
}

ElementType numberOf(const Type &type) {
  ElementType element;
  element.bytes = type.bytes();
  element.name = type.describe();
  std::optional<DType> dtype = type.dtype();
  if (!dtype || !isPlain(type, *dtype))
    return element;
  element.kind = ElementType::Kind::Number;
  element.dtype = *dtype;
  element.bigEndian = isBigEndian(type);
  return element;
}

/// Bytes of a reference to the global heap: a length, an address, a number.
uint64_t heapReferenceBytes(const Dataset &dataset) {
  size_t addressBytes = 0, lengthBytes = 0;
  Place place = dataset.place();
  FileHandle file(checked(H5Iget_file_id(dataset.id()), "find", place));
  PropertyHandle creation(
      checked(H5Fget_create_plist(file.get()), "read the header of", place));
  checked(H5Pget_sizes(creation.get(), &addressBytes, &lengthBytes),
          "read the header of", place);
  if (addressBytes != 8 || lengthBytes != 8)
    throw UnsupportedError(describe(place) +
                           " has items of varying length in a file whose "
                           "addresses are not of 8 bytes; copy it with "
                           "h5repack or h5py");
  return 16;
}

ElementType elementOf(const Dataset &dataset) {
  const Type &type = dataset.type();
  ElementType element;
  if (type.isVariableString()) {
    element.kind = ElementType::Kind::VariableText;
    element.bytes = heapReferenceBytes(dataset);
    element.name = type.describe();
  } else if (type.kind() == H5T_VLEN) {
    Type base(checked(H5Tget_super(type.id()), "read the element type of",
                      dataset.place()));
    element = numberOf(base);
    element.name = "variable-length list of " + element.name;
    if (element.kind == ElementType::Kind::Number)
      element.kind = ElementType::Kind::VariableList;
    element.bytes = heapReferenceBytes(dataset);
  } else if (type.kind() == H5T_STRING) {
    element.kind = ElementType::Kind::Text;
    element.bytes = type.bytes();
    element.name = type.describe();
  } else {
    element = numberOf(type);
  }
  return element;
}

//===-- Chunks ------------------------------------------------------------===//

std::vector<Filter> filtersOf(hid_t properties, const Place &place) {
  std::vector<Filter> filters;
  int count =
      checked(H5Pget_nfilters(properties), "read the filters of", place);
  if (count > mostFilters)
    throw CorruptError(describe(place) + " has " + std::to_string(count) +
                       " filters: the file is damaged");
  for (int i = 0; i < count; ++i) {
    unsigned flags = 0, config = 0, values[mostParameters] = {};
    size_t used = mostParameters;
    char name[64] = "";
    int id = checked(H5Pget_filter2(properties, unsigned(i), &flags, &used,
                                    values, sizeof name - 1, name, &config),
                     "read the filters of", place);
    used = std::min<size_t>(used, mostParameters);
    filters.push_back({id, name, {values, values + used}});
  }
  return filters;
}

int64_t chunkCount(const StoredArray &array, const Place &place) {
  int64_t count = 1;
  for (size_t axis = 0; axis < array.shape.size(); ++axis) {
    int64_t extent = array.chunkShape[axis];
    if (extent <= 0)
      throw CorruptError(describe(place) +
                         " has chunks without extent: the file is damaged");
    int64_t along =
        array.shape[axis] / extent + (array.shape[axis] % extent != 0);
    if (__builtin_mul_overflow(count, along, &count) || count > mostChunks)
      throw CorruptError(describe(place) + " of shape " +
                         formatShape(array.shape) + " in chunks of " +
                         formatShape(array.chunkShape) + " has more than " +
                         std::to_string(mostChunks) +
                         " chunks; if the file is sound, copy it with larger "
                         "chunks (h5repack)");
  }
  return count;
}

/// Moves `at` to the next chunk's first element; false after the last.
bool advance(std::vector<hsize_t> &at, const StoredArray &array) {
  for (size_t axis = at.size(); axis-- > 0;) {
    at[axis] += hsize_t(array.chunkShape[axis]);
    if (at[axis] < hsize_t(array.shape[axis]))
      return true;
    at[axis] = 0;
  }
  return false;
}

// The library gives an offset without the user block for chunks (though with it
// for contiguous data).
void readChunks(const Dataset &dataset, uint64_t userBlock,
                StoredArray &array) {
  int64_t count = chunkCount(array, dataset.place());
  array.chunks.resize(size_t(count));
  std::vector<hsize_t> at(array.shape.size(), 0);
  for (StoredChunk &chunk : array.chunks) {
    haddr_t address = HADDR_UNDEF;
    hsize_t bytes = 0;
    checked(H5Dget_chunk_info_by_coord(dataset.id(), at.data(), &chunk.skipped,
                                       &address, &bytes),
            "read the chunks of", dataset.place());
    if (address != HADDR_UNDEF) {
      chunk.offset = address + userBlock;
      chunk.bytes = bytes;
    }
    advance(at, array);
  }
}

uint64_t userBlockOf(const Dataset &dataset) {
  FileHandle file(
      checked(H5Iget_file_id(dataset.id()), "find", dataset.place()));
  PropertyHandle creation(checked(H5Fget_create_plist(file.get()),
                                  "read the header of", dataset.place()));
  hsize_t bytes = 0;
  checked(H5Pget_userblock(creation.get(), &bytes), "read the header of",
          dataset.place());
  return bytes;
}

void describeChunks(const Dataset &dataset, hid_t properties,
                    StoredArray &array) {
  std::vector<hsize_t> extent(array.shape.size(), 0);
  int rank =
      checked(H5Pget_chunk(properties, int(extent.size()), extent.data()),
              "read the chunk size of", dataset.place());
  if (size_t(rank) != array.shape.size())
    throw CorruptError(describe(dataset.place()) +
                       " has chunks of another rank: the file is damaged");
  array.chunkShape.assign(extent.begin(), extent.end());
  array.filters = filtersOf(properties, dataset.place());
  readChunks(dataset, userBlockOf(dataset), array);
}

//===-- Other layouts -----------------------------------------------------===//

void refuseForeignStorage(const Dataset &dataset, hid_t properties) {
  if (H5Pget_layout(properties) == H5D_VIRTUAL)
    throw UnsupportedError(describe(dataset.place()) +
                           " is a virtual dataset, whose elements lie in other "
                           "files; copy it into one file");
  if (H5Pget_external_count(properties) != 0)
    throw UnsupportedError(describe(dataset.place()) +
                           " keeps its elements in other files (external "
                           "storage), which is refused; copy it with h5repack");
}

void describeInline(const Dataset &dataset, StoredArray &array) {
  hsize_t bytes = H5Dget_storage_size(dataset.id());
  uint64_t needed = uint64_t(numElements(array.shape)) * array.element.bytes;
  constexpr uint64_t headerLimit = 65536;
  if (needed > headerLimit || bytes < needed || array.element.isVariable())
    throw CorruptError(describe(dataset.place()) +
                       " does not fit into its header: the file is damaged");
  array.inlineBytes.resize(needed);
  dataset.readRows(0, array.shape.empty() ? 1 : array.shape[0],
                   array.inlineBytes.data(), dataset.type());
}

std::string fillOf(const Dataset &dataset, hid_t properties,
                   const ElementType &element) {
  H5D_fill_value_t status = H5D_FILL_VALUE_ERROR;
  H5Pfill_value_defined(properties, &status);
  if (status != H5D_FILL_VALUE_USER_DEFINED || element.isVariable())
    return "";
  std::string fill(element.bytes, '\0');
  checked(H5Pget_fill_value(properties, dataset.type().id(), fill.data()),
          "read the fill value of", dataset.place());
  return fill;
}
} // namespace

StoredArray describeStorage(const Dataset &dataset) {
  QuietErrors quiet;
  StoredArray array;
  array.path = dataset.path();
  array.shape = dataset.shape();
  array.element = elementOf(dataset);
  PropertyHandle properties(checked(H5Dget_create_plist(dataset.id()),
                                    "read the layout of", dataset.place()));
  refuseForeignStorage(dataset, properties.get());
  if (array.element.kind == ElementType::Kind::Other)
    return array;
  array.fill = fillOf(dataset, properties.get(), array.element);
  H5D_layout_t layout = H5Pget_layout(properties.get());
  if (layout == H5D_CHUNKED) {
    array.layout = StoredArray::Layout::Chunked;
    describeChunks(dataset, properties.get(), array);
  } else if (layout == H5D_COMPACT) {
    array.layout = StoredArray::Layout::Inline;
    describeInline(dataset, array);
  } else if (haddr_t offset = H5Dget_offset(dataset.id());
             offset != HADDR_UNDEF) {
    array.layout = StoredArray::Layout::Contiguous;
    array.offset = offset;
  }
  return array;
}

} // namespace blocks::hdf5
