// Registry: see include/fuel/Registry.h. The built-in kinds are defined beside
// their layers, family by family (BuiltIn.h).
#include "fuel/Registry.h"

#include "blocks/Error.h"
#include "fuel/Streams/DataKinds.h"
#include "fuel/Streams/Pipeline.h"
#include "fuel/Streams/Written.h"
#include "fuel/Transformers/BuiltIn.h"

namespace fuel {

TransformerOptions::Values valuesOf(const blocks::NamedCall &call) {
  TransformerOptions::Values values;
  for (const blocks::CallArgument &argument : call.arguments)
    values.emplace_back(argument.name, argument.text);
  return values;
}

std::string optionNames(const std::vector<TransformerKind::Option> &options) {
  std::string names;
  for (const TransformerKind::Option &option : options)
    names += (names.empty() ? "" : ", ") + option.name;
  return names.empty() ? "none" : names;
}

Registry Registry::builtIn() {
  Registry registry;
  addElementKinds(registry);
  addShapeKinds(registry);
  addSourceKinds(registry);
  addItemKinds(registry);
  addBatchingKinds(registry);
  addSequenceKinds(registry);
  addCropKinds(registry);
  addImageKinds(registry);
  addStandardizeKinds(registry);
  addDataKinds(registry);
  return registry;
}

void Registry::add(TransformerKind kind) {
  std::string name = kind.name;
  if (!known.emplace(name, std::move(kind)).second)
    throw blocks::UsageError("there is a transformer '" + name +
                             "' already; choose another name");
}

std::unique_ptr<Layer> Registry::make(std::unique_ptr<Layer> inner,
                                      TransformerOptions options) const {
  std::string name = options.written().substr(0, options.written().find('('));
  auto found = known.find(name);
  if (found == known.end()) {
    std::vector<std::string> names;
    for (const auto &[other, kind] : known)
      names.push_back(other);
    throw blocks::UsageError("unknown transformer '" + name + "'; expected " +
                             blocks::listOf(names));
  }
  std::unique_ptr<Layer> layer = found->second.make(std::move(inner), options);
  options.expectAllTaken(optionNames(found->second.options));
  return layer;
}

std::unique_ptr<Layer> Registry::make(std::unique_ptr<Layer> inner,
                                      const std::string &text) const {
  for (const blocks::NamedCall &call : blocks::parseNamedCalls(text))
    inner =
        make(std::move(inner), TransformerOptions(call.name, valuesOf(call)));
  return inner;
}

void Registry::addData(DataKind kind) {
  std::string name = kind.name;
  if (!data.emplace(name, std::move(kind)).second)
    throw blocks::UsageError("there is a data set '" + name +
                             "' already; choose another name");
}

template <typename Kinds> static std::string describeAll(const Kinds &kinds) {
  std::string text;
  for (const auto &[name, kind] : kinds) {
    text += name + "\n    " + kind.help + "\n";
    for (const TransformerKind::Option &option : kind.options)
      text += "    " + option.name + ": " + option.help +
              (option.otherwise.empty() ? " (required)"
                                        : " [" + option.otherwise + "]") +
              "\n";
  }
  return text;
}

std::string Registry::describe() const { return describeAll(known); }
std::string Registry::describeData() const { return describeAll(data); }

std::unique_ptr<DataStream> transform(std::unique_ptr<DataStream> stream,
                                      const std::string &text) {
  Registry registry = Registry::builtIn();
  return addLayer(std::move(stream), [&](std::unique_ptr<Layer> inner) {
    return registry.make(std::move(inner), text);
  });
}

} // namespace fuel
