// Subjects: see Subjects.h.
#include "test/fuel/hostile/Subjects.h"

#include "blocks/Error.h"
#include "fuel/Config.h"
#include "fuel/OpenStream.h"
#include "fuel/Server/Channel.h"
#include "runtime/Base/Sha256.h"
#include "runtime/Checkpoint/StateArchive.h"
#include "test/fuel/Reference.h"

#include <cstdlib>
#include <filesystem>
#include <sys/stat.h>

namespace hostile {

using namespace fuel;
using reference::Json;
namespace fs = std::filesystem;

namespace {
void write(const std::string &path, const std::string &text) {
  std::ofstream(path, std::ios::binary) << text;
  ::chmod(path.c_str(), 0600);
}

/// Some batches, over the end of an epoch. Threads do not survive a fork, so
/// they are left out unless the text asks for them.
void walk(DataStream &stream, bool fromStart = true) {
  Batch batch;
  if (fromStart)
    stream.startEpoch();
  for (int i = 0; i < 12; ++i)
    if (!stream.next(batch))
      stream.startEpoch();
}

/// One of several texts, altered.
std::function<std::string(Mt19937 &)> oneOf(std::vector<std::string> texts) {
  return [texts = std::move(texts)](Mt19937 &random) {
    return mutate(texts[random.interval(texts.size() - 1)], random);
  };
}

//===-- Files of configuration --------------------------------------------===//

std::string pipelineText(const Json &json, const std::string &data) {
  std::string text =
      "file = \"" + data + "/" + json.value("file", "mnist_small.hdf5") +
      "\"\nsplit = \"" + json.value("split", "test") +
      "\"\nbatch_size = 8\nseed = 3\nworkers = 0\nprefetch_depth = 3\n"
      "load_in_memory = false\nscheme = \"" +
      json.value("scheme", "shuffled") + "\"\n";
  for (const std::string &written :
       json.value("transforms", std::vector<std::string>())) {
    size_t open = written.find('(');
    text += "[[transform]]\nname = \"" + written.substr(0, open) + "\"\n";
    for (size_t at = open; at != std::string::npos;) {
      size_t equals = written.find('=', at);
      if (equals == std::string::npos)
        break;
      size_t end = written.find_first_of(",)", equals);
      text += written.substr(at + 1, equals - at - 1) + " = \"" +
              written.substr(equals + 1, end - equals - 1) + "\"\n";
      at = end;
    }
  }
  return text;
}

Subject pipelines(const std::string &scratch, const Json &all,
                  const std::string &data) {
  std::vector<std::string> texts;
  for (const Json &json : all)
    texts.push_back(pipelineText(json, data));
  std::string path = scratch + "/altered.toml";
  return {"pipeline in TOML", oneOf(texts),
          [path, data](const std::string &text, std::string &place) {
            write(path, text);
            StreamOptions options;
            place = path;
            readStreamConfig(path, options);
            std::unique_ptr<DataStream> stream;
            try {
              stream = openStream(options);
            } catch (const blocks::Error &error) {
              // Of the data, not of the configuration.
              if (std::string(error.what()).find(options.file) !=
                  std::string::npos)
                place = options.file;
              throw;
            }
            place = ""; // Of items: those name the transformer or the source.
            walk(*stream);
          }};
}

Subject settings(const std::string &path, std::vector<std::string> texts) {
  return {fs::path(path).filename(), oneOf(std::move(texts)),
          [path](const std::string &text, std::string &place) {
            write(path, text);
            ::setenv("FUEL_CONFIG", path.c_str(), 1);
            place = path;
            loadConfig();
          }};
}

Subject keys(const std::string &path) {
  return {"key", oneOf({std::string(64, 'a') + "\n", "short"}),
          [path](const std::string &text, std::string &place) {
            write(path, text);
            place = path;
            Key::fromFile(path);
          }};
}

//===-- Texts of options --------------------------------------------------===//

Subject options(const char *name, std::vector<std::string> texts,
                const Json &all, const std::string &data,
                void (*set)(StreamOptions &, const std::string &)) {
  std::vector<std::string> files;
  for (const Json &json : all)
    files.push_back(json.value("file", "mnist_small.hdf5"));
  return {name, oneOf(std::move(texts)),
          [=](const std::string &text, std::string &place) {
            StreamOptions options;
            options.file = data + "/" + files[text.size() % files.size()];
            options.split =
                files[text.size() % files.size()] == "mnist_small.hdf5"
                    ? "test"
                    : "train";
            options.workers = 0;
            set(options, text);
            place = "";
            walk(*openStream(options));
          }};
}

std::vector<std::string> writtenIn(const Json &all, const char *key) {
  std::vector<std::string> texts;
  for (const Json &json : all)
    if (json.contains(key) && json[key].is_array())
      for (const Json &text : json[key])
        texts.push_back(text);
    else if (json.contains(key))
      texts.push_back(json[key]);
  return texts;
}

//===-- States ------------------------------------------------------------===//

StreamOptions pipelineOptions(const Json &json, const std::string &data) {
  StreamOptions options;
  options.file = data + "/" + json.value("file", "mnist_small.hdf5");
  options.split = json.value("split", "test");
  options.batchSize = json.value("batch_size", 8);
  options.scheme = json.value("scheme", "shuffled");
  options.shard = json.value("shard", 0);
  options.shards = json.value("shards", 1);
  options.shardEnds = json.value("shard_ends", "keep");
  options.sources = json.value("sources", std::vector<std::string>());
  options.transforms = json.value("transforms", std::vector<std::string>());
  for (const std::string &file :
       json.value("more_files", std::vector<std::string>()))
    options.moreFiles.push_back(data + "/" + file);
  options.workers = 0;
  return options;
}

std::string stateOf(DataStream &stream, uint64_t steps) {
  Batch batch;
  stream.startEpoch();
  while (steps-- > 0)
    if (!stream.next(batch))
      stream.startEpoch();
  return stream.state();
}

Subject states(const char *name, const Json &all, const std::string &data,
               std::string (*alter)(std::string, Mt19937 &)) {
  // Which pipeline it is of goes in front.
  return {name,
          [=](Mt19937 &random) {
            uint64_t number = random.interval(all.size() - 1);
            auto stream = openStream(pipelineOptions(all[number], data));
            std::string state = stateOf(*stream, random.interval(9));
            return std::to_string(number) + " " + alter(state, random);
          },
          [=](const std::string &text, std::string &place) {
            size_t blank = text.find(' ');
            auto number = size_t(std::stoul(text.substr(0, blank)));
            auto stream = openStream(pipelineOptions(all[number], data));
            place = "";
            stream->restore(text.substr(blank + 1));
            walk(*stream, false);
            stream->restore(stream->state());
          }};
}

std::string forge(std::string state, Mt19937 &random) {
  return forgeState(state, random);
}

/// The records that a checkpoint holds beside the parameters, with the right
/// checksum or not.
Subject checkpoints(const Json &all, const std::string &data) {
  auto open = [=] { return openStream(pipelineOptions(all[26], data)); };
  return {"state in a checkpoint",
          [=](Mt19937 &random) {
            blocks::StateRecords records;
            records["loop"].setInt("epochs", 3);
            records["stream"].setText("position", stateOf(*open(), 4));
            std::string packed = blocks::packRecords(records);
            if (random.interval(1))
              return mutate(packed, random);
            std::string inside = mutate(packed.substr(48), random);
            blocks::Sha256Digest digest =
                blocks::Sha256::of(inside.data(), inside.size());
            std::string envelope = packed.substr(0, 8);
            for (int i = 0; i < 8; ++i)
              envelope += char(inside.size() >> (8 * i) & 255);
            envelope.append(reinterpret_cast<const char *>(digest.data()),
                            digest.size());
            return envelope + inside;
          },
          [=](const std::string &text, std::string &place) {
            place = "altered.zip";
            blocks::StateRecords records = blocks::unpackRecords(
                std::as_bytes(std::span(text.data(), text.size())), place);
            place = "";
            auto stream = open();
            stream->restore(records["stream"].getText("position"));
            walk(*stream, false);
          }};
}
} // namespace

std::vector<Subject> subjects(const std::string &scratch,
                              const std::string &data) {
  Json all = reference::load(data + "/pipelines.json");
  return {
      pipelines(scratch, all, data),
      settings(scratch + "/altered-fuelrc",
               {"# data\ndata_path: /data:~/more  # two\ndefault_seed: 7\n"
                "floatX: 'float32'\nextra_converters: [a.b, c]\n"
                "extra_downloaders:\n  - d\n  - e\n"}),
      settings(scratch + "/altered-fuelrc.toml",
               {"data_path = [\"/x\", \"/y\"]\ndefault_seed = 3\n"
                "floatX = \"float64\"\nlocal_data_path = \"~\"\n"}),
      keys(scratch + "/altered.key"),
      options("transformer", writtenIn(all, "transforms"), all, data,
              [](StreamOptions &options, const std::string &text) {
                options.transforms = {text};
              }),
      options("scheme", writtenIn(all, "scheme"), all, data,
              [](StreamOptions &options, const std::string &text) {
                options.scheme = text;
              }),
      states("state", all, data, mutate),
      states("forged state", all, data, forge),
      checkpoints(all, data),
  };
}

} // namespace hostile
