// WriteExamples: see WriteExamples.h.
#include "fuel/Converters/Generic/WriteExamples.h"

#include "blocks/Error.h"
#include "fuel/Converters/ConvertOptions.h"
#include "fuel/Converters/Generic/SpooledExamples.h"
#include "fuel/Converters/Paths.h"
#include "fuel/Mt19937.h"
#include "fuel/Writer.h"
#include "runtime/Base/AtomicFile.h"

#include <algorithm>
#include <filesystem>
#include <numeric>

namespace fuel {

using blocks::InputError;
using blocks::UsageError;
namespace fs = std::filesystem;

//===-- Options -----------------------------------------------------------===//

std::vector<ConverterOption> outputOptions() {
  ConverterOption split, seed, compression;
  split.name = "split";
  split.help = "divide the files that belong to no split: "
               "train=0.9,valid=0.1 by fractions, train=50000,valid=rest by "
               "rows; otherwise they are 'train'";
  seed.name = "shuffle-seed";
  seed.help = "shuffle the rows of each split, and before they are divided, "
              "with this seed; otherwise they stay in their order";
  compression.name = "compression";
  compression.help = "gzip or gzip:LEVEL (1 to 9), for sources of fixed size";
  compression.defaultValue = "none";
  return {split, seed, compression};
}

static std::optional<int> deflateLevel(const std::string &text) {
  if (text.empty() || text == "none")
    return std::nullopt;
  if (text == "gzip")
    return 4;
  if (text.size() == 6 && text.starts_with("gzip:") && text[5] >= '1' &&
      text[5] <= '9')
    return text[5] - '0';
  throw UsageError("--compression is '" + text +
                   "'; expected none, gzip, or gzip:1 to gzip:9");
}

OutputPlan OutputPlan::of(const ConvertOptions &options,
                          const std::string &name) {
  OutputPlan plan;
  plan.path = outputPath(options, name);
  plan.divisionGiven = options.has("split");
  if (plan.divisionGiven)
    plan.division = SplitPlan::parse(options.text("split"));
  if (options.has("shuffle-seed"))
    plan.shuffleSeed = checkedShuffleSeed(options.integer("shuffle-seed"));
  plan.deflate = deflateLevel(options.text("compression"));
  return plan;
}

std::string sideFilePath(const std::string &path, const std::string &ending) {
  return fs::path(path).replace_extension(ending).string();
}

//===-- Writing -----------------------------------------------------------===//

namespace {
class Run {
public:
  Run(const ConvertOptions &options, const OutputPlan &plan,
      std::vector<SplitReader> &readers, const Companions &companions)
      : options(options), plan(plan), readers(readers), companions(companions) {
  }
  void run();

private:
  void checkSplits() const;
  void collectSources();
  bool shuffleReaders();
  void declare(const std::vector<std::optional<int64_t>> &rows);
  void declareSplits();
  void checkSideFiles() const;
  void writeAsTheyCome();
  void writeShuffled();
  void spool(SplitReader &part, SpooledExamples &examples);
  std::vector<int64_t> shuffled(int64_t rows) const;
  void append(const ExampleReader &reader, const Batch &batch);
  void setSplits(const SplitReader &part, int64_t rows,
                 const std::vector<int64_t> &starts);
  std::vector<int64_t> startsOf(const ExampleReader &reader) const;
  void commit();

