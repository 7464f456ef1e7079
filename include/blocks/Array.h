// Array: a dense, C-contiguous, owned tensor on the host, and ArrayView, the
// same without ownership. They carry batches from fuel to compiled code, hold
// parameters, and are what NPY files and checkpoints store.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace blocks {

enum class DType : uint8_t {
  Bool,
  Int8,
  Int16,
  Int32,
  Int64,
  UInt8,
  UInt16,
  UInt32,
  UInt64,
  Float16,
  Float32,
  Float64,
};

/// Bytes of one element.
size_t dtypeSize(DType dtype);
/// The short name used in models and messages: "f32", "ui8", "i64", "i1" …
std::string_view dtypeName(DType dtype);
/// NumPy's descriptor, little-endian: "<f4", "|u1", "|b1" …
std::string_view dtypeNumpy(DType dtype);
/// Both parse functions throw InputError on an unknown name.
DType dtypeFromName(std::string_view name);
DType dtypeFromNumpy(std::string_view descr);

using Shape = std::vector<int64_t>;
/// Product of the dimensions; 1 for a scalar.
int64_t numElements(const Shape &shape);
/// "128x1x28x28", "scalar"; a dynamic dimension (-1) is written "?".
std::string formatShape(const Shape &shape);

/// A dense C-contiguous tensor that someone else owns.
struct ArrayView {
  DType dtype = DType::Float32;
  Shape shape;
  const std::byte *data = nullptr;

  int64_t size() const { return numElements(shape); }
  size_t bytes() const { return size_t(size()) * dtypeSize(dtype); }
  template <typename T> const T *as() const {
    return reinterpret_cast<const T *>(data);
  }
};

/// An owned tensor. Storage is 64-byte aligned and kept when `resize` asks for
/// no more than was ever there, so that a loop over batches does not allocate.
/// Moves are cheap; copies are explicit (`clone`).
class Array {
public:
  Array() = default;
  /// Uninitialised elements; use `zeros` otherwise.
  Array(DType dtype, Shape shape);
  static Array zeros(DType dtype, Shape shape);

  Array(Array &&) noexcept = default;
  Array &operator=(Array &&) noexcept = default;
  Array(const Array &) = delete;
  Array &operator=(const Array &) = delete;
  Array clone() const;

  DType dtype() const { return elementType; }
  const Shape &shape() const { return dims; }
  int64_t size() const { return numElements(dims); }
  size_t bytes() const { return size_t(size()) * dtypeSize(elementType); }

  std::byte *data() { return storage.get(); }
  const std::byte *data() const { return storage.get(); }
  template <typename T> T *as() { return reinterpret_cast<T *>(storage.get()); }
  template <typename T> const T *as() const {
    return reinterpret_cast<const T *>(storage.get());
  }

  /// Changes type and shape. Contents are unspecified afterwards. Allocates
  /// only when the storage must grow.
  void resize(DType dtype, const Shape &shape);
  /// The same for `rows` items of shape `item`, without building the shape.
  void resizeRows(DType dtype, int64_t rows, const Shape &item);
  /// Another shape for the same elements; throws UsageError if their number
  /// differs.
  void reshape(const Shape &shape);
  ArrayView view() const { return {elementType, dims, storage.get()}; }

private:
  void reserve();
  struct Free {
    void operator()(std::byte *p) const;
  };
  DType elementType = DType::Float32;
  Shape dims{0};
  size_t capacity = 0;
  std::unique_ptr<std::byte[], Free> storage;
};

} // namespace blocks
