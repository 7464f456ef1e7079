// The bytes of the protocol: the documented layout, and mutated frames, which
// both sides must refuse or understand, never more. An argument after the two
// folders sets how many (20,000).
#include "fuel/Server/Crc32c.h"
#include "fuel/Server/Frames.h"
#include "fuel/Server/Messages.h"
#include "test/fuel/ServedStreams.h"

#include <random>

using namespace fuel;
using namespace fuel::wire;

/// Delivers these bytes, and then no more.
class MemoryChannel : public Channel {
public:
  explicit MemoryChannel(ByteSpan bytes) : rest(bytes) {}
  int fd() const override { return -1; }
  size_t read(void *to, size_t bytes) override {
    size_t count = std::min({bytes, rest.size(), size_t(1000)});
    if (count > 0)
      std::memcpy(to, rest.data(), count);
    rest = rest.subspan(count);
    return count;
  }
  size_t write(const iovec *, int) override { return 0; }

private:
  ByteSpan rest;
};

static std::string hex(ByteSpan bytes) {
  std::string text;
  for (std::byte b : bytes) {
    char two[3];
    std::snprintf(two, sizeof two, "%02x", unsigned(b));
    text += two;
  }
  return text;
}

static void layout() {
  CHECK_EQ(crc32c(0, "123456789", 9), 0xe3069283u); // The published check.
  uint32_t parts = crc32c(crc32c(0, "1234", 4), "56789", 5);
  CHECK_EQ(parts, 0xe3069283u);
  Frame frame;
  frame.begin();
  encode(frame.bytes, Credit{.generation = 1, .allowance = 2, .consumed = 3});
  frame.finish(Kind::Credit);
  std::string found = hex(frame.bytes);
  CHECK_EQ(found.substr(0, 24), "46554c310500000018000000");
  CHECK_EQ(found.substr(32, 24), "000000000000000000000000");
  CHECK_EQ(found.substr(64),
           "010000000000000002000000000000000300000000000000");
}

/// A frame of each kind, whole.
static std::vector<Bytes> samples(DataStream &stream) {
  std::vector<Bytes> all;
  Frame frame;
  auto add = [&](Kind kind, const auto &message) {
    frame.begin();
    encode(frame.bytes, message);
    frame.finish(kind);
    all.push_back(frame.bytes);
  };
  add(Kind::Hello, Hello{.identity = {1, 2}, .depth = 4, .heartbeat = 1000});
  add(Kind::Start, Command{.generation = 1, .allowance = 4, .state = "s"});
  add(Kind::Restore, Command{.kind = Kind::Restore,
                             .generation = 1,
                             .allowance = 4,
                             .state = "state"});
  add(Kind::Resume,
      Command{
          .kind = Kind::Resume, .generation = 2, .received = 3, .consumed = 1});
  add(Kind::Credit, Credit{1, 2, 3});
  Welcome welcome;
  welcome.fingerprint = stream.fingerprint();
  welcome.state = stream.state();
  welcome.sources = stream.sources();
  add(Kind::Welcome, welcome);
  add(Kind::Started, Notice{.generation = 1, .text = "state"});
  add(Kind::End, Notice{.kind = Kind::End, .generation = 1, .text = "state"});
  add(Kind::Failure,
      Notice{.kind = Kind::Failure, .generation = 1, .text = "no"});
  stream.startEpoch();
  Batch batch;
  while (stream.next(batch)) {
    frame.begin();
    encodeBatch(frame.bytes, {1, 0, 1}, batch, stream.state(), stream.sources(),
                false);
    for (blocks::Array &array : batch.sources)
      frame.payload.push_back({array.data(), array.bytes()});
    frame.finish(Kind::Batch);
    Bytes whole = frame.bytes;
    for (blocks::Array &array : batch.sources)
      whole.insert(whole.end(), array.data(), array.data() + array.bytes());
    all.push_back(whole);
  }
  return all;
}

/// Makes both checksums right, so that the parsers see what was changed.
static void seal(Bytes &frame) {
  if (frame.size() < FrameHeader::bytes)
    return;
  uint32_t body = crc32c(0, frame.data() + 32, frame.size() - 32);
  std::memcpy(frame.data() + 12, &body, 4);
  uint32_t own = crc32c(0, frame.data(), 28);
  std::memcpy(frame.data() + 28, &own, 4);
}

static void parse(const FrameReader &reader) {
  switch (reader.kind()) {
  case Kind::Hello:
    parseHello(reader.head());
    break;
  case Kind::Start:
  case Kind::Restore:
  case Kind::Resume:
    parseCommand(reader.kind(), reader.head());
    break;
  case Kind::Credit:
    parseCredit(reader.head());
    break;
  case Kind::Welcome:
    parseWelcome(reader.head());
    break;
  case Kind::Started:
  case Kind::End:
  case Kind::Failure:
    parseNotice(reader.kind(), reader.head());
    break;
  case Kind::Shutdown:
    parseText(reader.head());
    break;
  default:
    break;
  }
}

