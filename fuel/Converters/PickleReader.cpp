// PickleReader: bytes, stack, memo, and the loop over the instructions. See
// PickleReader.h; PickleValues.cpp has the instructions for plain values and
// containers, PickleObjects.cpp those for NumPy's objects.
#include "fuel/Converters/PickleReader.h"

#include "blocks/Error.h"

#include <charconv>

namespace fuel {

namespace {
/// More values than this are no labels of a data set.
constexpr size_t mostValues = size_t(1) << 22;
} // namespace

PickleReader::PickleReader(Pickle &pickle, std::span<const std::byte> bytes)
    : pickle(pickle),
      bytes(reinterpret_cast<const char *>(bytes.data()), bytes.size()) {}

void PickleReader::fail(const std::string &what) const {
  throw blocks::CorruptError("cannot read " + pickle.where +
                             " as a Python pickle: " + what + " (at byte " +
                             std::to_string(position) + ")");
}

//===-- Bytes -------------------------------------------------------------===//

std::string_view PickleReader::take(uint64_t count) {
  if (count > bytes.size() - position)
    fail("it ends too early");
  std::string_view part = bytes.substr(position, count);
  position += count;
  return part;
}

/// Little-endian and unsigned.
uint64_t PickleReader::number(int count) {
  std::string_view part = take(uint64_t(count));
  uint64_t value = 0;
  for (int i = 0; i < count; ++i)
    value |= uint64_t(uint8_t(part[size_t(i)])) << (8 * i);
  return value;
}

std::string_view PickleReader::line() {
  size_t end = bytes.find('\n', position);
  if (end == std::string_view::npos)
    fail("it ends too early");
  std::string_view part = take(end - position);
  ++position;
  return part.ends_with('\r') ? part.substr(0, part.size() - 1) : part;
}

int64_t PickleReader::decimal(std::string_view digits) const {
  int64_t value = 0;
  const char *end = digits.data() + digits.size();
  auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (error != std::errc() || stop != end)
    fail("'" + std::string(digits.substr(0, 40)) + "' is no whole number");
  return value;
}

//===-- Stack -------------------------------------------------------------===//

PickleValue &PickleReader::make(Kind kind) {
  if (pickle.values.size() == mostValues)
    fail("it holds more than " + std::to_string(mostValues) + " values");
  PickleValue &value = pickle.values.emplace_back();
  value.kind = kind;
  return value;
}

void PickleReader::push(PickleValue *value) {
  if (stack.size() == mostValues)
    fail("it stacks more than " + std::to_string(mostValues) + " values");
  stack.push_back(value);
}

PickleValue *PickleReader::pop() {
  if (stack.empty() || !stack.back())
    fail("a value is missing");
  PickleValue *value = stack.back();
  stack.pop_back();
  return value;
}

PickleValue *PickleReader::pop(Kind kind, const char *what) {
  PickleValue *value = pop();
  if (value->kind != kind)
    fail(std::string("expected ") + what);
  return value;
}

PickleValue *PickleReader::peek(Kind kind, const char *what) {
  PickleValue *value = pop(kind, what);
  stack.push_back(value);
  return value;
}

std::vector<const PickleValue *> PickleReader::popToMark() {
  size_t mark = stack.size();
  while (mark > 0 && stack[mark - 1])
    --mark;
  if (mark == 0)
    fail("a mark is missing");
  std::vector<const PickleValue *> items(stack.begin() + ptrdiff_t(mark),
                                         stack.end());
  stack.resize(mark - 1);
  return items;
}

void PickleReader::pushInteger(int64_t value) {
  PickleValue &made = make(Kind::Int);
  made.integer = value;
  push(&made);
}

void PickleReader::pushText(std::string_view text, bool unicode) {
  PickleValue &made = make(Kind::Text);
  made.text = text;
  made.unicode = unicode;
  push(&made);
}

void PickleReader::pushItems(Kind kind,
                             std::vector<const PickleValue *> items) {
  PickleValue &made = make(kind);
  made.items = std::move(items);
  push(&made);
}

/// A text that is not in the bytes. They may not add up to much more.
std::string_view PickleReader::keep(std::string text) {
  keptBytes += text.size();
  if (keptBytes > 4 * bytes.size())
    fail("it repeats its texts");
  return pickle.strings.emplace_back(std::move(text));
}

//===-- Memo and stack ----------------------------------------------------===//

void PickleReader::remember(uint64_t number) {
  if (stack.empty() || !stack.back())
    fail("there is nothing to remember");
  memory[number] = stack.back();
}

void PickleReader::recall(uint64_t number) {
  auto found = memory.find(number);
  if (found == memory.end())
    fail("it refers to a value that it does not hold");
  push(found->second);
}

bool PickleReader::memo(char code) {
  switch (code) {
  case 'p':
    remember(uint64_t(decimal(line())));
    return true;
  case 'q':
    remember(number(1));
    return true;
  case 'r':
    remember(number(4));
    return true;
  case '\x94':
    remember(memory.size());
    return true;
  case 'g':
    recall(uint64_t(decimal(line())));
    return true;
  case 'h':
    recall(number(1));
    return true;
  case 'j':
    recall(number(4));
    return true;
  default:
    return false;
  }
}

bool PickleReader::other(char code) {
  switch (code) {
  case '\x80':
    if (uint64_t version = number(1); version > 4)
      fail("its protocol " + std::to_string(version) + " is unknown");
    return true;
  case '\x95': // A frame: the length of what follows.
    take(8);
    return true;
  case '0':
    pop();
    return true;
  case '1':
    popToMark();
    return true;
  case '2':
    push(pop());
    push(stack.back());
    return true;
  default:
    return false;
  }
}

const PickleValue *PickleReader::run() {
  for (;;) {
    char code = take(1)[0];
    if (code == '.')
      return pop();
    if (!number(code) && !text(code) && !container(code) && !memo(code) &&
        !object(code) && !other(code)) {
      constexpr char digits[] = "0123456789abcdef";
      fail(std::string("the instruction 0x") + digits[uint8_t(code) >> 4] +
           digits[uint8_t(code) & 15] +
           " is none that data sets need; it is not carried out");
    }
  }
}

} // namespace fuel
