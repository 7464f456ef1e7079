// readStreamConfig: see include/fuel/OpenStream.h.
#include "fuel/OpenStream.h"

#include "blocks/Error.h"

#include <toml++/toml.h>

#include <sstream>

namespace fuel {

using blocks::UsageError;

namespace {

/// Takes entries out of a table and complains about what is left.
class Entries {
public:
  Entries(const std::string &path, toml::table &table)
      : path(path), table(table) {}

  template <typename T, typename Value>
  void take(const char *key, Value &value) {
    const toml::node *node = table.get(key);
    if (!node)
      return;
    std::optional<T> found = node->value_exact<T>();
    if (!found)
      fail(*node, std::string(key) + " is not " +
                      (std::is_same_v<T, bool>      ? "true or false"
                       : std::is_same_v<T, int64_t> ? "a whole number"
                                                    : "a text in quotes"));
    value = static_cast<Value>(*found);
    table.erase(key);
  }

  /// A whole number from `least` to `most`.
  void take(const char *key, int64_t &value, int64_t least, int64_t most) {
    const toml::node *node = table.get(key);
    if (!node)
      return;
    std::optional<int64_t> found = node->value_exact<int64_t>();
    if (!found || *found < least || *found > most)
      fail(*node, std::string(key) + " is not a whole number from " +
                      std::to_string(least) + " to " + std::to_string(most));
    value = *found;
    table.erase(key);
  }

  void take(const char *key, std::vector<std::string> &list) {
    const toml::node *node = table.get(key);
    if (!node)
      return;
    if (!node->as_array())
      fail(*node, std::string(key) + " is not a list");
    list.clear();
    for (const toml::node &entry : *node->as_array()) {
      if (!entry.as_string())
        fail(entry, std::string(key) + " holds something that is no text");
      list.push_back(entry.as_string()->get());
    }
    table.erase(key);
  }

  std::string placeOf(const toml::node &node) const {
    return path + ", line " + std::to_string(node.source().begin.line);
  }
  [[noreturn]] void fail(const toml::node &node, const std::string &why) const {
    throw UsageError(placeOf(node) + ": " + why);
  }

  void expectEmpty(const std::string &known) const {
    for (auto &&[key, node] : table)
      fail(node, "there is no option '" + std::string(key.str()) +
                     "'; it may hold: " + known);
  }

private:
  const std::string &path;
  toml::table &table;
};

/// A value as it is written in a command line: lists of names are joined by
/// '+', of numbers by 'x'.
std::string valueText(const Entries &entries, const toml::node &node) {
  if (auto text = node.value_exact<std::string>())
    return *text;
  if (auto number = node.value_exact<int64_t>())
    return std::to_string(*number);
  if (auto flag = node.value_exact<bool>())
    return *flag ? "true" : "false";
  if (auto real = node.value_exact<double>()) {
    std::ostringstream text;
    text.precision(17);
    text << *real;
    return text.str();
  }
  const toml::array *list = node.as_array();
  if (!list)
    entries.fail(node, "expected a text, a number, true, false or a list");
  std::string text;
  for (const toml::node &entry : *list) {
    if (entry.is_array() || entry.is_table())
      entries.fail(entry, "expected a text or a number");
    if (!text.empty())
      text += entry.is_integer() ? "x" : "+";
    text += valueText(entries, entry);
  }
  return text;
}

std::string quoted(const Entries &entries, const toml::node &node,
                   const std::string &text) {
  bool plain = text.find_first_of(",() \t\n\"'") == std::string::npos;
  if (plain && !text.empty())
    return text;
  char quote = text.find('"') == std::string::npos ? '"' : '\'';
  if (text.find(quote) != std::string::npos)
    entries.fail(node, "a text cannot hold both kinds of quotes");
  return quote + text + quote;
}

bool isWord(std::string_view text) {
  return !text.empty() &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
             std::string_view::npos;
}

std::string transformText(const Entries &entries, const toml::node &node) {
  const toml::table *table = node.as_table();
  if (!table || !table->get("name") || !table->get("name")->as_string())
    entries.fail(node, "a transform is a table with a name: [[transform]] "
                       "name = \"flatten\"");
  std::string inside;
  for (auto &&[key, value] : *table)
    if (!isWord(key.str()))
      entries.fail(value,
                   "'" + std::string(key.str()) + "' is no name of an option");
    else if (key.str() != "name")
      inside += (inside.empty() ? "" : ",") + std::string(key.str()) + "=" +
                quoted(entries, value, valueText(entries, value));
  std::string name = table->get("name")->as_string()->get();
  if (!isWord(name))
    entries.fail(node, "'" + name + "' is no name of a transformer");
  return inside.empty() ? name : name + "(" + inside + ")";
}
} // namespace

static toml::table parseFile(const std::string &path) {
  try {
    return toml::parse_file(path);
  } catch (const toml::parse_error &error) {
    std::string line = std::to_string(error.source().begin.line);
    throw UsageError(path + ", line " + line + ": " +
                     std::string(error.description()));
  }
}

void readStreamConfig(const std::string &path, StreamOptions &options) {
  constexpr int64_t many = int64_t(1) << 40;
  toml::table table = parseFile(path);
  Entries entries(path, table);
  options.places[""] = path;
  if (const toml::node *scheme = table.get("scheme"))
    options.places[scheme->value_or(std::string())] = entries.placeOf(*scheme);
  entries.take<std::string>("file", options.file);
  entries.take<std::string>("split", options.split);
  entries.take("sources", options.sources);
  entries.take("batch_size", options.batchSize, 1, many);
  entries.take<std::string>("scheme", options.scheme);
  entries.take<int64_t>("seed", options.seed);
  entries.take("shard", options.shard, 0, many);
  entries.take("shards", options.shards, 1, many);
  entries.take<std::string>("shard_ends", options.shardEnds);
  entries.take("workers", options.workers, 0, 1024);
  entries.take("prefetch_depth", options.prefetchDepth, 1, 65536);
  entries.take<bool>("preserve_order", options.preserveOrder);
  entries.take<bool>("load_in_memory", options.loadInMemory);
  entries.take<bool>("default_transformers", options.defaultTransformers);
  entries.take("more_files", options.moreFiles);
  if (toml::node *list = table.get("transform")) {
    if (!list->as_array())
      entries.fail(*list, "transform is not a list; write [[transform]]");
    for (const toml::node &node : *list->as_array()) {
      options.transforms.push_back(transformText(entries, node));
      options.places[options.transforms.back()] = entries.placeOf(node);
    }
    table.erase("transform");
  }
  entries.expectEmpty(
      "file, split, sources, batch_size, scheme, seed, shard, shards, "
      "shard_ends, workers, prefetch_depth, preserve_order, load_in_memory, "
      "default_transformers, more_files and "
      "[[transform]]");
}

} // namespace fuel
