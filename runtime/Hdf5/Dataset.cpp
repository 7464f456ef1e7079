// Dataset: see Dataset.h.
#include "runtime/Hdf5/Dataset.h"

#include <algorithm>
#include <new>
#include <sys/stat.h>

namespace blocks::hdf5 {

Dataset::Dataset(ObjectHandle handle, std::string file, std::string path)
    : Location(std::move(handle), std::move(file), std::move(path)) {
  QuietErrors quiet;
  storedType =
      Type(checked(H5Dget_type(id()), "read the element type of", place()));
  requireSound(storedType, place());
  SpaceHandle space(checked(H5Dget_space(id()), "read the shape of", place()));
  dims = shapeOf(space, place());
}

DType Dataset::dtype() const {
  if (std::optional<DType> known = storedType.dtype())
    return *known;
  throw UnsupportedError(describe(place()) + " stores elements of type " +
                         storedType.describe() +
                         "; expected booleans, integers of 8 to 64 bits or "
                         "floats of 16, 32 or 64 bits");
}

static H5D_layout_t layoutOf(const Dataset &dataset) {
  PropertyHandle properties(checked(H5Dget_create_plist(dataset.id()),
                                    "read the layout of", dataset.place()));
  return H5Pget_layout(properties.get());
}

// A damaged header may claim any shape; contiguous data cannot be larger than
// what was allocated for it.
void Dataset::checkPlausible() const {
  QuietErrors quiet;
  hsize_t stored = H5Dget_storage_size(id());
  uint64_t needed = uint64_t(numElements(dims)) * storedType.bytes();
  if (stored != 0 && layoutOf(*this) != H5D_CHUNKED && stored < needed)
    throw CorruptError("the shape " + formatShape(dims) + " of " +
                       describe(place()) + " needs " + std::to_string(needed) +
                       " bytes, but only " + std::to_string(stored) +
                       " are stored: the file is damaged");
}

Array Dataset::read() const {
  DType element = dtype();
  checkPlausible();
  try {
    Array result(element, dims);
    if (result.size() > 0) {
      QuietErrors quiet;
      checked(H5Dread(id(), Type::of(element).id(), H5S_ALL, H5S_ALL,
                      H5P_DEFAULT, result.data()),
              "read", place());
    }
    return result;
  } catch (const std::bad_alloc &) {
    throw CorruptError("not enough memory for " + describe(place()) +
                       " of shape " + formatShape(dims));
  }
}

SpaceHandle Dataset::selectRows(int64_t start, int64_t count) const {
  SpaceHandle space(checked(H5Dget_space(id()), "read the shape of", place()));
  if (dims.empty())
    return space;
  std::vector<hsize_t> from(dims.size(), 0), extent(dims.begin(), dims.end());
  from[0] = hsize_t(start);
  extent[0] = hsize_t(count);
  checked(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, from.data(), nullptr,
                              extent.data(), nullptr),
          "select rows of", place());
  return space;
}

static SpaceHandle rowsInMemory(const Dataset &dataset, int64_t count) {
  Shape shape = dataset.shape();
  if (!shape.empty())
    shape[0] = count;
  return makeSpace(shape, dataset.place());
}

void Dataset::readRows(int64_t start, int64_t count, void *destination) const {
  readRows(start, count, destination, Type::of(dtype()));
}

void Dataset::readRows(int64_t start, int64_t count, void *destination,
                       const Type &memory) const {
  if (count == 0)
    return;
  QuietErrors quiet;
  SpaceHandle inFile = selectRows(start, count);
  SpaceHandle inMemory = rowsInMemory(*this, count);
  checked(H5Dread(id(), memory.id(), inMemory.get(), inFile.get(), H5P_DEFAULT,
                  destination),
          "read rows of", place());
}

std::vector<std::string> Dataset::readTexts() const {
  if (storedType.kind() != H5T_STRING)
    throw InputError(describe(place()) + " holds " + storedType.describe() +
                     "; expected strings");
  checkPlausible();
  return stringsOf(storedType, size_t(numElements(dims)), [&](void *data) {
    readRows(0, dims.empty() ? 1 : dims[0], data, storedType);
  });
}

void Dataset::writeRows(int64_t start, int64_t count, const void *source) {
  writeRows(start, count, source, Type::of(dtype()));
}

void Dataset::writeRows(int64_t start, int64_t count, const void *source,
                        const Type &memory) {
  if (count == 0)
    return;
  QuietErrors quiet;
  SpaceHandle inFile = selectRows(start, count);
  SpaceHandle inMemory = rowsInMemory(*this, count);
  checked(H5Dwrite(id(), memory.id(), inMemory.get(), inFile.get(), H5P_DEFAULT,
                   source),
          "write rows of", place(), ErrorKind::Io);
}

// H5Dget_offset already counts a user block.
std::optional<uint64_t> Dataset::mappableOffset() const {
  std::optional<DType> element = storedType.dtype();
  if (!element || !storedType.equals(Type::of(*element)))
    return std::nullopt;
  QuietErrors quiet;
  if (layoutOf(*this) != H5D_CONTIGUOUS)
    return std::nullopt;
  PropertyHandle properties(
      checked(H5Dget_create_plist(id()), "read the layout of", place()));
  if (H5Pget_external_count(properties.get()) != 0)
    return std::nullopt;
  haddr_t offset = H5Dget_offset(id());
  uint64_t needed = uint64_t(numElements(dims)) * storedType.bytes();
  struct stat status = {};
  if (offset == HADDR_UNDEF || ::stat(file().c_str(), &status) != 0 ||
      offset + needed > uint64_t(status.st_size) || offset + needed < offset)
    return std::nullopt;
  return offset;
}

int64_t Dataset::rowsPerChunk() const {
  QuietErrors quiet;
  PropertyHandle properties(
      checked(H5Dget_create_plist(id()), "read the layout of", place()));
  if (dims.empty() || H5Pget_layout(properties.get()) != H5D_CHUNKED)
    return 1;
  std::vector<hsize_t> chunk(dims.size(), 1);
  checked(H5Pget_chunk(properties.get(), int(chunk.size()), chunk.data()),
          "read the chunk size of", place());
  return std::max<int64_t>(1, int64_t(chunk[0]));
}

} // namespace blocks::hdf5
