// Config: precedence of environment and file, both forms of the file, errors.
#include "fuel/BuiltInDatasets.h"
#include "test/Check.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace fuel;
using Strings = std::vector<std::string>;

static std::string scratch;

static void write(const std::string &name, const std::string &text) {
  std::ofstream(scratch + "/" + name) << text;
  ::setenv("FUEL_CONFIG", (scratch + "/" + name).c_str(), 1);
}

static void clear() {
  for (const char *name : {"FUEL_CONFIG", "FUEL_DATA_PATH", "FUEL_FLOATX",
                           "FUEL_LOCAL_DATA_PATH", "FUEL_EXTRA_CONVERTERS",
                           "FUEL_EXTRA_DOWNLOADERS", "FUEL_EXTRA_DOWNLOADS"})
    ::unsetenv(name);
}

static void forms() {
  write("rc", "# comment\ndata_path: /data:~/more  # two\ndefault_seed: 7\n"
              "floatX: 'float32'\nextra_converters: [a.b, c]\n"
              "extra_downloaders:\n  - d\n  - e\n");
  Config config = loadConfig();
  CHECK(config.dataPath == (Strings{"/data", scratch + "/more"}));
  CHECK_EQ(config.defaultSeed, 7);
  CHECK_EQ(config.floatX, "float32");
  CHECK(config.extraConverters == (Strings{"a.b", "c"}));
  CHECK(config.extraDownloaders == (Strings{"d", "e"}));
  write("rc.toml", "data_path = [\"/x\", \"/y\"]\ndefault_seed = 3\n");
  CHECK(loadConfig().dataPath == (Strings{"/x", "/y"}));
  CHECK_EQ(loadConfig().defaultSeed, 3);
}

/// What YAML writes otherwise is read as it is meant, or refused.
static void yaml() {
  write("rc", "\xef\xbb\xbf---\r\n'data_path': \"/a b:/c#d\" # two\r\n"
              "local_data_path: ~\nfloatX: null\nextra_downloads: [\"/x,y\", "
              "'/it''s']\nextra_converters:\n- a#b\n");
  Config config = loadConfig();
  CHECK(config.dataPath == (Strings{"/a b", "/c#d"}));
  CHECK_EQ(config.localDataPath, "");
  CHECK_EQ(config.floatX, "");
  CHECK(config.extraDownloads == (Strings{"/x,y", "/it's"}));
  CHECK(config.extraConverters == (Strings{"a#b"}));
  for (const char *text :
       {"data_path:/x\n", "data_path:\n  inner: /x\n", " data_path: /x\n",
        "data_path: {a: b}\n", "data_path: [a,\n  b]\n", "data_path: |\n  x\n",
        "data_path: &anchor x\n", "data_path: a: b\n", "data_path: 'x\n",
        "data_path: \"x\" y\n", "data_path: \"a\\tb\"\n", "- x\n",
        "data_path: /x\n- /y\n", "data_path: /x\ndata_path: /y\n", ": x\n"}) {
    write("rc", text);
    CHECK_THROWS(loadConfig(), "rc', line ");
  }
}

static void origins() {
  write("rc", "data_path: /a:/b\ndefault_seed: 7\n");
  ::setenv("FUEL_LOCAL_DATA_PATH", "", 1);
  ::setenv("FUEL_FLOATX", "float32", 1);
  std::string text;
  for (const ConfigValue &line : describeConfig(loadConfig()))
    text += line.key + " = " + line.value + " (" + line.origin + ")\n";
  CHECK_CONTAINS(text, "data_path = /a:/b ('" + scratch + "/rc', line 1)");
  CHECK_CONTAINS(text,
                 "local_data_path =  (the variable FUEL_LOCAL_DATA_PATH)");
  CHECK_CONTAINS(text, "floatX = float32 (the variable FUEL_FLOATX)");
  CHECK_CONTAINS(text, "extra_downloads =  (default)");
  clear();
}