/// Reads all frames in `bytes` as a client or a server; returns how many.
static int read(ByteSpan bytes, const std::vector<SourceInfo> &sources,
                FrameLimits limits) {
  Batch batch;
  std::string state;
  ShapeScratch scratch;
  auto place = [&](const FrameHeader &header, ByteSpan head,
                   FrameReader::Parts &parts) {
    parseBatch(head, header.payload, sources, false, batch, state, scratch);
    uint64_t total = 0;
    for (blocks::Array &array : batch.sources) {
      parts.push_back({array.data(), array.bytes()});
      total += array.bytes();
    }
    CHECK_EQ(total, header.payload);
  };
  MemoryChannel channel(bytes);
  FrameReader reader(limits, place);
  int count = 0;
  for (; reader.advance(channel); ++count)
    parse(reader);
  return count;
}

static constexpr FrameLimits client{64u << 20, 1 << 20}, server{1 << 20, 0};

static void mutate(Bytes &frame, std::mt19937 &random) {
  auto below = [&](size_t n) { return size_t(random() % n); };
  for (size_t changes = 1 + below(4); changes > 0; --changes) {
    size_t at = below(frame.size());
    switch (below(6)) {
    case 0:
      frame[at] ^= std::byte(1 << below(8));
      break;
    case 1:
      frame[at] = std::byte(random());
      break;
    case 2: { // A number: small, huge, negative.
      const int64_t values[] = {0,         -1,        INT64_MAX, INT64_MIN,
                                1ll << 32, 1ll << 40, 7,         UINT32_MAX};
      size_t bytes = std::min<size_t>(below(2) ? 8 : 4, frame.size() - at);
      std::memcpy(frame.data() + at, &values[below(8)], bytes);
      break;
    }
    case 3:
      frame.resize(std::max<size_t>(1, at));
      break;
    case 4:
      frame.insert(frame.begin() + long(at), 1 + below(9), std::byte(random()));
      break;
    default:
      frame[std::min<size_t>(4, frame.size() - 1)] = std::byte(below(23));
    }
  }
}

static void mutatedFrames(int count) {
  served::Numbers stream({.ragged = true});
  std::vector<Bytes> all = samples(stream);
  for (const Bytes &frame : all) // Sound ones are read.
    CHECK_EQ(read(frame, stream.sources(), client), 1);
  std::mt19937 random(1);
  int refused = 0, understood = 0;
  for (int i = 0; i < count; ++i) {
    Bytes frame = all[size_t(random() % all.size())];
    mutate(frame, random);
    bool sealed = random() % 4 != 0;
    if (sealed)
      seal(frame);
    for (const FrameLimits &limits : {client, server}) {
      try {
        understood += read(frame, stream.sources(), limits);
      } catch (const blocks::Error &error) {
        if (std::strlen(error.what()) < 20)
          checkFailed(__FILE__, __LINE__, error.what());
        ++refused;
      }
    }
  }
  CHECK(refused > count / 2);
  CHECK(understood > 0);
}

/// What a mutated checksum or header does not hide.
static void refusals() {
  served::Numbers stream({.ragged = true});
  std::vector<Bytes> all = samples(stream);
  Bytes frame = all.back();
  frame.back() ^= std::byte(1);
  CHECK_THROWS(read(frame, stream.sources(), client), "BATCH was damaged");
  frame = all.front();
  frame[9] ^= std::byte(1);
  CHECK_THROWS(read(frame, stream.sources(), client), "header was damaged");
  frame[0] ^= std::byte(1);
  CHECK_THROWS(read(frame, stream.sources(), client), "no frame of Fuel's");
  frame = all.front();
  frame[11] = std::byte(0x7f);
  seal(frame);
  CHECK_THROWS(read(frame, stream.sources(), client), "announces");
  CHECK_THROWS(read(all.back(), stream.sources(), server), "announces");
  std::vector<SourceInfo> other = stream.sources();
  other[0].shape[1] = 2;
  CHECK_THROWS(read(all.back(), other, client), "'x' of a batch is 4x1, but");
  other = stream.sources();
  other[0].dtype = blocks::DType::Int32;
  CHECK_THROWS(read(all.back(), other, client), "another element type");
}

int main(int argc, char **argv) {
  layout();
  refusals();
  mutatedFrames(argc > 3 ? std::atoi(argv[3]) : 20000);
  return checkSummary();
}
