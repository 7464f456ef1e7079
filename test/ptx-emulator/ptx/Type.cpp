// Names and sizes of the PTX types.
#include "Type.h"

#include <map>

namespace ptxemu {

Type parseType(const std::string &suffix) {
  static const std::map<std::string, Type> types = {
      {".pred", Type::pred},  {".b8", Type::b8},
      {".b16", Type::b16},    {".b32", Type::b32},
      {".b64", Type::b64},    {".b128", Type::b128},
      {".u8", Type::u8},      {".u16", Type::u16},
      {".u32", Type::u32},    {".u64", Type::u64},
      {".s8", Type::s8},      {".s16", Type::s16},
      {".s32", Type::s32},    {".s64", Type::s64},
      {".f16", Type::f16},    {".f16x2", Type::f16x2},
      {".bf16", Type::bf16},  {".bf16x2", Type::bf16x2},
      {".tf32", Type::tf32},  {".f32", Type::f32},
      {".f64", Type::f64},    {".u16x2", Type::u16x2},
      {".s16x2", Type::s16x2}};
  auto found = types.find(suffix);
  return found == types.end() ? Type::none : found->second;
}

unsigned sizeOf(Type type) {
  switch (type) {
  case Type::none:
  case Type::pred:
    return 0;
  case Type::b8:
  case Type::u8:
  case Type::s8:
    return 1;
  case Type::b16:
  case Type::u16:
  case Type::s16:
  case Type::f16:
  case Type::bf16:
    return 2;
  case Type::b64:
  case Type::u64:
  case Type::s64:
  case Type::f64:
    return 8;
  case Type::b128:
    return 16;
  default:
    return 4;
  }
}

} // namespace ptxemu
