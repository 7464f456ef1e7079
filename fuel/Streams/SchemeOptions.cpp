// SchemeOptions: see SchemeOptions.h.
#include "fuel/Streams/SchemeOptions.h"

#include "blocks/Error.h"
#include "fuel/Config.h"
#include "fuel/CountedSchemes.h"
#include "fuel/Schemes/BatchSize.h"
#include "fuel/Transformers/Elements.h"
#include "runtime/Base/NamedCalls.h"

#include <algorithm>
#include <charconv>
#include <sstream>

namespace fuel {

using blocks::UsageError;

namespace {

struct SchemeKind {
  const char *name, *help;
  std::vector<std::string> options;
};

const SchemeKind kinds[] = {
    {"sequential", "rows in order", {}},
    {"shuffled", "rows in Fuel's random order", {"sorted"}},
    {"sequential_examples", "single examples in order", {}},
    {"shuffled_examples", "single examples in Fuel's random order", {}},
    {"index_shuffled",
     "rows in a random order that is computed, not stored; any place is "
     "reached at once",
     {}},
    {"block_shuffled",
     "blocks of block_size consecutive rows in random order; rows=shuffled "
     "also within a block",
     {"block_size", "rows"}},
    {"bucketed",
     "batches of similar lengths of `source`, with bounds=10+20+40",
     {"source", "bounds"}},
    {"weighted",
     "rows drawn with replacement, in proportion to the values of `source`; "
     "draws=N in an epoch",
     {"source", "draws"}},
    {"mixed",
     "rows of several files by weights=3+1, one for each; draws=N in an epoch",
     {"weights", "draws"}},
};

const SchemeKind *findKind(const std::string &name) {
  for (const SchemeKind &kind : kinds)
    if (name == kind.name)
      return &kind;
  return nullptr;
}

blocks::NamedCall parse(const StreamOptions &options) {
  std::vector<blocks::NamedCall> calls =
      blocks::parseNamedCalls(options.scheme);
  if (calls.size() != 1 || !findKind(calls[0].name)) {
    std::vector<std::string> names;
    for (const SchemeKind &kind : kinds)
      names.push_back("'" + std::string(kind.name) + "'");
    throw UsageError("unknown scheme '" + options.scheme + "'; expected " +
                     blocks::listOf(names));
  }
  const SchemeKind &kind = *findKind(calls[0].name);
  calls[0].expectOnly(kind.options);
  return calls[0];
}

/// The numbers of "10+20+40".
template <typename Number>
std::vector<Number> numbersOf(const blocks::NamedCall &call,
                              const std::string &key) {
  const blocks::CallArgument *argument = call.find(key);
  if (!argument)
    throw UsageError("the scheme '" + call.name + "' lacks the option '" + key +
                     "'");
  std::vector<Number> numbers;
  std::istringstream list(argument->text);
  for (std::string word; std::getline(list, word, '+');) {
    Number value = 0;
    const char *end = word.data() + word.size();
    auto [stopped, error] = std::from_chars(word.data(), end, value);
    if (error != std::errc() || stopped != end)
      throw UsageError("the scheme '" + call.name + "' has " + key + "=" +
                       argument->text + "; expected numbers such as 10+20");
    numbers.push_back(value);
  }
  return numbers;
}

int64_t integerOf(const blocks::NamedCall &call, const std::string &key) {
  std::vector<int64_t> numbers = numbersOf<int64_t>(call, key);
  if (numbers.size() != 1)
    throw UsageError("the scheme '" + call.name + "' takes one number for " +
                     key);
  return numbers[0];
}

std::optional<int64_t> drawsOf(const blocks::NamedCall &call) {
  if (!call.find("draws"))
    return std::nullopt;
  return integerOf(call, "draws");
}

/// Whether `key` says `yes`; `otherwise` is the only other word.
bool choiceOf(const blocks::NamedCall &call, const std::string &key,
              const char *yes, const char *otherwise) {
  const blocks::CallArgument *argument = call.find(key);
  if (!argument || argument->text == otherwise)
    return false;
  if (argument->text != yes)
    throw UsageError("the scheme '" + call.name + "' has " + key + "=" +
                     argument->text + "; expected " + yes + " or " + otherwise);
  return true;
}

/// Calls `use(batch, source)` for all rows in order, some at a time.
template <typename Use>
void readAll(const Dataset &dataset, const blocks::NamedCall &call, Use use) {
  const blocks::CallArgument *argument = call.find("source");
  std::string name = argument ? argument->text : "", known;
  const std::vector<SourceInfo> &infos = dataset.sources();
  size_t source = infos.size();
  for (size_t i = 0; i < infos.size(); ++i) {
    known += (known.empty() ? "'" : ", '") + infos[i].name + "'";
    if (infos[i].name == name)
      source = i;
  }
  if (source == infos.size())
    throw UsageError("the scheme '" + call.name + "' names the source '" +
                     name + "'; the stream has: " + known);
  constexpr int64_t step = 256;
  Batch batch;
  for (int64_t row = 0; row < dataset.numExamples(); row += step) {
    dataset.getSlice(row, std::min(row + step, dataset.numExamples()), batch);
    use(batch, source);
  }
}

uint64_t seedOf(const StreamOptions &options) {
  return options.seed ? *options.seed : uint64_t(loadConfig().defaultSeed);
}

std::unique_ptr<IterationScheme> makeBucketed(const StreamOptions &options,
                                              const blocks::NamedCall &call,
                                              const Dataset &dataset) {
  std::vector<int64_t> lengths;
  readAll(dataset, call, [&](const Batch &batch, size_t source) {
    bool ragged = dataset.sources()[source].ragged;
    for (int64_t i = 0; i < batch.examples; ++i) {
      if (ragged && batch.items[source].rank > 0)
        lengths.push_back(batch.items[source].shape(i)[0]);
      else
        throw UsageError("the scheme 'bucketed' sorts by the length of '" +
                         dataset.sources()[source].name +
                         "', but all its examples have one shape");
    }
  });
  return std::make_unique<BucketedScheme>(lengths,
                                          numbersOf<int64_t>(call, "bounds"),
                                          options.batchSize, seedOf(options));
}

std::unique_ptr<IterationScheme> makeWeighted(const StreamOptions &options,
                                              const blocks::NamedCall &call,
                                              const Dataset &dataset) {
  std::vector<double> weights;
  readAll(dataset, call, [&](const Batch &batch, size_t source) {
    blocks::Array values;
    castElements(batch.sources[source], blocks::DType::Float64, values);
    if (dataset.sources()[source].ragged || values.size() != batch.examples)
      throw UsageError("the scheme 'weighted' takes one number an example, but "
                       "'" +
                       dataset.sources()[source].name + "' has more");
    weights.insert(weights.end(), values.as<double>(),
                   values.as<double>() + values.size());
  });
  return std::make_unique<WeightedScheme>(std::move(weights), options.batchSize,
                                          seedOf(options), drawsOf(call));
}

std::unique_ptr<IterationScheme>
makeUnshared(const StreamOptions &options, const blocks::NamedCall &call,
             const Dataset &dataset, const std::vector<int64_t> &parts) {
  int64_t n = dataset.numExamples(), batch = options.batchSize;
  uint64_t seed = seedOf(options);
  if (call.name == "sequential")
    return std::make_unique<SequentialScheme>(n, batch);
  if (call.name == "shuffled")
    return std::make_unique<ShuffledScheme>(
        n, batch, seed, choiceOf(call, "sorted", "true", "false"));
  if (call.name == "sequential_examples")
    return std::make_unique<SequentialExampleScheme>(n);
  if (call.name == "shuffled_examples")
    return std::make_unique<ShuffledExampleScheme>(n, seed);
  if (call.name == "index_shuffled")
    return std::make_unique<IndexShuffledScheme>(n, batch, seed);
  if (call.name == "block_shuffled")
    return std::make_unique<BlockShuffledScheme>(
        n, batch, integerOf(call, "block_size"), seed,
        choiceOf(call, "rows", "shuffled", "in_order"));
  if (call.name == "bucketed")
    return makeBucketed(options, call, dataset);
  if (call.name == "weighted")
    return makeWeighted(options, call, dataset);
  return std::make_unique<MixedScheme>(
      parts, numbersOf<double>(call, "weights"), batch, seed, drawsOf(call));
}

ShardEnds endsOf(const std::string &word) {
  if (word == "keep")
    return ShardEnds::Keep;
  if (word == "drop")
    return ShardEnds::Drop;
  if (word == "pad")
    return ShardEnds::Pad;
  throw UsageError("unknown ends of shares '" + word +
                   "'; expected keep, drop or pad");
}
} // namespace

void checkScheme(const StreamOptions &options) {
  blocks::NamedCall call = parse(options);
  endsOf(options.shardEnds);
  checkSize("the batch size", options.batchSize);
  bool examples = call.name.ends_with("_examples");
  if (options.shards != 1 && (examples || call.name == "bucketed"))
    throw UsageError("the scheme '" + call.name +
                     "' cannot be divided into shares");
}

std::unique_ptr<IterationScheme> makeScheme(const StreamOptions &options,
                                            const Dataset &dataset,
                                            const std::vector<int64_t> &parts) {
  blocks::NamedCall call = parse(options);
  if (options.shards == 1 && options.shard == 0)
    return makeUnshared(options, call, dataset, parts);
  StreamOptions single = options;
  single.batchSize = 1;
  return std::make_unique<ShardedScheme>(
      makeUnshared(single, call, dataset, parts), options.shard, options.shards,
      options.batchSize, endsOf(options.shardEnds));
}

std::string schemeHelp() {
  std::string text;
  for (const SchemeKind &kind : kinds) {
    text += std::string(kind.name);
    for (size_t i = 0; i < kind.options.size(); ++i)
      text += (i ? "," : "(") + kind.options[i];
    text += std::string(kind.options.empty() ? "" : ")") + "\n    " +
            kind.help + "\n";
  }
  return text;
}

} // namespace fuel
