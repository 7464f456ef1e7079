// Messages: what the heads of frames say (docs/fuel-protocol.md). Encoding
// appends to a buffer; parsing throws CorruptError for whatever does not hold,
// so that a message that was parsed can be believed.
#pragma once

#include "blocks/Error.h"
#include "fuel/DataStream.h"
#include "fuel/Server/Wire.h"

#include <optional>

namespace fuel::wire {

constexpr uint16_t version = 1;

struct Hello {
  uint16_t lowest = version, highest = version;
  std::array<uint64_t, 2> identity{};
  uint64_t attempt = 0; ///< Counts the client's connections.
  uint32_t depth = 0, heartbeat = 0;
  uint32_t rank = 0, ranks = 1;
};

/// START, RESTORE and RESUME.
struct Command {
  Kind kind = Kind::Start;
  uint64_t generation = 0, allowance = 0;
  uint64_t received = 0, consumed = 0; ///< RESUME.
  std::string state;                   ///< START and RESTORE.
};

struct Credit {
  uint64_t generation = 0, allowance = 0, consumed = 0;
};

struct Welcome {
  uint16_t version = wire::version;
  uint64_t instance = 0;
  uint32_t heartbeat = 0;
  bool shared = false, examples = false;
  std::optional<int64_t> batchesPerEpoch, examplesPerEpoch;
  std::string fingerprint, state;
  std::vector<SourceInfo> sources;
};

/// STARTED, END and FAILURE; each uses some.
struct Notice {
  Kind kind = Kind::Started;
  uint64_t generation = 0, number = 0, epoch = 0;
  blocks::ErrorKind error = blocks::ErrorKind::Io;
  std::string text; ///< The state, or the error.
};

/// What BATCH says beside the batch itself.
struct BatchPlace {
  uint64_t generation = 0, number = 0, epoch = 0;
};

void encode(Bytes &out, const Hello &message);
void encode(Bytes &out, const Command &message);
void encode(Bytes &out, const Credit &message);
void encode(Bytes &out, const Welcome &message);
void encode(Bytes &out, const Notice &message);
void encodeText(Bytes &out, std::string_view text);
/// The payload are the bytes of `batch.sources`, one after the other.
void encodeBatch(Bytes &out, const BatchPlace &place, const Batch &batch,
                 const std::string &state,
                 const std::vector<SourceInfo> &sources, bool examples);

Hello parseHello(ByteSpan head);
Command parseCommand(Kind kind, ByteSpan head);
Credit parseCredit(ByteSpan head);
Welcome parseWelcome(ByteSpan head);
Notice parseNotice(Kind kind, ByteSpan head);
std::string parseText(ByteSpan head);
/// What parsing writes down on the way; kept so that it allocates nothing.
struct ShapeScratch {
  blocks::Shape shape;
  std::vector<int64_t> shapes;
};
/// Gives the arrays of `batch` their shapes, which are those of `sources` and
/// need exactly `payload` bytes.
BatchPlace parseBatch(ByteSpan head, uint64_t payload,
                      const std::vector<SourceInfo> &sources, bool examples,
                      Batch &batch, std::string &state, ShapeScratch &scratch);

} // namespace fuel::wire
