// scaleElements: see Elements.h. Bytes are the common case, and memory is what
// bounds it: pixels become floats in one vectorised loop, and any other result
// of bytes comes from a table of the 256 results.
#include "fuel/Transformers/Elements.h"

#include <cstring>

namespace fuel {

using blocks::Array;
using blocks::DType;

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) &&                   \
    !defined(__SANITIZE_THREAD__)
#define FUEL_VECTORISED __attribute__((target_clones("avx2", "default")))
#else
#define FUEL_VECTORISED
#endif

namespace {

/// Step by step, as NumPy does it.
void scaleSlowly(const Array &in, const Scalar &scale, const Scalar &shift,
                 DType dtype, Array &out) {
  DType scaled = promote(in.dtype(), scale);
  DType shifted = promote(scaled, shift);
  Array between;
  castElements(in, scaled, out);
  multiply(out, scale);
  if (shifted != scaled) {
    castElements(out, shifted, between);
    std::swap(out, between);
  }
  add(out, shift);
  if (dtype != shifted) {
    castElements(out, dtype, between);
    std::swap(out, between);
  }
}

FUEL_VECTORISED void pixelsToFloats(const uint8_t *in, int64_t n, double scale,
                                    double shift, float *out) {
  for (int64_t i = 0; i < n; ++i)
    out[i] = float(double(in[i]) * scale + shift);
}

template <typename T>
void lookUp(const uint8_t *in, int64_t n, const Array &table, Array &out) {
  const T *values = table.as<T>();
  T *result = out.as<T>();
  for (int64_t i = 0; i < n; ++i)
    result[i] = values[in[i]];
}

void scaleByTable(const Array &in, const Scalar &scale, const Scalar &shift,
                  DType dtype, Array &out) {
  Array bytes(DType::UInt8, {256}), table;
  for (int i = 0; i < 256; ++i)
    bytes.as<uint8_t>()[i] = uint8_t(i);
  scaleSlowly(bytes, scale, shift, dtype, table);
  out.resize(dtype, in.shape());
  const uint8_t *from = in.as<uint8_t>();
  switch (blocks::dtypeSize(dtype)) {
  case 1:
    return lookUp<uint8_t>(from, in.size(), table, out);
  case 2:
    return lookUp<uint16_t>(from, in.size(), table, out);
  case 4:
    return lookUp<uint32_t>(from, in.size(), table, out);
  default:
    return lookUp<uint64_t>(from, in.size(), table, out);
  }
}
} // namespace

void scaleElements(const Array &in, const Scalar &scale, const Scalar &shift,
                   DType dtype, Array &out) {
  bool throughDoubles = in.dtype() == DType::UInt8 &&
                        promote(DType::UInt8, scale) == DType::Float64;
  if (throughDoubles && dtype == DType::Float32) {
    out.resize(dtype, in.shape());
    return pixelsToFloats(in.as<uint8_t>(), in.size(), scale.value(),
                          shift.value(), out.as<float>());
  }
  if (in.dtype() == DType::UInt8 && in.size() >= 1024)
    return scaleByTable(in, scale, shift, dtype, out);
  scaleSlowly(in, scale, shift, dtype, out);
}

} // namespace fuel
