// ConfigFile: see ConfigFile.h.
#include "fuel/Config/ConfigFile.h"

#include "blocks/Error.h"
#include "fuel/Config/SimpleYaml.h"
#include "runtime/Base/FileDescriptor.h"

#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

#include <fcntl.h>

namespace fuel {

using blocks::InputError;

namespace {
std::string readText(const std::string &path) {
  blocks::FileDescriptor file(path, O_RDONLY);
  constexpr uint64_t most = 1 << 20;
  if (file.size() > most)
    throw InputError("'" + path + "' has " + std::to_string(file.size()) +
                     " bytes; expected a configuration of at most 1 MiB");
  std::string text(file.size(), '\0');
  text.resize(file.readAt(text.data(), text.size(), 0));
  return text;
}

//===-- TOML --------------------------------------------------------------===//

std::string textOf(const toml::node &node, const std::string &where) {
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
} // namespace

std::vector<ConfigEntry> readConfigFile(const std::string &path) {
  std::string text = readText(path);
  return path.ends_with(".toml") ? readToml(path, text)
                                 : readSimpleYaml(path, text);
}

} // namespace fuel
