// Numbers of the log and of events in JSON: see include/blocks/EventSink.h.
#include "blocks/EventSink.h"

#include <charconv>
#include <cmath>
#include <cstring>

namespace blocks {

namespace {
size_t copyText(const char *text, char *buffer) {
  size_t n = std::strlen(text);
  std::memcpy(buffer, text, n);
  return n;
}

bool isInteger(DType dtype) {
  return dtype != DType::Float16 && dtype != DType::Float32 &&
         dtype != DType::Float64;
}
} // namespace

size_t formatJsonNumber(const NamedValue &named, char *buffer) {
  double value = named.value;
  if (std::isnan(value))
    return copyText("\"NaN\"", buffer);
  if (std::isinf(value))
    return copyText(value > 0 ? "\"Infinity\"" : "\"-Infinity\"", buffer);
  std::to_chars_result end;
  if (isInteger(named.dtype) && std::fabs(value) < 0x1p63)
    end = std::to_chars(buffer, buffer + 40, int64_t(value));
  else if (named.dtype == DType::Float32)
    end = std::to_chars(buffer, buffer + 40, float(value));
  else
    end = std::to_chars(buffer, buffer + 40, value);
  return size_t(end.ptr - buffer);
}

} // namespace blocks
