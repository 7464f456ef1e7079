// CastExamples: gives sources of fixed size another element type. A number that
// the new type cannot hold is an error, not a surprise; rounding of floats to
// shorter ones is none.
#pragma once

#include "fuel/Convert.h"
#include "fuel/Converters/Generic/ExampleReader.h"

#include <map>

namespace fuel {

/// "float32", "uint8", "bool" … and the names of models, "f32", "ui8", "i1".
/// UsageError that names the option.
blocks::DType elementTypeNamed(const std::string &name,
                               const std::string &option);

/// What --dtype says: a type for all sources of numbers, or SOURCE=TYPE.
class ElementTypes {
public:
  /// The option, for a converter's table.
  static ConverterOption option();
  explicit ElementTypes(const std::vector<std::string> &given);
  /// UsageError if it names a source that is not among these.
  void check(const std::vector<SourceInfo> &sources) const;
  /// For a source of which nothing was said; `general`: unless something was
  /// said of all.
  void addDefault(const std::string &source, blocks::DType dtype, bool general);
  std::optional<blocks::DType> of(const std::string &source) const;

private:
  std::optional<blocks::DType> all;
  std::map<std::string, blocks::DType> single;
};

/// `where` names the input in errors.
std::unique_ptr<ExampleReader>
castExamples(std::unique_ptr<ExampleReader> reader, const ElementTypes &types,
             const std::string &where);

} // namespace fuel
