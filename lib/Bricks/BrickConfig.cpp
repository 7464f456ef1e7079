//===- BrickConfig.cpp - Reading a library brick's configuration ----------===//
//
// See the header. Every reader says what it wanted, what it found, and where.
//
//===----------------------------------------------------------------------===//
#include "lib/Bricks/BrickConfig.h"

#include "lib/Support/NearMisses.h"

#include <cmath>

using namespace mlir;

namespace blocks {

Attribute BrickConfig::get(StringRef key) const {
  std::optional<DictionaryAttr> config = brick.getConfig();
  return config ? config->get(key) : Attribute();
}

InFlightDiagnostic BrickConfig::error() const {
  return emitError(brick.getLoc())
         << "brick " << brick.getPath() << " (\"" << *brick.getKind() << "\") ";
}

LogicalResult BrickConfig::checkKeys(ArrayRef<StringRef> known) const {
  std::vector<std::string> names(known.begin(), known.end());
  names.push_back(dtypeSetting.str());
  std::optional<DictionaryAttr> config = brick.getConfig();
  if (!config)
    return success();
  for (NamedAttribute entry : *config)
    if (!llvm::is_contained(names, entry.getName().getValue()))
      return error() << "has no setting '" << entry.getName().getValue() << "'"
                     << suggest(entry.getName().getValue(), names);
  return success();
}

LogicalResult BrickConfig::missing(StringRef key, StringRef what) const {
  return error() << "needs the setting '" << key << "', " << what;
}

LogicalResult BrickConfig::wrong(StringRef key, StringRef what) const {
  return error() << "has " << key << " = " << get(key) << ", expected " << what;
}

constexpr StringLiteral tooLarge =
    "a smaller number; no machine can address so much";

FailureOr<int64_t> BrickConfig::positive(StringRef key) const {
  constexpr StringLiteral what = "a positive integer";
  if (!get(key))
    return missing(key, what);
  auto value = dyn_cast<IntegerAttr>(get(key));
  if (!value || value.getInt() <= 0)
    return wrong(key, what);
  if (value.getInt() > largestCount)
    return wrong(key, tooLarge);
  return value.getInt();
}

FailureOr<SmallVector<int64_t>> BrickConfig::positives(StringRef key) const {
  constexpr StringLiteral what = "a list of positive integers";
  FailureOr<ArrayAttr> values = list(key);
  if (failed(values))
    return failure();
  SmallVector<int64_t> numbers;
  for (Attribute value : *values) {
    auto number = dyn_cast<IntegerAttr>(value);
    if (!number || number.getInt() <= 0)
      return wrong(key, what);
    if (number.getInt() > largestCount)
      return wrong(key, "smaller numbers; no machine can address so much");
    numbers.push_back(number.getInt());
  }
  return numbers;
}

FailureOr<double> BrickConfig::number(StringRef key, double otherwise) const {
  Attribute value = get(key);
  if (!value)
    return otherwise;
  if (auto number = dyn_cast<FloatAttr>(value);
      number && std::isfinite(number.getValueAsDouble()))
    return number.getValueAsDouble();
  if (auto number = dyn_cast<IntegerAttr>(value);
      number && !isa<BoolAttr>(value))
    return double(number.getInt());
  return wrong(key, "a finite number");
}

FailureOr<bool> BrickConfig::flag(StringRef key, bool otherwise) const {
  Attribute value = get(key);
  if (!value)
    return otherwise;
  if (auto flag = dyn_cast<BoolAttr>(value))
    return flag.getValue();
  return wrong(key, "true or false");
}

FailureOr<StringRef> BrickConfig::choice(StringRef key,
                                         ArrayRef<StringRef> choices) const {
  if (!get(key))
    return choices.front();
  auto text = dyn_cast<StringAttr>(get(key));
  if (text && llvm::is_contained(choices, text.getValue()))
    return text.getValue();
  std::string what;
  for (StringRef choice : choices)
    what += (what.empty() ? "\"" : " or \"") + choice.str() + "\"";
  return wrong(key, what);
}

FailureOr<ArrayAttr> BrickConfig::list(StringRef key) const {
  if (!get(key))
    return missing(key, "a list");
  if (auto values = dyn_cast<ArrayAttr>(get(key)))
    return values;
  return wrong(key, "a list");
}

FailureOr<Type> BrickConfig::elementType() const {
  Attribute value = get(dtypeSetting);
  if (!value)
    return Type(Float32Type::get(brick.getContext()));
  auto type = dyn_cast<TypeAttr>(value);
  if (!type || !(type.getValue().isF32() || type.getValue().isF64()))
    return wrong(dtypeSetting, "f32 or f64");
  return type.getValue();
}

FailureOr<InitializerAttrInterface>
BrickConfig::initializer(StringRef key) const {
  if (!get(key))
    return InitializerAttrInterface();
  if (auto init = dyn_cast<InitializerAttrInterface>(get(key)))
    return init;
  return wrong(key, "an initializer such as "
                    "#blocks.isotropic_gaussian<std = 0.01>");
}

} // namespace blocks
