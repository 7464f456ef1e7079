// WavFile: see WavFile.h.
#include "fuel/Converters/WavFile.h"

#include "blocks/Error.h"

#include <cstring>
#include <optional>

namespace fuel {

using blocks::CorruptError;
using blocks::DType;

namespace {
constexpr size_t chunkHeader = 8, riffHeader = 12, formatBytes = 16;

template <typename T> T at(std::span<const std::byte> bytes, size_t place) {
  T value;
  std::memcpy(&value, bytes.data() + place, sizeof value);
  return value;
}

bool startsWith(std::span<const std::byte> bytes, const char *name) {
  return bytes.size() >= 4 && std::memcmp(bytes.data(), name, 4) == 0;
}

std::optional<DType> typeOf(uint16_t kind, uint16_t bits) {
  constexpr uint16_t integers = 1, floats = 3;
  if (kind == floats)
    return bits == 32   ? std::optional(DType::Float32)
           : bits == 64 ? std::optional(DType::Float64)
                        : std::nullopt;
  if (kind != integers)
    return std::nullopt;
  return bits == 8    ? std::optional(DType::UInt8)
         : bits == 16 ? std::optional(DType::Int16)
         : bits == 32 ? std::optional(DType::Int32)
                      : std::nullopt;
}

void readFormat(std::span<const std::byte> chunk, WavFile &wav,
                const std::string &where) {
  if (chunk.size() < formatBytes)
    throw CorruptError(where + " has a format of " +
                       std::to_string(chunk.size()) + " bytes");
  auto kind = at<uint16_t>(chunk, 0);
  constexpr uint16_t extensible = 0xfffe;
  constexpr size_t kindPlace = 24;
  if (kind == extensible && chunk.size() >= kindPlace + 2)
    kind = at<uint16_t>(chunk, kindPlace);
  auto bits = at<uint16_t>(chunk, 14);
  std::optional<DType> dtype = typeOf(kind, bits);
  if (!dtype)
    throw blocks::UnsupportedError(
        where + " has samples of kind " + std::to_string(kind) + " and " +
        std::to_string(bits) +
        " bits; expected integers of 8, 16 or 32 bits, or floats");
  wav.samples.dtype = *dtype;
  wav.channels = at<uint16_t>(chunk, 2);
  wav.rate = at<uint32_t>(chunk, 4);
  if (wav.channels == 0)
    throw CorruptError(where + " has no channels");
}
} // namespace

WavFile readWav(std::span<const std::byte> bytes, const std::string &where) {
  if (bytes.size() < riffHeader || !startsWith(bytes, "RIFF") ||
      !startsWith(bytes.subspan(chunkHeader), "WAVE"))
    throw CorruptError(where + " is no WAV file");
  WavFile wav;
  std::span<const std::byte> rest = bytes.subspan(riffHeader);
  while (rest.size() >= chunkHeader) {
    bool data = startsWith(rest, "data"), format = startsWith(rest, "fmt ");
    size_t size = at<uint32_t>(rest, 4);
    rest = rest.subspan(chunkHeader);
    if (size > rest.size())
      throw CorruptError(where + " ends within its samples: a part of " +
                         std::to_string(size) + " bytes has only " +
                         std::to_string(rest.size()));
    if (format)
      readFormat(rest.first(size), wav, where);
    if (data && wav.channels > 0) {
      size_t frame =
          size_t(wav.channels) * blocks::dtypeSize(wav.samples.dtype);
      wav.samples.shape = {int64_t(size / frame), wav.channels};
      wav.samples.data = rest.data();
      return wav;
    }
    rest = rest.subspan(std::min(size + size % 2, rest.size()));
  }
  throw CorruptError(where + " has no samples");
}

} // namespace fuel
