// Data sets that are described in place of a file: text files, arrays in NPY
// files, toy sets. See include/fuel/Registry.h.
#include "fuel/Streams/DataKinds.h"

#include "blocks/Error.h"
#include "fuel/Datasets.h"
#include "fuel/Streams/Written.h"
#include "runtime/Base/MappedFile.h"
#include "runtime/Base/NpyFormat.h"

#include <algorithm>

namespace fuel {

namespace {

std::optional<std::string> tokenOf(TransformerOptions &options,
                                   const std::string &key,
                                   const std::string &otherwise) {
  std::string token = options.take(key, otherwise);
  return token == "none" ? std::nullopt : std::optional(token);
}

/// Examples, line by line. Without a vocabulary the files' own.
OpenedData openText(TransformerOptions &options) {
  TextFileOptions text;
  text.files = options.takeList("files");
  std::string level = options.take("level", "word");
  if (level != "word" && level != "character")
    options.refuse("has level=" + level + "; expected word or character");
  text.level = level == "word" ? TextLevel::Word : TextLevel::Character;
  if (options.takeBool("lower", false))
    text.preprocess = lowerCase;
  text.bosToken = tokenOf(options, "bos", "<S>");
  text.eosToken = tokenOf(options, "eos", "</S>");
  text.unkToken = tokenOf(options, "unk", "<UNK>");
  if (options.has("vocabulary")) {
    text.dictionary = readVocabulary(options.take("vocabulary"));
  } else {
    VocabularyOptions vocabulary;
    vocabulary.files = text.files;
    vocabulary.level = text.level;
    vocabulary.preprocess = text.preprocess;
    vocabulary.special.clear();
    for (const auto &token : {text.bosToken, text.eosToken, text.unkToken})
      if (token)
        vocabulary.special.push_back(*token);
    if (options.has("size"))
      vocabulary.size = options.takeInteger("size");
    text.dictionary = buildVocabulary(vocabulary);
  }
  return openTextFile(text);
}

/// Every option is a source with its file.
OpenedData openArrays(TransformerOptions &options) {
  std::vector<HeldSource> sources;
  for (const std::string &name : options.names()) {
    std::string path = options.take(name);
    blocks::MappedFile file(path);
    std::span<const std::byte> bytes(file.data(), file.size());
    blocks::NpyHeader header = blocks::parseNpyHeader(bytes, path);
    sources.push_back({name, blocks::copyNpyData(bytes, header), {}, {}});
  }
  if (sources.empty())
    options.refuse("names no array; expected for example "
                   "npy(features=x.npy,targets=y.npy)");
  return std::shared_ptr<const Dataset>(
      makeIndexableDataset(std::move(sources)));
}

OpenedData openSpiral(TransformerOptions &options) {
  SpiralOptions spiral;
  spiral.examples = options.takeInteger("examples", spiral.examples);
  spiral.classes = options.takeInteger("classes", spiral.classes);
  spiral.cycles = options.takeNumber("cycles", spiral.cycles);
  spiral.noise = options.takeNumber("noise", spiral.noise);
  spiral.seed = uint64_t(options.takeInteger("seed", 1));
  return std::shared_ptr<const Dataset>(makeSpiral(spiral));
}

OpenedData openSwissRoll(TransformerOptions &options) {
  SwissRollOptions roll;
  roll.examples = options.takeInteger("examples", roll.examples);
  roll.noise = options.takeNumber("noise", roll.noise);
  roll.seed = uint64_t(options.takeInteger("seed", 1));
  return std::shared_ptr<const Dataset>(makeSwissRoll(roll));
}
} // namespace

void addDataKinds(Registry &registry) {
  TransformerKind::Option examples{"examples", "1000", "how many"},
      noise{"noise", "0", "deviation of the noise"},
      seed{"seed", "1", "seed of its random numbers"};
  registry.addData({"text",
                    "lines of text files as numbers of words or characters: "
                    "examples, to be batched",
                    {{"files", "", "plain or gzip: a.txt+b.txt"},
                     {"vocabulary", "of the files", "one word a line"},
                     {"size", "all", "words of the files' own vocabulary"},
                     {"level", "word", "word or character"},
                     {"lower", "false", "true: ASCII letters in lower case"},
                     {"bos", "<S>", "begins a line; none: nothing"},
                     {"eos", "</S>", "ends a line; none: nothing"},
                     {"unk", "<UNK>", "for unknown words; none: an error"}},
                    openText});
  registry.addData({"npy",
                    "arrays of NPY files: each option is a source and its "
                    "file, features=x.npy",
                    {},
                    openArrays});
  registry.addData({"spiral",
                    "Fuel's toy set of spiral arms: features, position, label",
                    {examples,
                     {"classes", "1", "arms"},
                     {"cycles", "1", "turns"},
                     noise,
                     seed},
                    openSpiral});
  registry.addData({"swiss_roll",
                    "Fuel's toy set of a rolled sheet: features, position",
                    {examples, noise, seed},
                    openSwissRoll});
}

bool isDataCall(const std::string &file) {
  size_t open = file.find('(');
  auto isNameCharacter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  };
  return open != 0 && open != std::string::npos && file.back() == ')' &&
         std::all_of(file.begin(), file.begin() + long(open), isNameCharacter);
}

OpenedData openDataCall(const std::string &text, const Registry &registry) {
  blocks::NamedCall call = blocks::parseNamedCalls(text).front();
  auto found = registry.dataKinds().find(call.name);
  if (found == registry.dataKinds().end()) {
    std::vector<std::string> names;
    for (const auto &[name, kind] : registry.dataKinds())
      names.push_back(name + "(…)");
    throw blocks::UsageError("there is no data set '" + call.name +
                             "(…)'; expected a file, or " +
                             blocks::listOf(names));
  }
  const DataKind &kind = found->second;
  TransformerOptions options(call.name, valuesOf(call), "data set");
  OpenedData data = kind.open(options);
  options.expectAllTaken(optionNames(kind.options));
  return data;
}

} // namespace fuel
