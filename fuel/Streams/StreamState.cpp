// StreamState: see StreamState.h.
#include "fuel/Streams/StreamState.h"

#include "blocks/Error.h"

#include <charconv>
#include <string_view>

namespace fuel {

namespace {
constexpr std::string_view kind = "fuel-stream/1";

[[noreturn]] void reject(const std::string &text) {
  throw blocks::InputError(
      "'" + text.substr(0, 40) +
      "' is not the state of a data stream; expected one that begins with '" +
      std::string(kind) + "'");
}

/// Takes " NAME=VALUE" off the front of `rest`.
std::string_view take(std::string_view &rest, std::string_view name,
                      const std::string &text) {
  std::string key = " " + std::string(name) + "=";
  if (rest.substr(0, key.size()) != key)
    reject(text);
  rest.remove_prefix(key.size());
  std::string_view value = rest.substr(0, rest.find(' '));
  rest.remove_prefix(value.size());
  return value;
}

int64_t takeCount(std::string_view &rest, std::string_view name,
                  const std::string &text) {
  std::string_view digits = take(rest, name, text);
  int64_t value = -1;
  const char *end = digits.data() + digits.size();
  auto [stopped, error] = std::from_chars(digits.data(), end, value);
  if (error != std::errc() || stopped != end || value < 0)
    reject(text);
  return value;
}
} // namespace

std::string StreamState::text() const {
  return std::string(kind) + " epoch=" + std::to_string(epoch) +
         " consumed=" + std::to_string(consumed) + " scheme=" + scheme;
}

StreamState StreamState::parse(const std::string &text) {
  std::string_view rest = text;
  if (rest.substr(0, kind.size()) != kind)
    reject(text);
  rest.remove_prefix(kind.size());
  StreamState state;
  state.epoch = takeCount(rest, "epoch", text);
  state.consumed = takeCount(rest, "consumed", text);
  state.scheme = take(rest, "scheme", text);
  if (!rest.empty())
    reject(text);
  return state;
}

} // namespace fuel
