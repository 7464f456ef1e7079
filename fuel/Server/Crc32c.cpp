// Crc32c: see Crc32c.h.
#include "fuel/Server/Crc32c.h"

#include <array>
#include <cstring>

#ifdef __x86_64__
#include <nmmintrin.h>
#endif

namespace fuel {

using Table = std::array<uint32_t, 256>;

static constexpr Table makeTable() {
  Table table{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit)
      value = value & 1 ? value >> 1 ^ 0x82f63b78u : value >> 1;
    table[i] = value;
  }
  return table;
}

static uint32_t byTable(uint32_t crc, const unsigned char *p, size_t bytes) {
  static constexpr Table table = makeTable();
  for (size_t i = 0; i < bytes; ++i)
    crc = table[(crc ^ p[i]) & 0xff] ^ crc >> 8;
  return crc;
}

#ifdef __x86_64__
__attribute__((target("sse4.2"))) static uint32_t
byInstruction(uint32_t crc, const unsigned char *p, size_t bytes) {
  uint64_t wide = crc;
  for (; bytes >= 8; p += 8, bytes -= 8) {
    uint64_t word;
    std::memcpy(&word, p, 8);
    wide = _mm_crc32_u64(wide, word);
  }
  crc = uint32_t(wide);
  for (; bytes > 0; ++p, --bytes)
    crc = _mm_crc32_u8(crc, *p);
  return crc;
}
#endif

uint32_t crc32c(uint32_t before, const void *data, size_t bytes) {
  const auto *p = static_cast<const unsigned char *>(data);
#ifdef __x86_64__
  if (__builtin_cpu_supports("sse4.2"))
    return ~byInstruction(~before, p, bytes);
#endif
  return ~byTable(~before, p, bytes);
}

} // namespace fuel