  const ConvertOptions &options;
  const OutputPlan &plan;
  std::vector<SplitReader> &readers;
  const Companions &companions;
  std::vector<SourceInfo> sources;
  std::optional<Writer> writer;
};

std::string splitName(const SplitReader &part) {
  return part.split.empty() ? "the split to be divided"
                            : "split '" + part.split + "'";
}

void Run::checkSplits() const {
  bool divides = false;
  std::vector<std::string> names = plan.division.names();
  for (const SplitReader &part : readers) {
    divides |= part.split.empty();
    if (part.reader->rows() == 0)
      throw InputError(splitName(part) + " has no examples");
    if (part.split.empty() && part.reader->rows())
      plan.division.divide(*part.reader->rows());
  }
  if (!divides && plan.divisionGiven)
    throw UsageError("--split has nothing to divide: every file belongs to a "
                     "split already");
  for (const SplitReader &part : readers)
    if (divides &&
        std::find(names.begin(), names.end(), part.split) != names.end())
      throw UsageError("the split '" + part.split +
                       "' has files of its own, and is one of those that the "
                       "other files are divided into; choose other names in "
                       "--split");
}

void Run::collectSources() {
  for (const SplitReader &part : readers)
    for (const SourceInfo &info : part.reader->sources()) {
      auto known = std::find_if(sources.begin(), sources.end(),
                                [&](auto &s) { return s.name == info.name; });
      if (known == sources.end()) {
        sources.push_back(info);
      } else if (known->dtype != info.dtype || known->shape != info.shape ||
                 known->ragged != info.ragged || known->text != info.text) {
        auto describe = [](const SourceInfo &source) {
          return std::string(blocks::dtypeName(source.dtype)) + " of " +
                 blocks::formatShape(source.shape);
        };
        throw InputError("source '" + info.name + "' is " + describe(info) +
                         " in " + splitName(part) + ", and " +
                         describe(*known) +
                         " before; expected one element type and one shape of "
                         "rows in all splits");
      }
    }
}

/// As Fuel's converters shuffle.
std::vector<int64_t> Run::shuffled(int64_t rows) const {
  std::vector<int64_t> order(static_cast<size_t>(rows));
  std::iota(order.begin(), order.end(), 0);
  Mt19937(*plan.shuffleSeed).shuffle(order);
  return order;
}

/// Whether the readers deliver the order that is wanted.
bool Run::shuffleReaders() {
  if (!plan.shuffleSeed)
    return true;
  bool all = true;
  for (SplitReader &part : readers) {
    std::optional<int64_t> rows = part.reader->rows();
    all = all && rows && part.reader->readInOrder(shuffled(*rows));
  }
  return all;
}

/// `rows`: of each part.
void Run::declare(const std::vector<std::optional<int64_t>> &rows) {
  writer.emplace(plan.path);
  for (const SourceInfo &info : sources) {
    Writer::SourceOptions stored;
    stored.rows = 0;
    stored.shapes = !companions.withoutShapes.count(info.name);
    stored.deflate = plan.deflate;
    for (size_t i = 0; i < readers.size(); ++i)
      for (const SourceInfo &own : readers[i].reader->sources())
        if (own.name == info.name && stored.rows) {
          if (rows[i])
            *stored.rows += *rows[i];
          else
            stored.rows.reset();
        }
    writer->addSource(info, stored);
  }
  declareSplits();
  for (const auto &[name, texts] : companions.texts)
    writer->setTexts(name, texts);
}

/// The size of their table must be known before the first rows, their rows and
/// remarks are known after the last ones.
void Run::declareSplits() {
  constexpr size_t longestRemark = 128;
  for (const SplitReader &part : readers) {
    std::string remark = part.reader->remark();
    if (!part.reader->rows())
      remark.resize(std::max(remark.size(), longestRemark), ' ');
    std::vector<std::string> names = {part.split};
    if (part.split.empty())
      names = plan.division.names();
    for (const std::string &name : names)
      for (const SourceInfo &info : part.reader->sources())
        writer->setSplit(name, info.name, 0, 0, remark);
  }
}

void Run::append(const ExampleReader &reader, const Batch &batch) {
  for (size_t i = 0; i < batch.sources.size(); ++i) {
    const SourceInfo &info = reader.sources()[i];
    if (info.ragged)
      writer->append(info.name, batch.sources[i].view(), batch.items[i]);
    else
      writer->append(info.name, batch.sources[i].view());
  }
}

std::vector<int64_t> Run::startsOf(const ExampleReader &reader) const {
  std::vector<int64_t> starts;
  for (const SourceInfo &info : reader.sources())
    starts.push_back(writer->rows(info.name));
  return starts;
}

void Run::setSplits(const SplitReader &part, int64_t rows,
                    const std::vector<int64_t> &starts) {
  if (rows == 0)
    throw InputError(splitName(part) + " has no examples");
  std::vector<SplitRange> ranges = {{part.split, 0, rows}};
  if (part.split.empty())
    ranges = plan.division.divide(rows);
  const auto &infos = part.reader->sources();
  for (const SplitRange &range : ranges)
    for (size_t i = 0; i < infos.size(); ++i)
      writer->setSplit(range.name, infos[i].name, starts[i] + range.start,
                       starts[i] + range.stop, part.reader->remark());
}

void Run::writeAsTheyCome() {
  std::vector<std::optional<int64_t>> known;
  for (const SplitReader &part : readers)
    known.push_back(part.reader->rows());
  declare(known);
  Batch batch;
  for (SplitReader &part : readers) {
    ProgressTask task(options.progress, splitName(part),
                      part.reader->rows().value_or(-1));
    std::vector<int64_t> starts = startsOf(*part.reader);
    int64_t rows = 0;
    for (; part.reader->next(batch); rows += batch.examples) {
      append(*part.reader, batch);
      task.advance(batch.examples);
    }
    setSplits(part, rows, starts);
  }
}

void Run::spool(SplitReader &part, SpooledExamples &examples) {
  ProgressTask task(options.progress, splitName(part),
                    part.reader->rows().value_or(-1));
  Batch batch;
  while (part.reader->next(batch)) {
    examples.append(batch);
    task.advance(batch.examples);
  }
}

void Run::writeShuffled() {
  std::string folder = fs::path(plan.path).parent_path().string();
  std::vector<SpooledExamples> kept;
  std::vector<std::optional<int64_t>> rows;
  for (SplitReader &part : readers) {
    kept.emplace_back(part.reader->sources(), folder.empty() ? "." : folder);
    spool(part, kept.back());
    rows.push_back(kept.back().rows());
  }
  declare(rows);
  Batch batch;
  for (size_t i = 0; i < readers.size(); ++i) {
    const ExampleReader &reader = *readers[i].reader;
    std::vector<int64_t> starts = startsOf(reader);
    std::vector<int64_t> order = shuffled(*rows[i]);
    ProgressTask task(options.progress, "putting in order", *rows[i]);
    std::span<const int64_t> left = order;
    while (!left.empty()) {
      size_t piece = std::min(left.size(), size_t(kept[i].piece()));
      kept[i].read(left.first(piece), batch);
      append(reader, batch);
      task.advance(int64_t(piece));
      left = left.subspan(piece);
    }
    setSplits(readers[i], *rows[i], starts);
  }
}

/// A conversion that is done again replaces what it wrote, and nothing else.
void Run::checkSideFiles() const {
  if (fileExists(plan.path))
    return;
  for (const auto &[ending, contents] : companions.sideFiles)
    if (std::string path = sideFilePath(plan.path, ending); fileExists(path))
      throw InputError("'" + path +
                       "' exists, and would be overwritten by the file that "
                       "goes with '" +
                       plan.path +
                       "'; move it away, or choose another name for the "
                       "result");
}

/// Side files get their names after the data has its own, but their bytes are
/// on the disk before.
void Run::commit() {
  std::vector<std::unique_ptr<blocks::AtomicFile>> sides;
  for (const auto &[ending, contents] : companions.sideFiles) {
    sides.push_back(
        std::make_unique<blocks::AtomicFile>(sideFilePath(plan.path, ending)));
    sides.back()->write(contents);
    sides.back()->descriptor().sync();
  }
  writer->commit(options.command);
  for (auto &side : sides)
    side->commit();
}

void Run::run() {
  checkSplits();
  collectSources();
  checkSideFiles();
  for (const auto &[name, texts] : companions.texts)
    for (const SourceInfo &info : sources)
      if (info.name == name)
        throw UsageError("a source cannot be called '" + name +
                         "', which is the name of a list beside the sources; "
                         "choose another one");
  shuffleReaders() ? writeAsTheyCome() : writeShuffled();
  commit();
}
} // namespace

std::string writeExamples(const ConvertOptions &options, const OutputPlan &plan,
                          std::vector<SplitReader> readers,
                          const Companions &companions) {
  Run(options, plan, readers, companions).run();
  return plan.path;
}

} // namespace fuel
