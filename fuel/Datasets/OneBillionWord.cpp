// openOneBillionWord: see include/fuel/BuiltInDatasets.h.
#include "fuel/BuiltInDatasets.h"

#include "blocks/Error.h"

#include <cstdio>

namespace fuel {

static std::string partitionFile(bool heldOut, int64_t partition) {
  int64_t first = heldOut ? 0 : 1, last = heldOut ? 49 : 99;
  if (partition < first || partition > last)
    throw blocks::UsageError("partition " + std::to_string(partition) +
                             " of the " + (heldOut ? "held-out" : "training") +
                             " text; expected " + std::to_string(first) +
                             " to " + std::to_string(last));
  char name[64];
  std::snprintf(name, sizeof name,
                heldOut ? "news.en.heldout-%05d-of-00050"
                        : "news.en-%05d-of-00100",
                int(partition));
  return std::string("1-billion-word/") + (heldOut ? "heldout" : "training") +
         "-monolingual.tokenized.shuffled/" + name;
}

std::unique_ptr<DataStream> openOneBillionWord(const Config &config,
                                               OneBillionWordOptions options) {
  if (options.partitions.empty())
    throw blocks::UsageError("no partition of the text was asked for");
  options.text.files.clear();
  for (int64_t partition : options.partitions) {
    std::string file = partitionFile(options.heldOut, partition);
    std::string path = findInDataPath(config, file);
    if (path.empty())
      throw blocks::InputError(
          "there is no '" + file + "' in " + describeDataPath(config) +
          "; make it with 'fuel-download one_billion_word', and unpack that as "
          "'1-billion-word'");
    options.text.files.push_back(path);
  }
  return openTextFile(options.text);
}

} // namespace fuel
