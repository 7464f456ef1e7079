// Elements: arithmetic on arrays of any element type, with NumPy's results:
// integers wrap around, floats become integers by truncation, half floats are
// computed in single precision and rounded to nearest.
#pragma once

#include "blocks/Array.h"

#include <string>

namespace fuel {

/// A Python number: an integer or a float, which promote differently.
struct Scalar {
  bool isInteger = true;
  int64_t integer = 0;
  double real = 0;
  double value() const { return isInteger ? double(integer) : real; }
  /// "2", "0.5", "1e-3", "1/255" (a float, as in Python). UsageError.
  static Scalar parse(const std::string &text);
};

/// The type of array * scalar and array + scalar in NumPy: the array's kind
/// decides, unless the scalar's kind is higher or its value does not fit.
blocks::DType promote(blocks::DType array, const Scalar &scalar);

/// `out` becomes `in` with elements of type `dtype`.
void castElements(const blocks::Array &in, blocks::DType dtype,
                  blocks::Array &out);
/// `out` becomes `in` * scale + shift, promoted after either operation, and
/// then of type `dtype`, step by step, as NumPy does it (see also ByteScale).
void scaleElements(const blocks::Array &in, const Scalar &scale,
                   const Scalar &shift, blocks::DType dtype,
                   blocks::Array &out);
/// In place, in the array's own type. The array is not Bool.
void multiply(blocks::Array &array, const Scalar &factor);
void add(blocks::Array &array, const Scalar &term);

} // namespace fuel
