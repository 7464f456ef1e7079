// ScaleAndShift, Cast and Flatten, and the reader of their written form
// ("cast(dtype=f32,which=features)").
#include "fuel/Transformers/Elements.h"
#include "fuel/Transformers/Transformer.h"

#include "blocks/Error.h"

#include <algorithm>
#include <map>
#include <sstream>

namespace fuel {

using blocks::Array;
using blocks::DType;
using blocks::UsageError;

namespace {

//===-- The written form --------------------------------------------------===//

/// A name and its options, each given as key=value.
class Call {
public:
  explicit Call(const std::string &text) : text(text) {
    size_t open = text.find('(');
    name = text.substr(0, open);
    if (open == std::string::npos)
      return;
    if (text.back() != ')')
      throw UsageError("the transformer '" + text + "' lacks its closing ')'");
    std::istringstream list(text.substr(open + 1, text.size() - open - 2));
    for (std::string option; std::getline(list, option, ',');)
      addOption(option);
  }

  /// Takes the value of an option out, or returns `otherwise`.
  std::string take(const std::string &key, const char *otherwise = nullptr) {
    auto found = options.find(key);
    if (found == options.end() && !otherwise)
      throw UsageError("the transformer '" + text + "' lacks the option '" +
                       key + "'");
    if (found == options.end())
      return otherwise;
    std::string value = found->second;
    options.erase(found);
    return value;
  }

  std::vector<std::string> takeSources() {
    std::vector<std::string> names;
    std::istringstream list(take("which", ""));
    for (std::string source; std::getline(list, source, '+');)
      names.push_back(source);
    return names;
  }

  void checkAllTaken(const char *known) const {
    if (!options.empty())
      throw UsageError("the transformer '" + text + "' has no option '" +
                       options.begin()->first + "'; it knows: " + known);
  }

  std::string text, name;

private:
  void addOption(std::string option) {
    std::erase(option, ' ');
    size_t equals = option.find('=');
    if (equals == std::string::npos || equals == 0)
      throw UsageError("'" + option + "' in the transformer '" + text +
                       "' is not of the form option=value");
    if (!options.emplace(option.substr(0, equals), option.substr(equals + 1))
             .second)
      throw UsageError("the transformer '" + text + "' has the option '" +
                       option.substr(0, equals) + "' twice");
  }
  std::map<std::string, std::string> options;
};

//===-- ScaleAndShift -----------------------------------------------------===//

/// x * scale + shift, with NumPy's promotion after either operation.
class ScaleAndShift : public Transformer {
public:
  ScaleAndShift(std::unique_ptr<DataStream> inner,
                const std::vector<std::string> &which, const std::string &text,
                Scalar scale, Scalar shift)
      : Transformer(std::move(inner), which, text), scale(scale), shift(shift) {
    describeSources();
  }

private:
  void changeInfo(SourceInfo &info) const override {
    info.dtype = promote(promote(info.dtype, scale), shift);
  }
  void change(Array &in, Array &out) override {
    DType scaled = promote(in.dtype(), scale);
    DType shifted = promote(scaled, shift);
    castElements(in, scaled, out);
    multiply(out, scale);
    if (shifted != scaled) {
      castElements(out, shifted, between);
      std::swap(out, between);
    }
    add(out, shift);
  }
  Scalar scale, shift;
  Array between;
};

//===-- Cast --------------------------------------------------------------===//

class Cast : public Transformer {
public:
  Cast(std::unique_ptr<DataStream> inner, const std::vector<std::string> &which,
       const std::string &text, DType dtype)
      : Transformer(std::move(inner), which, text), dtype(dtype) {
    describeSources();
  }

private:
  void changeInfo(SourceInfo &info) const override { info.dtype = dtype; }
  void change(Array &in, Array &out) override {
    if (in.dtype() == dtype)
      return std::swap(in, out);
    castElements(in, dtype, out);
  }
  DType dtype;
};

/// Our names and NumPy's: "f32", "float32", "ui8", "uint8", "bool".
DType parseDType(const std::string &name, const std::string &text) {
  static constexpr std::pair<const char *, DType> numpy[] = {
      {"bool", DType::Bool},       {"int8", DType::Int8},
      {"int16", DType::Int16},     {"int32", DType::Int32},
      {"int64", DType::Int64},     {"uint8", DType::UInt8},
      {"uint16", DType::UInt16},   {"uint32", DType::UInt32},
      {"uint64", DType::UInt64},   {"float16", DType::Float16},
      {"float32", DType::Float32}, {"float64", DType::Float64},
  };
  for (auto [known, dtype] : numpy)
    if (name == known || name == blocks::dtypeName(dtype))
      return dtype;
  throw UsageError("the transformer '" + text + "' names the element type '" +
                   name + "'; expected for example f32, f64, ui8 or i64");
}

//===-- Flatten -----------------------------------------------------------===//

/// Examples become one-dimensional, batches (n, rest).
class Flatten : public Transformer {
public:
  Flatten(std::unique_ptr<DataStream> inner,
          const std::vector<std::string> &which, const std::string &text)
      : Transformer(std::move(inner), which, text),
        kept(producesExamples() ? 0 : 1) {
    describeSources();
  }

private:
  /// In place, so that a steady stream builds no shape.
  void flatten(const blocks::Shape &shape, blocks::Shape &result) const {
    int64_t rest = 1;
    for (size_t i = kept; i < shape.size(); ++i)
      rest *= shape[i];
    result.resize(kept + 1);
    std::copy_n(shape.begin(), kept, result.begin());
    result.back() = rest;
  }
  void changeInfo(SourceInfo &info) const override {
    blocks::Shape before = info.shape;
    flatten(before, info.shape);
    info.axisLabels.resize(kept);
    info.axisLabels.push_back("feature");
  }
  void change(Array &in, Array &out) override {
    std::swap(in, out);
    flatten(out.shape(), flat);
    out.reshape(flat);
  }
  size_t kept; ///< Axes that stay.
  blocks::Shape flat;
};

} // namespace

std::unique_ptr<DataStream> transform(std::unique_ptr<DataStream> stream,
                                      const std::string &text) {
  Call call(text);
  std::vector<std::string> which = call.takeSources();
  if (call.name == "scale_and_shift") {
    Scalar scale = Scalar::parse(call.take("scale", "1"));
    Scalar shift = Scalar::parse(call.take("shift", "0"));
    call.checkAllTaken("scale, shift, which");
    return std::make_unique<ScaleAndShift>(std::move(stream), which, text,
                                           scale, shift);
  }
  if (call.name == "cast") {
    DType dtype = parseDType(call.take("dtype"), text);
    call.checkAllTaken("dtype, which");
    return std::make_unique<Cast>(std::move(stream), which, text, dtype);
  }
  if (call.name == "flatten") {
    call.checkAllTaken("which");
    return std::make_unique<Flatten>(std::move(stream), which, text);
  }
  throw UsageError("unknown transformer '" + call.name +
                   "'; expected scale_and_shift, cast or flatten");
}

} // namespace fuel
