// Registry: the transformers, and the data sets that are no files, that can be
// written in a command line or a configuration file, with their options
// documented. Programs add their own:
//
//   fuel::Registry registry = fuel::Registry::builtIn();
//   registry.add({"negate", "-x", {},
//                 [](auto inner, fuel::TransformerOptions &options) {
//                   return std::make_unique<Negate>(std::move(inner), options);
//                 }});
//   auto stream = fuel::openStream(options, registry);
#pragma once

#include "fuel/Dataset.h"
#include "fuel/Layer.h"

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace fuel {

/// One transformer as it was written: "cast(dtype=f32,which=a+b)". Values are
/// taken out one by one; what is left over is an error.
class TransformerOptions {
public:
  using Values = std::vector<std::pair<std::string, std::string>>;
  /// `what` it is the options of, for errors.
  TransformerOptions(std::string name, Values values,
                     std::string what = "transformer");

  const std::string &written() const { return text; }
  /// UsageError if it was not given.
  std::string take(const std::string &key);
  std::string take(const std::string &key, const std::string &otherwise);
  bool has(const std::string &key) const;
  /// Those that are left, in alphabetical order.
  std::vector<std::string> names() const;
  int64_t takeInteger(const std::string &key,
                      std::optional<int64_t> otherwise = std::nullopt);
  double takeNumber(const std::string &key,
                    std::optional<double> otherwise = std::nullopt);
  bool takeBool(const std::string &key, bool otherwise);
  /// "f32", "float32" …
  blocks::DType takeDType(const std::string &key, const char *otherwise);
  /// "a+b"; empty if not given.
  std::vector<std::string> takeList(const std::string &key);
  /// "32x32".
  std::vector<int64_t> takeExtents(const std::string &key);
  /// The sources named by `which`; empty means all.
  std::vector<std::string> takeWhich() { return takeList("which"); }

  /// UsageError that begins with the written form.
  [[noreturn]] void refuse(const std::string &why) const;
  void expectAllTaken(const std::string &known) const;

private:
  std::string text, what;
  std::map<std::string, std::string> values;
};

struct TransformerKind {
  struct Option {
    std::string name, otherwise, help; ///< `otherwise` is "" if required.
  };
  using Make = std::function<std::unique_ptr<Layer>(std::unique_ptr<Layer>,
                                                    TransformerOptions &)>;
  std::string name, help;
  std::vector<Option> options;
  Make make;
};

/// Random access, or a stream of its own order.
using OpenedData =
    std::variant<std::shared_ptr<const Dataset>, std::unique_ptr<DataStream>>;

/// A data set that is described in place of a file: "spiral(classes=3)".
struct DataKind {
  std::string name, help;
  std::vector<TransformerKind::Option> options;
  std::function<OpenedData(TransformerOptions &)> open;
};

class Registry {
public:
  /// All that is documented in docs/fuel.md.
  static Registry builtIn();
  /// UsageError if there is one of this name.
  void add(TransformerKind kind);
  /// In alphabetical order.
  const std::map<std::string, TransformerKind> &kinds() const { return known; }
  std::unique_ptr<Layer> make(std::unique_ptr<Layer> inner,
                              TransformerOptions options) const;
  /// One or several in writing, separated by commas, the first one lowest.
  std::unique_ptr<Layer> make(std::unique_ptr<Layer> inner,
                              const std::string &text) const;
  /// The names with their options, for a tool's help.
  std::string describe() const;

  /// The same for data sets.
  void addData(DataKind kind);
  const std::map<std::string, DataKind> &dataKinds() const { return data; }
  std::string describeData() const;

private:
  std::map<std::string, TransformerKind> known;
  std::map<std::string, DataKind> data;
};

} // namespace fuel
