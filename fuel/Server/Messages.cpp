// Messages: see Messages.h. Batches have a file of their own, BatchMessage.cpp.
#include "fuel/Server/Messages.h"

namespace fuel::wire {

static constexpr std::string_view protocol = "fuel-stream";
static constexpr size_t maxAxes = 32;

//===-- The client's ------------------------------------------------------===//

void encode(Bytes &out, const Hello &message) {
  Writer to(out);
  to.text(protocol);
  to.number(message.lowest);
  to.number(message.highest);
  to.number(message.identity[0]);
  to.number(message.identity[1]);
  to.number(message.attempt);
  to.number(message.depth);
  to.number(message.heartbeat);
  to.number(message.rank);
  to.number(message.ranks);
}

Hello parseHello(ByteSpan head) {
  Reader from(head);
  if (from.text() != protocol)
    throw blocks::CorruptError("HELLO names another protocol");
  Hello message;
  message.lowest = from.number<uint16_t>();
  message.highest = from.number<uint16_t>();
  if (message.lowest > version || message.highest < version)
    return message; // What follows is another version's.
  message.identity[0] = from.number<uint64_t>();
  message.identity[1] = from.number<uint64_t>();
  message.attempt = from.number<uint64_t>();
  message.depth = from.number<uint32_t>();
  message.heartbeat = from.number<uint32_t>();
  message.rank = from.number<uint32_t>();
  message.ranks = from.number<uint32_t>();
  from.finish();
  if (message.rank >= message.ranks)
    throw blocks::CorruptError("HELLO has rank " +
                               std::to_string(message.rank) + " of " +
                               std::to_string(message.ranks));
  return message;
}

void encode(Bytes &out, const Command &message) {
  Writer to(out);
  to.number(message.generation);
  to.number(message.allowance);
  if (message.kind != Kind::Resume)
    return to.text(message.state);
  to.number(message.received);
  to.number(message.consumed);
}

Command parseCommand(Kind kind, ByteSpan head) {
  Reader from(head);
  Command message;
  message.kind = kind;
  message.generation = from.number<uint64_t>();
  message.allowance = from.number<uint64_t>();
  if (kind == Kind::Resume) {
    message.received = from.number<uint64_t>();
    message.consumed = from.number<uint64_t>();
  } else {
    from.text(message.state);
  }
  from.finish();
  if (message.consumed > message.received)
    throw blocks::CorruptError("RESUME consumed more than it received");
  return message;
}

void encode(Bytes &out, const Credit &message) {
  Writer to(out);
  to.number(message.generation);
  to.number(message.allowance);
  to.number(message.consumed);
}

Credit parseCredit(ByteSpan head) {
  Reader from(head);
  Credit message;
  message.generation = from.number<uint64_t>();
  message.allowance = from.number<uint64_t>();
  message.consumed = from.number<uint64_t>();
  from.finish();
  return message;
}

//===-- The server's ------------------------------------------------------===//

static void encode(Writer &to, const SourceInfo &info) {
  to.text(info.name);
  to.number(uint8_t(info.dtype));
  to.list(info.shape);
  to.number(uint32_t(info.axisLabels.size()));
  for (const std::string &label : info.axisLabels)
    to.text(label);
  to.number(uint8_t(info.ragged));
  to.number(uint8_t(info.text));
}

static SourceInfo parseSource(Reader &from) {
  SourceInfo info;
  info.name = from.name();
  auto dtype = from.number<uint8_t>();
  if (dtype > uint8_t(blocks::DType::Float64))
    throw blocks::CorruptError("source '" + info.name +
                               "' has the unknown element type " +
                               std::to_string(dtype));
  info.dtype = blocks::DType(dtype);
  from.list(info.shape);
  bool sound = info.shape.size() <= maxAxes;
  for (int64_t extent : info.shape)
    sound &= extent >= -1;
  if (!sound)
    throw blocks::CorruptError("source '" + info.name +
                               "' has an impossible shape");
  info.axisLabels.resize(from.length(4));
  for (std::string &label : info.axisLabels)
    label = from.name();
  info.ragged = from.flag();
  info.text = from.flag();
  return info;
}

static std::optional<int64_t> parseCount(Reader &from) {
  auto value = from.number<int64_t>();
  if (value < 0)
    return std::nullopt;
  return value;
}

void encode(Bytes &out, const Welcome &message) {
  Writer to(out);
  to.number(message.version);
  to.number(message.instance);
  to.number(message.heartbeat);
  to.number(uint8_t(message.shared));
  to.number(uint8_t(message.examples));
  to.number(message.batchesPerEpoch.value_or(-1));
  to.number(message.examplesPerEpoch.value_or(-1));
  to.text(message.fingerprint);
  to.text(message.state);
  to.number(uint32_t(message.sources.size()));
  for (const SourceInfo &info : message.sources)
    encode(to, info);
}

Welcome parseWelcome(ByteSpan head) {
  Reader from(head);
  Welcome message;
  message.version = from.number<uint16_t>();
  if (message.version != version)
    throw blocks::UnsupportedError(
        "the server speaks version " + std::to_string(message.version) +
        " of the protocol, this program version " + std::to_string(version) +
        "; use the same release on both sides");
  message.instance = from.number<uint64_t>();
  message.heartbeat = from.number<uint32_t>();
  message.shared = from.flag();
  message.examples = from.flag();
  message.batchesPerEpoch = parseCount(from);
  message.examplesPerEpoch = parseCount(from);
  from.text(message.fingerprint);
  from.text(message.state);
  message.sources.resize(from.length(15));
  for (SourceInfo &info : message.sources)
    info = parseSource(from);
  from.finish();
  return message;
}

void encode(Bytes &out, const Notice &message) {
  Writer to(out);
  to.number(message.generation);
  if (message.kind != Kind::Started)
    to.number(message.number);
  if (message.kind == Kind::End)
    to.number(message.epoch);
  if (message.kind == Kind::Failure)
    to.number(uint8_t(message.error));
  to.text(message.text);
}

Notice parseNotice(Kind kind, ByteSpan head) {
  Reader from(head);
  Notice message;
  message.kind = kind;
  message.generation = from.number<uint64_t>();
  if (kind != Kind::Started)
    message.number = from.number<uint64_t>();
  if (kind == Kind::End)
    message.epoch = from.number<uint64_t>();
  if (kind == Kind::Failure) {
    auto error = from.number<uint8_t>();
    if (error > uint8_t(blocks::ErrorKind::Unsupported))
      throw blocks::CorruptError("FAILURE is of the unknown kind " +
                                 std::to_string(error));
    message.error = blocks::ErrorKind(error);
  }
  from.text(message.text);
  from.finish();
  return message;
}

void encodeText(Bytes &out, std::string_view text) { Writer(out).text(text); }

std::string parseText(ByteSpan head) {
  Reader from(head);
  std::string text = from.text();
  from.finish();
  return text;
}

} // namespace fuel::wire
