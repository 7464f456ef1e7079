// ShardedStream: see ShardedStream.h.
#include "fuel/Server/ShardedStream.h"

#include "blocks/Error.h"

#include <charconv>

namespace fuel {

ShardedStream::ShardedStream(std::unique_ptr<DataStream> inner, int64_t mine,
                             int64_t all)
    : stream(std::move(inner)), rank(mine), ranks(all) {}

std::optional<int64_t> ShardedStream::batchesPerEpoch() const {
  std::optional<int64_t> all = stream->batchesPerEpoch();
  if (!all)
    return std::nullopt;
  return (*all - rank + ranks - 1) / ranks;
}

void ShardedStream::startEpoch() {
  stream->startEpoch();
  position = 0;
}

bool ShardedStream::next(Batch &batch) {
  while (stream->next(batch))
    if (position++ % ranks == rank)
      return true;
  return false;
}

std::string ShardedStream::prefix() const {
  return "fuel-rank/1 rank=" + std::to_string(rank) +
         " ranks=" + std::to_string(ranks) + " position=";
}

std::string ShardedStream::state() const {
  return prefix() + std::to_string(position) + " " + stream->state();
}

void ShardedStream::restore(const std::string &state) {
  std::string begin = prefix();
  int64_t value = -1;
  const char *end = state.data() + state.size();
  std::from_chars_result read{state.data(), std::errc()};
  if (state.starts_with(begin))
    read = std::from_chars(state.data() + begin.size(), end, value);
  if (value < 0 || read.ec != std::errc() || read.ptr == end ||
      *read.ptr != ' ')
    throw blocks::InputError(
        "'" + state.substr(0, 60) + "' is not the state of rank " +
        std::to_string(rank) + " of " + std::to_string(ranks) +
        "; each rank continues from its own state");
  stream->restore(std::string(read.ptr + 1, end));
  position = value;
}

std::string ShardedStream::fingerprint() const {
  return stream->fingerprint() + "; rank " + std::to_string(rank) + " of " +
         std::to_string(ranks);
}

} // namespace fuel
