// Packing: plain values as bytes and back, for what one process tells another.
// The reader trusts nothing: a length beyond the end is an error.
#pragma once

#include "blocks/Error.h"

#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace fuel {

class Packer {
public:
  template <typename T> Packer &operator<<(const T &value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
    return *this;
  }
  Packer &operator<<(const std::string &text) {
    *this << uint64_t(text.size());
    bytes += text;
    return *this;
  }
  template <typename T> Packer &operator<<(const std::vector<T> &values) {
    *this << uint64_t(values.size());
    for (const T &value : values)
      *this << value;
    return *this;
  }
  template <typename T> Packer &operator<<(const std::optional<T> &value) {
    *this << bool(value);
    return value ? *this << *value : *this;
  }
  std::string bytes;
};

class Unpacker {
public:
  explicit Unpacker(std::string_view bytes) : rest(bytes) {}
  template <typename T> Unpacker &operator>>(T &value) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return *this;
  }
  Unpacker &operator>>(std::string &text) {
    text = take(length(1));
    return *this;
  }
  template <typename T> Unpacker &operator>>(std::vector<T> &values) {
    values.resize(length(1));
    for (T &value : values)
      *this >> value;
    return *this;
  }
  template <typename T> Unpacker &operator>>(std::optional<T> &value) {
    bool present = false;
    *this >> present;
    if (present)
      *this >> value.emplace();
    return *this;
  }

private:
  /// A count of things of at least `each` bytes.
  uint64_t length(uint64_t each) {
    uint64_t count = 0;
    *this >> count;
    if (count > rest.size() / each)
      throw blocks::CorruptError("a message between processes is cut short");
    return count;
  }
  std::string_view take(uint64_t count) {
    if (count > rest.size())
      throw blocks::CorruptError("a message between processes is cut short");
    std::string_view part = rest.substr(0, count);
    rest.remove_prefix(count);
    return part;
  }
  std::string_view rest;
};

} // namespace fuel
