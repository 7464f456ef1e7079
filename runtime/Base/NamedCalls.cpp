// NamedCalls: see the header. A recursive-descent parser of a few lines.
#include "runtime/Base/NamedCalls.h"

#include "blocks/Error.h"

#include <algorithm>
#include <charconv>

namespace blocks {

namespace {

class Parser {
public:
  explicit Parser(std::string_view text) : text(text) {}

  std::vector<NamedCall> parse() {
    std::vector<NamedCall> rules;
    do
      rules.push_back(parseRule());
    while (accept(','));
    if (position < text.size())
      fail("',' or the end");
    return rules;
  }

private:
  NamedCall parseRule() {
    NamedCall rule;
    rule.name = parseName("the name of a rule");
    if (!accept('('))
      return rule;
    if (accept(')'))
      return rule;
    do
      rule.arguments.push_back(parseArgument(rule));
    while (accept(','));
    if (!accept(')'))
      fail("',' or ')'");
    return rule;
  }

  CallArgument parseArgument(const NamedCall &rule) {
    CallArgument argument;
    size_t begin = position;
    argument.name = parseName("the name of an argument");
    if (rule.find(argument.name))
      throw UsageError("'" + rule.name + "' is given option '" + argument.name +
                       "' twice");
    if (!accept('='))
      failUnnamed(rule, begin);
    skipBlanks();
    if (position < text.size() &&
        (text[position] == '"' || text[position] == '\''))
      argument.text = parseQuoted(argument);
    else
      argument.text = parseWord();
    return argument;
  }

  std::string parseQuoted(CallArgument &argument) {
    char quote = text[position++];
    size_t end = text.find(quote, position);
    if (end == std::string_view::npos)
      fail("a closing quote");
    argument.quoted = true;
    std::string value(text.substr(position, end - position));
    position = end + 1;
    return value;
  }

  std::string parseWord() {
    size_t end =
        std::min(text.find_first_of(",() \t\n", position), text.size());
    if (end == position)
      fail("a value");
    std::string value(text.substr(position, end - position));
    position = end;
    return value;
  }

  std::string parseName(const char *what) {
    skipBlanks();
    size_t begin = position;
    auto isNameCharacter = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
             (c >= '0' && c <= '9') || c == '_';
    };
    while (position < text.size() && isNameCharacter(text[position]))
      ++position;
    if (position == begin)
      fail(what);
    return std::string(text.substr(begin, position - begin));
  }

  bool accept(char c) {
    skipBlanks();
    if (position == text.size() || text[position] != c)
      return false;
    ++position;
    return true;
  }

  void skipBlanks() {
    while (position < text.size() &&
           (text[position] == ' ' || text[position] == '\t' ||
            text[position] == '\n'))
      ++position;
  }

  /// What stands at `begin` is no argument with a name.
  [[noreturn]] void failUnnamed(const NamedCall &rule, size_t begin) {
    position = begin;
    skipBlanks();
    size_t end = std::min(text.find_first_of(",)", position), text.size());
    throw UsageError(
        "'" + rule.name + "' takes its arguments as NAME=VALUE; found '" +
        std::string(text.substr(position, end - position)) + "' at column " +
        std::to_string(position + 1) + " of '" + std::string(text) + "'");
  }

  [[noreturn]] void fail(const std::string &expected) {
    skipBlanks();
    std::string found = position < text.size()
                            ? "'" + std::string(text.substr(position, 10)) + "'"
                            : "the end";
    throw UsageError("expected " + expected + " at column " +
                     std::to_string(position + 1) + " of '" +
                     std::string(text) + "', found " + found);
  }

  std::string_view text;
  size_t position = 0;
};

} // namespace

double CallArgument::number() const {
  double value = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw UsageError("'" + name + "' takes a number, found '" + text + "'");
  return value;
}

const CallArgument *NamedCall::find(std::string_view wanted) const {
  for (const CallArgument &argument : arguments)
    if (argument.name == wanted)
      return &argument;
  return nullptr;
}

double NamedCall::number(std::string_view wanted, double fallback) const {
  const CallArgument *argument = find(wanted);
  return argument ? argument->number() : fallback;
}

void NamedCall::expectOnly(const std::vector<std::string> &known) const {
  for (const CallArgument &argument : arguments)
    if (std::find(known.begin(), known.end(), argument.name) == known.end())
      throw UsageError(name + " has no option '" + argument.name +
                       "'; it takes " + listOf(known));
}

std::vector<NamedCall> parseNamedCalls(std::string_view text) {
  return Parser(text).parse();
}

std::string callStructure(std::string_view text) {
  std::string structure;
  for (const NamedCall &rule : parseNamedCalls(text)) {
    structure += (structure.empty() ? "" : ",") + rule.name + "(";
    for (const CallArgument &argument : rule.arguments) {
      double ignored;
      auto [end, error] =
          std::from_chars(argument.text.data(),
                          argument.text.data() + argument.text.size(), ignored);
      bool isNumber = !argument.quoted && error == std::errc() && *end == 0;
      structure += argument.name + "=" + (isNumber ? "#" : argument.text) + ";";
    }
    structure += ")";
  }
  return structure;
}

std::string listOf(const std::vector<std::string> &items) {
  std::string text;
  for (size_t i = 0; i < items.size(); ++i)
    text += (i == 0 ? "" : i + 1 == items.size() ? " or " : ", ") + items[i];
  return items.empty() ? "none" : text;
}

} // namespace blocks
