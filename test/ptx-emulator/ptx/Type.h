// The types that PTX instructions name in their suffixes, with their sizes and
// classes. Everything after the parser talks about types through this enum.
#pragma once

#include <cstdint>
#include <string>

namespace ptxemu {

enum class Type : uint8_t {
  none,
  pred,
  b8,
  b16,
  b32,
  b64,
  b128,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f16x2,
  bf16,
  bf16x2,
  tf32,
  f32,
  f64,
  u16x2,
  s16x2
};

/// The type of a suffix such as ".f32" (with its dot), or none.
Type parseType(const std::string &suffix);

/// Bytes of one value in memory; a predicate has none.
unsigned sizeOf(Type type);

inline bool isSigned(Type type) {
  return type >= Type::s8 && type <= Type::s64;
}
inline bool isUnsigned(Type type) {
  return type >= Type::u8 && type <= Type::u64;
}
inline bool isBits(Type type) { return type >= Type::b8 && type <= Type::b64; }
inline bool isInteger(Type type) {
  return type >= Type::b8 && type <= Type::s64 && type != Type::b128;
}
inline bool isHalf(Type type) {
  return type >= Type::f16 && type <= Type::bf16x2;
}
inline bool isFloat(Type type) {
  return type >= Type::f16 && type <= Type::f64;
}

} // namespace ptxemu
