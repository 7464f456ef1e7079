// ByteScale: bytes times a scale plus a shift, in any type: what turns pixels
// into floats. There are only 256 results, so they are computed once, as NumPy
// does it, and all else is about memory: a vectorised loop where it gives the
// same bits as those, else a table.
#pragma once

#include "fuel/Transformers/Elements.h"

namespace fuel {

class ByteScale {
public:
  ByteScale(const Scalar &scale, const Scalar &shift, blocks::DType dtype);

  blocks::DType dtype() const { return table.dtype(); }
  /// `past`: stores pass the caches by, for results larger than they are.
  void apply(const uint8_t *in, int64_t n, std::byte *out, bool past) const;
  /// Whether a result of so many bytes is too large for the caches.
  static bool isLarge(size_t bytes) { return bytes >= (size_t(4) << 20); }

private:
  bool sumsAreExact() const;
  blocks::Array table; ///< The 256 results.
  /// x * high + (x * low + shift), by fused operations.
  float high = 0, low = 0, shift = 0;
  bool bySums = false;
};

} // namespace fuel
