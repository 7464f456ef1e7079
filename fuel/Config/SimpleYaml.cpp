// SimpleYaml: see SimpleYaml.h.
#include "fuel/Config/SimpleYaml.h"

#include "blocks/Error.h"
#include "runtime/Base/Text.h"

#include <optional>
#include <sstream>

namespace fuel {

namespace {
/// As YAML takes blanks: a carriage return at the end of a line, too.
std::string trimmed(std::string_view text) {
  return std::string(blocks::trimmed(text, " \t\r"));
}

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

class Reader {
public:
  explicit Reader(const std::string &path) : path(path) {}
  std::vector<ConfigEntry> read(const std::string &text) {
    std::istringstream lines(text.rfind("\xef\xbb\xbf", 0) == 0 ? text.substr(3)
                                                                : text);
    while (std::getline(lines, line)) {
      ++number;
      std::string content = trimmed(withoutComment());
      if (!content.empty() && content != "---" && content != "...")
        take(content);
    }
    return std::move(entries);
  }

private:
  std::string where() const {
    return "'" + path + "', line " + std::to_string(number);
  }
  [[noreturn]] void fail(const std::string &why) const {
    throw blocks::InputError(where() + ": " + why);
  }

  /// A comment begins at the line's start or after a blank, outside of quotes;
  /// a quote begins where a value may.
  std::string withoutComment() const {
    char quote = 0, before = ' ';
    for (size_t i = 0; i < line.size(); ++i) {
      char c = line[i];
      if (quote)
        quote = c == quote ? 0 : quote;
      else if ((c == '"' || c == '\'') &&
               (isBlank(before) || before == '[' || before == ','))
        quote = c;
      else if (c == '#' && isBlank(before))
        return line.substr(0, i);
      before = c;
    }
    return line;
  }

  void take(const std::string &content) {
    if (content == "-" || content.rfind("- ", 0) == 0)
      return takeItem(trimmed(content.substr(1)));
    size_t colon = content.find(':');
    if (isBlank(line.front()) || colon == std::string::npos || colon == 0 ||
        (colon + 1 < content.size() && !isBlank(content[colon + 1])))
      fail("'" + content +
           "' is not understood; expected 'key: value' at the beginning of the "
           "line, with a blank after the colon");
    std::string key = scalar(trimmed(content.substr(0, colon))).value_or("");
    for (const ConfigEntry &entry : entries)
      if (entry.key == key)
        fail("'" + key + "' stands there twice");
    std::string value = trimmed(content.substr(colon + 1));
    open = value.empty();
    entries.push_back({key, valuesOf(value), where()});
  }

  /// Belongs to the key above, if that has no value beside it.
  void takeItem(const std::string &item) {
    if (entries.empty() || !open)
      fail("an item '- " + item +
           "' belongs under a key without a value: 'key:'");
    if (auto value = scalar(item))
      entries.back().values.push_back(*value);
  }

  std::vector<std::string> valuesOf(const std::string &text) const {
    std::vector<std::string> values;
    if (text.empty() || text.front() != '[') {
      if (auto value = scalar(text))
        values.push_back(*value);
      return values;
    }
    if (text.size() < 2 || text.back() != ']')
      fail("a list begins but does not end here; write it on one line, [a, b], "
           "or as lines '- a'");
    for (const std::string &part : parts(text.substr(1, text.size() - 2)))
      if (auto value = scalar(part))
        values.push_back(*value);
    return values;
  }

  /// At the commas that are not in quotes.
  static std::vector<std::string> parts(const std::string &text) {
    std::vector<std::string> result;
    std::string part;
    char quote = 0;
    for (char c : text) {
      if (quote)
        quote = c == quote ? 0 : quote;
      else if ((c == '"' || c == '\'') && trimmed(part).empty())
        quote = c;
      if (c == ',' && !quote) {
        result.push_back(trimmed(part));
        part.clear();
      } else {
        part += c;
      }
    }
    if (!trimmed(part).empty())
      result.push_back(trimmed(part));
    return result;
  }

  /// Nothing for null.
  std::optional<std::string> scalar(const std::string &text) const {
    if (text.empty() || text == "~" || text == "null" || text == "Null" ||
        text == "NULL")
      return std::nullopt;
    if (text.front() == '"' || text.front() == '\'')
      return unquoted(text);
    if (std::string("{}[]&*!|>%@`,?").find(text.front()) != std::string::npos ||
        text.find(": ") != std::string::npos || text.back() == ':')
      fail("'" + text +
           "' is a kind of YAML that is not read here; write a plain text, or "
           "put it in quotes, or use a file whose name ends in .toml");
    return text;
  }

  std::string unquoted(const std::string &text) const {
    char quote = text.front();
    std::string result;
    for (size_t i = 1; i < text.size(); ++i) {
      bool last = i + 1 == text.size();
      if (text[i] == quote && last)
        return result;
      if (text[i] == quote && quote == '\'' && text[i + 1] == '\'')
        ++i; // '' stands for one.
      else if (text[i] == '\\' && quote == '"' && !last &&
               (text[i + 1] == '"' || text[i + 1] == '\\'))
        ++i;
      else if (text[i] == quote || (text[i] == '\\' && quote == '"'))
        fail(text +
             " is not understood; of what is special in quotes, only \\\" "
             "and \\\\ are read");
      result += text[i];
    }
    fail("the quote in " + text + " does not end on the line");
  }

  const std::string &path;
  std::string line;
  int number = 0;
  bool open = false; ///< The last key has no value beside it.
  std::vector<ConfigEntry> entries;
};
} // namespace

std::vector<ConfigEntry> readSimpleYaml(const std::string &path,
                                        const std::string &text) {
  return Reader(path).read(text);
}

} // namespace fuel
