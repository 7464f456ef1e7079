// ConfigFile: see ConfigFile.h.
#include "fuel/Config/ConfigFile.h"

#include "blocks/Error.h"
#include "runtime/Base/FileDescriptor.h"

#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

#include <fcntl.h>
#include <sstream>

namespace fuel {

using blocks::InputError;

namespace {
std::string readText(const std::string &path) {
  blocks::FileDescriptor file(path, O_RDONLY);
  std::string text(file.size(), '\0');
  text.resize(file.readAt(text.data(), text.size(), 0));
  return text;
}

//===-- TOML --------------------------------------------------------------===//

std::string textOf(const toml::node &node, const std::string &where) {
  std::ostringstream text;
  if (auto string = node.value_exact<std::string>())
    return *string;
  if (node.is_integer())
    return std::to_string(*node.value<int64_t>());
  throw InputError(where +
                   ": expected a text, a whole number or a list of them");
}

std::vector<ConfigEntry> readToml(const std::string &path,
                                  const std::string &text) {
  std::vector<ConfigEntry> entries;
  try {
    toml::table table = toml::parse(text, path);
    for (auto &&[key, node] : table) {
      ConfigEntry entry{std::string(key.str()), {}, {}};
      entry.where =
          "'" + path + "', line " + std::to_string(node.source().begin.line);
      if (const toml::array *list = node.as_array())
        for (const toml::node &each : *list)
          entry.values.push_back(textOf(each, entry.where));
      else
        entry.values.push_back(textOf(node, entry.where));
      entries.push_back(std::move(entry));
    }
  } catch (const toml::parse_error &error) {
    throw InputError("'" + path + "', line " +
                     std::to_string(error.source().begin.line) + ": " +
                     std::string(error.description()));
  }
  return entries;
}

//===-- YAML, the simple part ---------------------------------------------===//

std::string trimmed(const std::string &text) {
  size_t begin = text.find_first_not_of(" \t\r");
  size_t end = text.find_last_not_of(" \t\r");
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

/// Without a comment, which begins after a blank and outside of quotes.
std::string withoutComment(const std::string &line) {
  char quote = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    if (quote)
      quote = line[i] == quote ? 0 : quote;
    else if (line[i] == '"' || line[i] == '\'')
      quote = line[i];
    else if (line[i] == '#' && (i == 0 || line[i - 1] == ' '))
      return line.substr(0, i);
  }
  return line;
}

std::string unquoted(const std::string &text) {
  if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'') &&
      text.back() == text.front())
    return text.substr(1, text.size() - 2);
  return text;
}

std::vector<std::string> valuesOf(const std::string &text) {
  if (text.empty())
    return {};
  if (text.front() != '[' || text.back() != ']')
    return {unquoted(text)};
  std::vector<std::string> values;
  std::istringstream list(text.substr(1, text.size() - 2));
  for (std::string value; std::getline(list, value, ',');)
    values.push_back(unquoted(trimmed(value)));
  return values;
}

class YamlReader {
public:
  explicit YamlReader(const std::string &path) : path(path) {}
  std::vector<ConfigEntry> read(const std::string &text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      ++number;
      std::string content = trimmed(withoutComment(line));
      if (!content.empty() && content != "---" && content != "...")
        take(content, line.front() == ' ' || line.front() == '\t');
    }
    return std::move(entries);
  }

private:
  std::string where() const {
    return "'" + path + "', line " + std::to_string(number);
  }
  void take(const std::string &content, bool indented) {
    if (content.rfind("- ", 0) == 0 && !entries.empty()) {
      entries.back().values.push_back(unquoted(trimmed(content.substr(2))));
      return;
    }
    size_t colon = content.find(':');
    if (indented || colon == std::string::npos || colon == 0)
      throw InputError(where() + ": '" + content +
                       "' is not understood; expected 'key: value'");
    for (const ConfigEntry &entry : entries)
      if (entry.key == trimmed(content.substr(0, colon)))
        throw InputError(where() + ": '" + entry.key + "' stands there twice");
    entries.push_back({trimmed(content.substr(0, colon)),
                       valuesOf(trimmed(content.substr(colon + 1))), where()});
  }
  const std::string &path;
  int number = 0;
  std::vector<ConfigEntry> entries;
};
} // namespace

std::vector<ConfigEntry> readConfigFile(const std::string &path) {
  std::string text = readText(path);
  return path.ends_with(".toml") ? readToml(path, text)
                                 : YamlReader(path).read(text);
}

} // namespace fuel
