// StateArchive: see StateArchive.h. Texts are stored as binary objects (base64
// in a text archive) after their length, since the archive's own strings take
// any length that the file claims.
#include "runtime/Checkpoint/StateArchive.h"

#include "blocks/Error.h"
#include "runtime/Base/Sha256.h"

#include <boost/archive/text_iarchive.hpp>
#include <boost/archive/text_oarchive.hpp>
#include <boost/serialization/binary_object.hpp>

#include <cstring>
#include <sstream>

namespace blocks {

namespace {
constexpr std::string_view envelopeMagic = "BLKSTATE";
constexpr size_t envelopeBytes = 8 + 8 + 32;
constexpr uint64_t maxArchiveBytes = 64u << 20;

using Out = boost::archive::text_oarchive;
using In = boost::archive::text_iarchive;

void put(Out &out, uint64_t value) { out << value; }

void put(Out &out, const std::string &text) {
  put(out, text.size());
  if (!text.empty())
    out << boost::serialization::make_binary_object(
        const_cast<char *>(text.data()), text.size());
}

void put(Out &out, const std::vector<uint64_t> &words) {
  put(out, words.size());
  for (uint64_t word : words)
    put(out, word);
}

void put(Out &out, const StateRecord &record);

template <typename Map> void putMap(Out &out, const Map &map) {
  put(out, map.size());
  for (const auto &[key, value] : map) {
    put(out, key);
    put(out, value);
  }
}

void put(Out &out, const StateRecord &record) {
  putMap(out, record.numbers);
  putMap(out, record.texts);
}

/// Every element takes at least a byte of the archive, so no honest count
/// exceeds its length.
struct Reader {
  In &in;
  uint64_t limit;

  uint64_t number() {
    uint64_t value = 0;
    in >> value;
    return value;
  }
  uint64_t count() {
    uint64_t value = number();
    if (value > limit)
      throw CorruptError("a length of " + std::to_string(value) +
                         " exceeds the archive");
    return value;
  }
  void get(std::string &text) {
    text.resize(count());
    if (!text.empty())
      in >> boost::serialization::make_binary_object(text.data(), text.size());
  }
  void get(std::vector<uint64_t> &words) {
    words.resize(count());
    for (uint64_t &word : words)
      word = number();
  }
  void get(StateRecord &record) {
    getMap(record.numbers);
    getMap(record.texts);
  }
  template <typename Map> void getMap(Map &map) {
    for (uint64_t n = count(); n > 0; --n) {
      std::string key;
      get(key);
      get(map[key]);
    }
  }
};

std::string makeArchive(const StateRecords &records) {
  std::ostringstream text;
  // The classic locale has no digit grouping, whatever the user's is.
  text.imbue(std::locale::classic());
  Out out(text, boost::archive::no_codecvt);
  putMap(out, records);
  return text.str();
}

StateRecords readArchive(const std::string &text) {
  std::istringstream stream(text);
  stream.imbue(std::locale::classic());
  In in(stream, boost::archive::no_codecvt);
  StateRecords records;
  Reader{in, text.size()}.getMap(records);
  return records;
}
} // namespace

std::string packRecords(const StateRecords &records) {
  std::string archive = makeArchive(records);
  std::string bytes(envelopeMagic);
  for (int i = 0; i < 8; ++i)
    bytes += char(uint64_t(archive.size()) >> (8 * i) & 255);
  Sha256Digest digest = Sha256::of(archive.data(), archive.size());
  bytes.append(reinterpret_cast<const char *>(digest.data()), digest.size());
  return bytes + archive;
}

StateRecords unpackRecords(std::span<const std::byte> bytes,
                           const std::string &where) {
  auto refuse = [&](const std::string &what) -> StateRecords {
    throw CorruptError("'" + where + "': the state in it " + what);
  };
  std::string_view text(reinterpret_cast<const char *>(bytes.data()),
                        bytes.size());
  if (text.size() < envelopeBytes || !text.starts_with(envelopeMagic))
    return refuse("has no envelope");
  uint64_t length = 0;
  for (int i = 0; i < 8; ++i)
    length |= uint64_t(uint8_t(text[size_t(8 + i)])) << (8 * i);
  std::string archive(text.substr(envelopeBytes));
  if (length > maxArchiveBytes || length != archive.size())
    return refuse("has the wrong length");
  Sha256Digest digest = Sha256::of(archive.data(), archive.size());
  if (std::memcmp(digest.data(), text.data() + 16, digest.size()))
    return refuse("is damaged: its checksum does not hold");
  try {
    return readArchive(archive);
  } catch (const std::exception &error) {
    return refuse(std::string("cannot be read: ") + error.what());
  }
}

} // namespace blocks
