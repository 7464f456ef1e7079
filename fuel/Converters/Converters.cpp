// Converters: the table of converters, to which a program may add. See
// include/fuel/Convert.h.
#include "fuel/Converters/BuiltIn.h"
#include "fuel/Converters/ConvertOptions.h"

#include "blocks/Error.h"

#include <algorithm>

namespace fuel {

namespace {
bool byName(const Converter &a, const Converter &b) { return a.name < b.name; }

std::vector<Converter> builtIn() {
  std::vector<Converter> table = {
      adultConverter(),       binarizedMnistConverter(), cifar10Converter(),
      cifar100Converter(),    irisConverter(),           mnistConverter(),
      silhouettesConverter(), svhnConverter(),           celebAConverter(),
      dogsVsCatsConverter(),  ilsvrc2010Converter(),     ilsvrc2012Converter(),
      youTubeAudioConverter()};
  for (Converter &converter : genericConverters())
    table.push_back(std::move(converter));
  std::sort(table.begin(), table.end(), byName);
  return table;
}

std::vector<Converter> &table() {
  static std::vector<Converter> all = builtIn();
  return all;
}

const Converter &find(const std::string &name) {
  std::string known;
  for (const Converter &converter : table()) {
    if (converter.name == name)
      return converter;
    known += (known.empty() ? "" : ", ") + converter.name;
  }
  throw blocks::UsageError("there is no converter '" + name +
                           "'; there are: " + known);
}
} // namespace

const std::vector<Converter> &converters() { return table(); }

void registerConverter(Converter converter) {
  if (converter.name.empty() || !converter.convert)
    throw blocks::UsageError("a converter needs a name and a function");
  for (const Converter &other : table())
    if (other.name == converter.name)
      throw blocks::UsageError("there is a converter '" + converter.name +
                               "' already; choose another name");
  auto place =
      std::upper_bound(table().begin(), table().end(), converter, byName);
  table().insert(place, std::move(converter));
}

std::string runConverter(const std::string &name, ConvertOptions options) {
  // A copy: the function may register others.
  Converter converter = find(name);
  checkConvertOptions(converter, options);
  return converter.convert(options);
}

} // namespace fuel
