// TomlConfig: see the header.
#include "tools/blocks-run/TomlConfig.h"

#include "blocks/Error.h"

#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

#include <sstream>

namespace blocks::cli {

using Items = std::vector<CLI::ConfigItem>;

/// A scalar as the text that would stand on the command line.
static std::string scalarText(const toml::node &node) {
  std::ostringstream text;
  if (auto string = node.value<std::string>(); string && node.is_string())
    return *string;
  if (node.is_boolean())
    return *node.value<bool>() ? "true" : "false";
  node.visit([&](auto &&value) {
    if constexpr (toml::is_number<decltype(value)>)
      text << value;
  });
  if (text.str().empty())
    throw UsageError("the configuration holds a value that is no text, number, "
                     "truth value or list of them");
  return text.str();
}

/// Marks that the keys that follow belong to a subcommand, or no longer do.
static CLI::ConfigItem marker(const std::vector<std::string> &parents,
                              const char *name) {
  CLI::ConfigItem item;
  item.parents = parents;
  item.name = name;
  return item;
}

static void collect(const toml::table &table, std::vector<std::string> parents,
                    Items &items) {
  for (auto &&[key, node] : table) {
    if (auto *child = node.as_table()) {
      std::vector<std::string> path = parents;
      path.push_back(std::string(key.str()));
      items.push_back(marker(path, "++"));
      collect(*child, path, items);
      items.push_back(marker(path, "--"));
      continue;
    }
    CLI::ConfigItem item;
    item.parents = parents;
    item.name = std::string(key.str());
    if (auto *array = node.as_array())
      for (auto &&element : *array)
        item.inputs.push_back(scalarText(element));
    else
      item.inputs.push_back(scalarText(node));
    items.push_back(std::move(item));
  }
}

std::string TomlConfig::to_config(const CLI::App *, bool, bool,
                                  std::string) const {
  return {};
}

Items TomlConfig::from_config(std::istream &input) const {
  Items items;
  try {
    collect(toml::parse(input), {}, items);
  } catch (const toml::parse_error &e) {
    std::ostringstream where;
    where << "the configuration is not valid TOML: " << e.description()
          << ", at " << e.source().begin;
    throw UsageError(where.str());
  }
  return items;
}

} // namespace blocks::cli
