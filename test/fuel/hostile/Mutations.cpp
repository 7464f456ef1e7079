// Mutations: see Mutations.h.
#include "test/fuel/hostile/Mutations.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace hostile {

using fuel::Mt19937;

namespace {
size_t placeIn(const std::string &text, Mt19937 &random) {
  return size_t(random.interval(text.size()));
}

constexpr const char *numbers[] = {"0",
                                   "-1",
                                   "1",
                                   "2147483648",
                                   "4294967296",
                                   "1099511627776",
                                   "1152921504606846976",
                                   "9223372036854775807",
                                   "-9223372036854775808",
                                   "18446744073709551616",
                                   "1e308",
                                   "nan",
                                   "inf",
                                   "0x10",
                                   "1/0",
                                   "0.5"};
constexpr const char *pieces[] = {
    "\n",   "\"",   "'",     "=",    "[",     "]",    "(",       ")",   "+",
    "x",    ",",    "#",     ":",    "- ",    "%",    ";",       " ",   "\t",
    "true", "[[",   "[[x]]", "-",    "{a=1}", "\xff", "~",       "/",   "%00",
    "..",   "name", "which", "seed", "size",  "1x1",  "scheme=", "\\u", "\x01"};

/// The first number at or after a place is replaced.
void replaceNumber(std::string &text, Mt19937 &random) {
  size_t begin = text.find_first_of("0123456789", placeIn(text, random));
  if (begin == std::string::npos)
    return;
  size_t end =
      std::min(text.find_first_not_of("0123456789.", begin), text.size());
  text.replace(begin, end - begin,
               numbers[random.interval(std::size(numbers) - 1)]);
}

void change(std::string &text, Mt19937 &random) {
  size_t at = placeIn(text, random);
  size_t length = std::min<size_t>(1 + random.interval(11), text.size() - at);
  switch (random.interval(6)) {
  case 0:
    if (at < text.size())
      text[at] = char(random.next());
    break;
  case 1:
    text.erase(at, length);
    break;
  case 2:
    text.insert(placeIn(text, random), text.substr(at, length));
    break;
  case 3:
    text.insert(at, pieces[random.interval(std::size(pieces) - 1)]);
    break;
  case 4:
    text.resize(at);
    break;
  default:
    replaceNumber(text, random);
  }
}

/// As fuel/Streams/StreamState.cpp has it.
std::string checksum(const std::string &text) {
  uint64_t hash = 14695981039346656037u;
  for (char c : text)
    hash = (hash ^ uint8_t(c)) * 1099511628211u;
  std::string digits(16, '0');
  for (size_t i = 16; i-- > 0; hash >>= 4)
    digits[i] = "0123456789abcdef"[hash & 15];
  return digits;
}
} // namespace

std::string mutate(std::string text, Mt19937 &random) {
  for (uint64_t count = 1 + random.interval(2); count-- > 0;)
    change(text, random);
  return text;
}

std::string forgeState(const std::string &state, Mt19937 &random) {
  std::string text = state.substr(0, state.rfind(" check="));
  // Most of the text is a generator's words: look at the other fields too.
  size_t field = text.find(random.interval(1) ? " at=" : " epoch=");
  for (uint64_t count = 1 + random.interval(2); count-- > 0;) {
    if (random.interval(3) == 0) {
      text = mutate(std::move(text), random);
      continue;
    }
    size_t begin = text.find_first_of(
        "0123456789", std::min(field, text.size()) + random.interval(12));
    if (begin == std::string::npos)
      continue;
    size_t end =
        std::min(text.find_first_not_of("0123456789", begin), text.size());
    static constexpr const char *counts[] = {"0",
                                             "1",
                                             "2",
                                             "7",
                                             "50",
                                             "255",
                                             "100000",
                                             "4294967295",
                                             "4294967296",
                                             "17179869184",
                                             "1099511627776",
                                             "1152921504606846976",
                                             "9223372036854775807",
                                             "-",
                                             "0;0;0",
                                             ""};
    text.replace(begin, end - begin,
                 counts[random.interval(std::size(counts) - 1)]);
  }
  return text + " check=" + checksum(text);
}

} // namespace hostile
