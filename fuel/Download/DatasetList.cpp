// Lists of data sets to download: see include/fuel/Download.h and the head of
// datasets.toml, which says what stands in one.
#include "fuel/Download.h"

#include "blocks/Error.h"
#include "fuel/Download/KnownDatasets.h"
#include "runtime/Base/FileDescriptor.h"

#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

#include <algorithm>
#include <fcntl.h>

namespace fuel {

using blocks::InputError;
using blocks::UsageError;

namespace {
/// One table of the list: takes what is known and complains about the rest.
class Table {
public:
  Table(const std::string &path, const toml::node &node) : path(path) {
    if (!node.is_table())
      fail(node, "expected a table");
    table = node.as_table();
  }

  std::string text(const char *key) {
    const toml::node *node = take(key);
    if (!node)
      return "";
    if (!node->is_string())
      fail(*node, std::string("'") + key + "' is not a text in quotes");
    return node->as_string()->get();
  }
  std::vector<std::string> texts(const char *key) {
    std::vector<std::string> result;
    const toml::node *node = take(key);
    if (node && !node->is_array())
      fail(*node, std::string("'") + key + "' is not a list");
    if (node)
      for (const toml::node &each : *node->as_array()) {
        if (!each.is_string())
          fail(each, std::string("'") + key +
                         "' holds something that is no "
                         "text");
        result.push_back(each.as_string()->get());
      }
    return result;
  }
  std::optional<uint64_t> count(const char *key) {
    const toml::node *node = take(key);
    if (!node)
      return std::nullopt;
    if (!node->is_integer() || node->as_integer()->get() < 0)
      fail(*node, std::string("'") + key + "' is not a number of bytes");
    return uint64_t(node->as_integer()->get());
  }
  bool flag(const char *key) {
    const toml::node *node = take(key);
    if (node && !node->is_boolean())
      fail(*node, std::string("'") + key + "' is not true or false");
    return node && node->as_boolean()->get();
  }
  const toml::node *take(const char *key) {
    taken.push_back(key);
    return table->get(key);
  }
  void expectNoMore() const {
    for (auto &&[key, node] : *table)
      if (std::find(taken.begin(), taken.end(), key.str()) == taken.end())
        fail(node, "there is no entry '" + std::string(key.str()) +
                       "'; it may hold: " + known());
  }
  [[noreturn]] void fail(const toml::node &node, const std::string &why) const {
    throw InputError("'" + path + "', line " +
                     std::to_string(node.source().begin.line) + ": " + why);
  }
  [[noreturn]] void fail(const std::string &why) const { fail(*table, why); }

private:
  std::string known() const {
    std::string text;
    for (const std::string &key : taken)
      text += (text.empty() ? "" : ", ") + key;
    return text;
  }
  const std::string &path;
  const toml::table *table;
  std::vector<std::string> taken;
};

/// A name that cannot lead out of its folder, or be taken for an option.
bool isPlainName(const std::string &name) {
  return !name.empty() && name != "." && name != ".." && name.front() != '-' &&
         name.find('/') == std::string::npos &&
         std::none_of(name.begin(), name.end(),
                      [](unsigned char c) { return c < 32 || c == 127; });
}

bool isUrl(const std::string &url) {
  return url.rfind("http://", 0) == 0 || url.rfind("https://", 0) == 0;
}

void checkUrls(const Table &table, const std::vector<std::string> &urls) {
  for (const std::string &url : urls)
    if (!isUrl(url))
      table.fail("'" + url + "' does not begin with http:// or https://");
}

void takeChecksum(Table &table, const char *algorithm, size_t digits,
                  std::vector<Checksum> &checksums) {
  std::string hex = table.text(algorithm);
  if (hex.empty())
    return;
  std::transform(hex.begin(), hex.end(), hex.begin(), [](unsigned char c) {
    return char(c >= 'A' && c <= 'F' ? c + 32 : c);
  });
  if (hex.size() != digits ||
      hex.find_first_not_of("0123456789abcdef") != std::string::npos)
    table.fail(std::string(algorithm) + " is '" + hex + "'; expected " +
               std::to_string(digits) + " hexadecimal digits");
  checksums.push_back({algorithm, hex});
}

RemoteFile readFile(Table table, const std::vector<std::string> &mirrors) {
  RemoteFile file;
  file.name = table.text("name");
  if (!isPlainName(file.name))
    table.fail("a file's name is '" + file.name +
               "'; expected a name without folders");
  file.urls = table.texts("urls");
  for (const std::string &mirror : mirrors)
    file.urls.push_back(mirror + file.name);
  file.size = table.count("size");
  takeChecksum(table, "sha256", 64, file.checksums);
  takeChecksum(table, "sha1", 40, file.checksums);
  takeChecksum(table, "md5", 32, file.checksums);
  file.variant = table.text("variant");
  file.registered = table.flag("registered");
  table.expectNoMore();
  checkUrls(table, file.urls);
  if (file.urls.empty() && !file.registered)
    table.fail("'" + file.name +
               "' has no URL; give urls, or the data set "
               "mirrors");
  return file;
}

RemoteDataset readDataset(const std::string &path, const std::string &name,
                          const toml::node &node) {
  Table table(path, node);
  RemoteDataset dataset;
  dataset.name = name;
  if (!isPlainName(name))
    table.fail("'" + name + "' is no name of a data set");
  dataset.summary = table.text("summary");
  dataset.variants = table.texts("variants");
  dataset.note = table.text("note");
  dataset.instructions = table.text("instructions");
  std::vector<std::string> mirrors = table.texts("mirrors");
  if (const toml::node *files = table.take("files")) {
    if (!files->is_array())
      table.fail(*files, "'files' is not a list; write [[" + name + ".files]]");
    for (const toml::node &file : *files->as_array())
      dataset.files.push_back(readFile(Table(path, file), mirrors));
  }
  table.expectNoMore();
  for (const RemoteFile &file : dataset.files)
    if (!file.variant.empty() &&
        std::find(dataset.variants.begin(), dataset.variants.end(),
                  file.variant) == dataset.variants.end())
      table.fail("'" + file.name + "' belongs to '" + file.variant +
                 "', which is none of the variants");
  if (dataset.files.empty() && dataset.instructions.empty())
    table.fail("'" + name + "' has no files");
  return dataset;
}

std::vector<RemoteDataset> readList(const std::string &path,
                                    std::string_view text) {
  std::vector<RemoteDataset> list;
  try {
    toml::table table = toml::parse(text, path);
    for (auto &&[key, node] : table)
      list.push_back(readDataset(path, std::string(key.str()), node));
  } catch (const toml::parse_error &error) {
    throw InputError("'" + path + "', line " +
                     std::to_string(error.source().begin.line) + ": " +
                     std::string(error.description()));
  }
  return list;
}
} // namespace

std::vector<RemoteDataset> knownDownloads() {
  return readList("datasets.toml", knownDatasetsText);
}

std::vector<RemoteDataset> readDownloadList(const std::string &path) {
  blocks::FileDescriptor file(path, O_RDONLY);
  std::string text(file.size(), '\0');
  text.resize(file.readAt(text.data(), text.size(), 0));
  return readList(path, text);
}

void addDownloads(std::vector<RemoteDataset> &list,
                  std::vector<RemoteDataset> more) {
  for (RemoteDataset &dataset : more) {
    for (const RemoteDataset &known : list)
      if (known.name == dataset.name)
        throw UsageError("two lists have a data set '" + dataset.name +
                         "'; rename one of them");
    list.push_back(std::move(dataset));
  }
  std::sort(list.begin(), list.end(),
            [](const auto &a, const auto &b) { return a.name < b.name; });
}

std::vector<RemoteFile> filesOf(const RemoteDataset &dataset,
                                const std::string &variant) {
  std::string known;
  for (const std::string &each : dataset.variants)
    known += (known.empty() ? "" : " or ") + each;
  bool found = std::find(dataset.variants.begin(), dataset.variants.end(),
                         variant) != dataset.variants.end();
  if (dataset.variants.empty() ? !variant.empty() : !found)
    throw UsageError(
        "'" + dataset.name + "' " +
        (variant.empty() ? std::string("has parts")
                         : "has no part '" + variant + "'") +
        (known.empty() ? "" : "; expected " + known + " after it"));
  std::vector<RemoteFile> files;
  for (const RemoteFile &file : dataset.files)
    if (file.variant.empty() || file.variant == variant)
      files.push_back(file);
  return files;
}

} // namespace fuel
