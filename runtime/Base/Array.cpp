// Array and DType: see include/blocks/Array.h.
#include "blocks/Array.h"

#include "blocks/Error.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace blocks {

namespace {
struct DTypeRow {
  DType dtype;
  size_t size;
  std::string_view name, numpy;
};
constexpr DTypeRow dtypeTable[] = {
    {DType::Bool, 1, "i1", "|b1"},     {DType::Int8, 1, "i8", "|i1"},
    {DType::Int16, 2, "i16", "<i2"},   {DType::Int32, 4, "i32", "<i4"},
    {DType::Int64, 8, "i64", "<i8"},   {DType::UInt8, 1, "ui8", "|u1"},
    {DType::UInt16, 2, "ui16", "<u2"}, {DType::UInt32, 4, "ui32", "<u4"},
    {DType::UInt64, 8, "ui64", "<u8"}, {DType::Float16, 2, "f16", "<f2"},
    {DType::Float32, 4, "f32", "<f4"}, {DType::Float64, 8, "f64", "<f8"},
};
const DTypeRow &row(DType dtype) { return dtypeTable[size_t(dtype)]; }
} // namespace

size_t dtypeSize(DType dtype) { return row(dtype).size; }
std::string_view dtypeName(DType dtype) { return row(dtype).name; }
std::string_view dtypeNumpy(DType dtype) { return row(dtype).numpy; }

DType dtypeFromName(std::string_view name) {
  for (const DTypeRow &r : dtypeTable)
    if (r.name == name)
      return r.dtype;
  throw InputError("unknown element type '" + std::string(name) + "'");
}

DType dtypeFromNumpy(std::string_view descr) {
  for (const DTypeRow &r : dtypeTable)
    if (r.numpy == descr ||
        (r.size == 1 && r.numpy.substr(1) == descr.substr(1)))
      return r.dtype;
  throw InputError("unsupported NumPy type '" + std::string(descr) +
                   "'; expected a little-endian number such as '<f4'");
}

int64_t numElements(const Shape &shape) {
  int64_t n = 1;
  for (int64_t d : shape)
    n *= d;
  return n;
}

std::string formatShape(const Shape &shape) {
  if (shape.empty())
    return "scalar";
  std::string text;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (i)
      text += 'x';
    text += shape[i] < 0 ? "?" : std::to_string(shape[i]);
  }
  return text;
}

void Array::Free::operator()(std::byte *p) const { std::free(p); }

Array::Array(DType dtype, Shape shape) { resize(dtype, shape); }

Array Array::zeros(DType dtype, Shape shape) {
  Array result(dtype, std::move(shape));
  if (result.bytes())
    std::memset(result.data(), 0, result.bytes());
  return result;
}

Array Array::clone() const {
  Array copy(elementType, dims);
  if (bytes())
    std::memcpy(copy.data(), data(), bytes());
  return copy;
}

void Array::resize(DType dtype, const Shape &shape) {
  elementType = dtype;
  if (dims != shape)
    dims = shape;
  reserve();
}

void Array::resizeRows(DType dtype, int64_t rows, const Shape &item) {
  elementType = dtype;
  dims.resize(item.size() + 1);
  dims[0] = rows;
  std::copy(item.begin(), item.end(), dims.begin() + 1);
  reserve();
}

void Array::reserve() {
  size_t needed = dtypeSize(elementType);
  for (int64_t extent : dims)
    if (__builtin_mul_overflow(needed, size_t(extent), &needed) ||
        needed > SIZE_MAX / 2)
      throw InputError("an array of shape " + formatShape(dims) + " and type " +
                       std::string(dtypeName(elementType)) +
                       " is larger than a machine can address");
  needed = (needed + 63) / 64 * 64;
  if (needed <= capacity)
    return;
  storage.reset(static_cast<std::byte *>(std::aligned_alloc(64, needed)));
  if (!storage)
    throw std::bad_alloc();
  capacity = needed;
}

void Array::reshape(const Shape &shape) {
  if (numElements(shape) != size())
    throw UsageError("an array of shape " + formatShape(dims) +
                     " cannot take the shape " + formatShape(shape));
  dims = shape;
}

} // namespace blocks