static void precedence() {
  write("rc", "data_path: /file\nfloatX: float64\n");
  ::setenv("FUEL_DATA_PATH", "/environment:/other", 1);
  CHECK(loadConfig().dataPath == (Strings{"/environment", "/other"}));
  CHECK_EQ(loadConfig().floatX, "float64");
  clear();
  CHECK(loadConfig().dataPath.empty());
  CHECK_EQ(loadConfig().defaultSeed, 1);
  std::ofstream(scratch + "/.fuelrc") << "data_path: /home\n";
  CHECK(loadConfig().dataPath == (Strings{"/home"}));
  std::filesystem::remove(scratch + "/.fuelrc");
}

static void errors() {
  write("rc", "data_path: /x\nseed: 3\n");
  CHECK_THROWS(loadConfig(),
               "line 2: unknown key 'seed'; expected one of: data_path");
  write("rc", "what\n");
  CHECK_THROWS(loadConfig(), "line 1: 'what' is not understood");
  write("rc", "default_seed: many\n");
  CHECK_THROWS(loadConfig(), "expected a whole number");
  write("rc", "floatX: float16\n");
  CHECK_THROWS(loadConfig(), "expected float32 or float64");
  write("rc.toml", "data_path = [\n");
  CHECK_THROWS(loadConfig(), "rc.toml', line");
  ::setenv("FUEL_CONFIG", "/nowhere/rc", 1);
  CHECK_THROWS(loadConfig(), "/nowhere/rc");
  clear();
}

static void finding() {
  std::filesystem::create_directories(scratch + "/a");
  std::filesystem::create_directories(scratch + "/b");
  std::ofstream(scratch + "/b/set.hdf5") << "x";
  CHECK_EQ(findInDataPath(loadConfig(), "set.hdf5"), "");
  CHECK_CONTAINS(describeDataPath(loadConfig()), "no data path is set");
  ::setenv("FUEL_DATA_PATH", (scratch + "/a:" + scratch + "/b").c_str(), 1);
  CHECK_EQ(findInDataPath(loadConfig(), "set.hdf5"), scratch + "/b/set.hdf5");
  std::ofstream(scratch + "/a/set.hdf5") << "x";
  CHECK_EQ(findInDataPath(loadConfig(), "set.hdf5"), scratch + "/a/set.hdf5");
  CHECK_EQ(findInDataPath(loadConfig(), "absent.hdf5"), "");
  CHECK_CONTAINS(describeDataPath(loadConfig()),
                 scratch + "/b' (the data path, from the variable FUEL_DATA_P");
}

static void billionWords() {
  std::string folder =
      scratch + "/b/1-billion-word/heldout-monolingual.tokenized.shuffled";
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/news.en.heldout-00007-of-00050") << "a b a\n";
  ::setenv("FUEL_DATA_PATH", (scratch + "/a:" + scratch + "/b").c_str(), 1);
  OneBillionWordOptions options;
  options.heldOut = true;
  options.partitions = {7};
  options.text.dictionary = {{"<S>", 0}, {"</S>", 1}, {"<UNK>", 2}, {"a", 3}};
  auto stream = openOneBillionWord(loadConfig(), options);
  Batch batch;
  stream->startEpoch();
  CHECK(stream->next(batch));
  CHECK_EQ(batch.sources[0].size(), 5);
  CHECK_EQ(batch.sources[0].as<int64_t>()[2], 2);
  CHECK(!stream->next(batch));
  options.partitions = {8};
  CHECK_THROWS(openOneBillionWord(loadConfig(), options), "heldout-00008");
  options.partitions = {50};
  CHECK_THROWS(openOneBillionWord(loadConfig(), options), "expected 0 to 49");
  options.heldOut = false;
  options.partitions = {0};
  CHECK_THROWS(openOneBillionWord(loadConfig(), options), "expected 1 to 99");
}

int main(int, char **argv) {
  scratch = argv[1];
  std::filesystem::remove_all(scratch + "/a");
  ::setenv("HOME", scratch.c_str(), 1);
  clear();
  forms();
  yaml();
  origins();
  precedence();
  errors();
  finding();
  billionWords();
  return checkSummary();
}
