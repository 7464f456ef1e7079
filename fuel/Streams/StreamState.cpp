// StreamState: see StreamState.h. Lists are separated by ';' and written '-'
// when empty; in their words, blanks and the separators are escaped as %XX.
#include "fuel/Streams/StreamState.h"

#include "blocks/Error.h"
#include "runtime/Base/Text.h"

#include <charconv>
#include <string_view>

namespace fuel {

namespace {
constexpr std::string_view kind = "fuel-stream/2";

[[noreturn]] void reject(const std::string &text) {
  throw blocks::InputError(
      "'" + text.substr(0, 40) +
      "' is not the state of a data stream, or it is damaged; expected one "
      "that begins with '" +
      std::string(kind) + "', as it was saved");
}

/// FNV-1a, 64 bits.
std::string checksum(std::string_view text) {
  uint64_t hash = 14695981039346656037u;
  for (char c : text)
    hash = (hash ^ uint8_t(c)) * 1099511628211u;
  char digits[16];
  for (int i = 15; i >= 0; --i, hash >>= 4)
    digits[i] = "0123456789abcdef"[hash & 15];
  return std::string(digits, 16);
}

std::string escape(const std::string &word) {
  std::string result;
  for (char c : word) {
    auto byte = uint8_t(c);
    if (byte > ' ' && byte < 127 && c != '%' && c != ';') {
      result += c;
      continue;
    }
    result +=
        {'%', "0123456789abcdef"[byte >> 4], "0123456789abcdef"[byte & 15]};
  }
  return result;
}

std::string unescape(std::string_view word, const std::string &text) {
  std::string result;
  for (size_t i = 0; i < word.size(); ++i) {
    if (word[i] != '%') {
      result += word[i];
      continue;
    }
    uint8_t byte = 0;
    if (i + 3 > word.size())
      reject(text);
    auto [end, error] =
        std::from_chars(word.data() + i + 1, word.data() + i + 3, byte, 16);
    if (error != std::errc() || end != word.data() + i + 3)
      reject(text);
    result += char(byte);
    i += 2;
  }
  return result;
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

int64_t parseCount(std::string_view digits, const std::string &text) {
  int64_t value = -1;
  const char *end = digits.data() + digits.size();
  auto [stopped, error] = std::from_chars(digits.data(), end, value);
  constexpr int64_t most = int64_t(1) << 60; // Sums do not overflow.
  if (error != std::errc() || stopped != end || value < 0 || value > most)
    reject(text);
  return value;
}

template <typename Use> void forEach(std::string_view list, Use use) {
  if (list == "-")
    return;
  while (true) {
    size_t end = list.find(';');
    use(list.substr(0, end));
    if (end == std::string_view::npos)
      return;
    list.remove_prefix(end + 1);
  }
}

template <typename List, typename Word>
std::string join(const List &list, Word word) {
  return list.empty() ? "-" : blocks::joined(list, ";", word);
}
} // namespace

// An entry "-" alone would read as an empty list, so it is escaped.
static std::string wordOf(const std::string &entry) {
  return entry == "-" ? "%2d" : escape(entry);
}

std::string StreamState::text() const {
  std::string text =
      std::string(kind) + " epoch=" + std::to_string(epoch) +
      " consumed=" + std::to_string(consumed) +
      " random=" + join(random, wordOf) + " at=" +
      join(position.counts, [](int64_t n) { return std::to_string(n); }) +
      " streams=" + join(position.texts, wordOf);
  return text + " check=" + checksum(text);
}

StreamState StreamState::parse(const std::string &text) {
  std::string_view rest = text;
  if (rest.substr(0, kind.size()) != kind)
    reject(text);
  rest.remove_prefix(kind.size());
  StreamState state;
  state.epoch = parseCount(take(rest, "epoch", text), text);
  state.consumed = parseCount(take(rest, "consumed", text), text);
  forEach(take(rest, "random", text), [&](std::string_view word) {
    state.random.push_back(unescape(word, text));
  });
  forEach(take(rest, "at", text), [&](std::string_view word) {
    state.position.counts.push_back(parseCount(word, text));
  });
  forEach(take(rest, "streams", text), [&](std::string_view word) {
    state.position.texts.push_back(unescape(word, text));
  });
  std::string_view covered(text.data(), text.size() - rest.size());
  if (take(rest, "check", text) != checksum(covered) || !rest.empty())
    reject(text);
  return state;
}

} // namespace fuel
