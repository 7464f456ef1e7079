// Reading and writing of manifests: see Manifest.h. What can be checked without
// the object is checked here: indices, shapes, names.
#include "runtime/Program/Manifest.h"

#include "blocks/abi/StepABI.h"
#include "runtime/Program/AxisExtents.h"
#include "runtime/Program/ManifestFields.h"

#include <algorithm>
#include <cmath>

namespace blocks {

namespace {

using Json = nlohmann::json;

std::string indexed(const std::string &name, size_t index) {
  return name + "[" + std::to_string(index) + "]";
}

/// Runs `read` for each element of a list of objects.
template <typename T, typename Read>
std::vector<T> readObjects(ManifestFields &parent, const std::string &name,
                           Read read) {
  std::vector<T> result;
  for (const Json &json : parent.list(name)) {
    ManifestFields fields(json, indexed(parent.placeOf(name), result.size()));
    result.push_back(read(fields));
    fields.finish();
  }
  return result;
}

DType readDType(ManifestFields &fields) {
  try {
    return dtypeFromName(fields.text("dtype"));
  } catch (const InputError &error) {
    ManifestFields::fail(fields.placeOf("dtype"), error.what());
  }
}

/// Dimensions, -1 where dynamic; their product (and the bytes) must be a
/// number that can be computed with.
Shape readShape(ManifestFields &fields, bool dynamic) {
  Shape shape = fields.integers("shape");
  int64_t bytes = 8;
  for (int64_t extent : shape) {
    if (extent < (dynamic ? -1 : 0))
      ManifestFields::fail(fields.placeOf("shape"), "has a negative extent");
    if (extent > 0 && __builtin_mul_overflow(bytes, extent, &bytes))
      ManifestFields::fail(fields.placeOf("shape"), "is too large");
  }
  if (shape.size() > maximumRank)
    ManifestFields::fail(fields.placeOf("shape"), "has too many dimensions");
  return shape;
}

std::vector<std::string> readAxes(ManifestFields &fields, const Shape &shape) {
  std::vector<std::string> axes = fields.texts("axes");
  if (axes.size() != shape.size())
    ManifestFields::fail(fields.placeOf("axes"),
                         "has not one name for each dimension");
  return axes;
}

InitializerSpec readInitializer(const Json &json, const std::string &place) {
  ManifestFields fields(json, place);
  InitializerSpec init;
  init.kind = fields.text("kind");
  const Json &values = fields.field("values");
  if (!values.is_object())
    ManifestFields::fail(fields.placeOf("values"), "is not an object");
  for (const auto &item : values.items()) {
    if (!item.value().is_number())
      ManifestFields::fail(fields.placeOf("values"),
                           "holds something that is no number");
    init.values[item.key()] = item.value().get<double>();
  }
  if (json.contains("parts"))
    for (const Json &part : fields.list("parts"))
      init.parts.push_back(readInitializer(part, fields.placeOf("parts")));
  fields.finish();
  return init;
}

StateSpec readState(ManifestFields &fields) {
  StateSpec state;
  state.path = fields.text("path");
  state.dtype = readDType(fields);
  state.shape = readShape(fields, false);
  state.roles = fields.texts("roles");
  state.initializer =
      readInitializer(fields.field("init"), fields.placeOf("init"));
  state.forParameter = fields.text("for");
  return state;
}

SourceSpec readSource(ManifestFields &fields) {
  SourceSpec source;
  source.name = fields.text("name");
  source.dtype = readDType(fields);
  source.shape = readShape(fields, true);
  source.axes = readAxes(fields, source.shape);
  return source;
}

constexpr const char *aggregateNames[] = {"last", "mean", "sum"};

OutputSpec readOutput(ManifestFields &fields) {
  OutputSpec output;
  output.name = fields.text("name");
  output.dtype = readDType(fields);
  output.shape = readShape(fields, true);
  output.axes = readAxes(fields, output.shape);
  output.roles = fields.texts("roles");
  std::string aggregate = fields.text("aggregate");
  auto found = std::find(std::begin(aggregateNames), std::end(aggregateNames),
                         aggregate);
  if (found == std::end(aggregateNames))
    ManifestFields::fail(fields.placeOf("aggregate"),
                         "is none of last, mean, sum");
  output.aggregate = Aggregate(found - std::begin(aggregateNames));
  return output;
}

/// Increasing indices of the table of state, so that none occurs twice.
std::vector<int64_t> readIndices(ManifestFields &fields,
                                 const std::string &name, size_t size) {
  std::vector<int64_t> indices = fields.integers(name);
  int64_t least = 0;
  for (int64_t index : indices) {
    if (index < least || uint64_t(index) >= size)
      ManifestFields::fail(fields.placeOf(name),
                           "is not an increasing list of indices of 'state'");
    least = index + 1;
  }
  return indices;
}

void readEntry(ManifestFields &fields, Manifest &manifest) {
  EntrySpec spec;
  ManifestEntry entry;
  size_t states = manifest.spec.state.size();
  spec.name = fields.text("name");
  entry.symbol = fields.text("symbol");
  entry.state = readIndices(fields, "state", states);
  entry.updates = readIndices(fields, "updates", states);
  for (int64_t index : entry.updates)
    if (!std::binary_search(entry.state.begin(), entry.state.end(), index))
      ManifestFields::fail(fields.placeOf("updates"),
                           "holds an index that 'state' has not");
  spec.updatesState = !entry.updates.empty();
  spec.sources = readObjects<SourceSpec>(fields, "sources", readSource);
  spec.outputs = readObjects<OutputSpec>(fields, "outputs", readOutput);
  AxisExtents axes;
  for (const SourceSpec &source : spec.sources)
    axes.declare(source);
  for (const OutputSpec &output : spec.outputs)
    if (std::string problem; !axes.knows(output, problem))
      ManifestFields::fail(fields.placeOf("outputs"), problem);
  if (fields.has("requirements"))
    entry.requirements = readObjects<ManifestRequirement>(
        fields, "requirements", [](ManifestFields &requirement) {
          return ManifestRequirement{requirement.text("formula"),
                                     requirement.text("text")};
        });
  for (const ManifestRequirement &requirement : entry.requirements)
    if (!axes.require(requirement.formula, requirement.text))
      ManifestFields::fail(fields.placeOf("requirements"),
                           "has '" + requirement.formula +
                               "', which is no formula of the sources' axes");
  manifest.spec.entries.push_back(std::move(spec));
  manifest.entries.push_back(std::move(entry));
}

void readUserKernels(ManifestFields &fields, Manifest &manifest) {
  manifest.userKernels = readObjects<ManifestUserKernel>(
      fields, "user_kernels", [](ManifestFields &kernel) {
        return ManifestUserKernel{kernel.text("name"), kernel.text("entry"),
                                  kernel.text("file"), kernel.text("text")};
      });
  for (size_t i = 0; i < manifest.userKernels.size(); ++i)
    if (i >= manifest.kernels.size() ||
        manifest.kernels[i] != manifest.userKernels[i].name)
      ManifestFields::fail("user_kernels",
                           "does not have the first names of 'kernels'");
}

/// A manifest without these fields is the processor's.
void readDevice(ManifestFields &fields, Manifest &manifest) {
  if (!fields.has("device"))
    return;
  manifest.spec.device = fields.text("device");
  if (manifest.spec.device != "cuda")
    ManifestFields::fail("device", "is neither left out nor 'cuda'");
  manifest.arch = fields.text("arch");
  manifest.kernels = fields.texts("kernels");
  if (fields.has("epilogues"))
    manifest.epilogues = fields.integer("epilogues");
  if (fields.has("user_kernels"))
    readUserKernels(fields, manifest);
}

template <typename Range>
void refuseRepeated(const Range &range, const std::string &list,
                    std::string Range::value_type::*name) {
  std::set<std::string> seen;
  for (const auto &item : range)
    if (!seen.insert(item.*name).second)
      ManifestFields::fail(list, "has '" + item.*name + "' twice");
}

Manifest readManifest(ManifestFields &fields) {
  Manifest manifest;
  manifest.spec.state = readObjects<StateSpec>(fields, "state", readState);
  for (const Json &json : fields.list("entries")) {
    ManifestFields entry(json, indexed("entries", manifest.entries.size()));
    readEntry(entry, manifest);
    entry.finish();
  }
  manifest.sites =
      readObjects<ManifestSite>(fields, "sites", [](ManifestFields &site) {
        return ManifestSite{site.text("operation"), site.text("brick")};
      });
  manifest.spec.warnings = fields.texts("warnings");
  manifest.spec.model =
      readObjects<ModelPart>(fields, "model", [](ManifestFields &part) {
        return ModelPart{part.text("name"), part.text("sha256")};
      });
  manifest.cpu = fields.text("cpu");
  readDevice(fields, manifest);
  refuseRepeated(manifest.spec.state, "state", &StateSpec::path);
  refuseRepeated(manifest.spec.entries, "entries", &EntrySpec::name);
  return manifest;
}

void checkVersion(ManifestFields &fields) {
  const Json &abi = fields.field("abi");
  if (!abi.is_number_integer())
    ManifestFields::fail("abi", "is not an integer");
  if (abi != BLOCKS_ABI_VERSION)
    throw UnsupportedError("the compiled program is of version " + abi.dump() +
                           ", but this program runs version " +
                           std::to_string(BLOCKS_ABI_VERSION) +
                           "; compile the model again");
}

} // namespace

Manifest parseManifest(std::string_view json) {
  Json root = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (root.is_discarded())
    ManifestFields::fail("", "is not JSON");
  ManifestFields fields(root, "");
  checkVersion(fields);
  Manifest manifest = readManifest(fields);
  fields.finish();
  return manifest;
}

namespace {

using Ordered = nlohmann::ordered_json;

Ordered initializerToJson(const InitializerSpec &init) {
  Ordered values = Ordered::object();
  for (const auto &[name, value] : init.values)
    values[name] = value;
  Ordered json{{"kind", init.kind}, {"values", values}};
  for (const InitializerSpec &part : init.parts)
    json["parts"].push_back(initializerToJson(part));
  return json;
}

Ordered stateToJson(const StateSpec &state) {
  return {{"path", state.path},
          {"dtype", dtypeName(state.dtype)},
          {"shape", state.shape},
          {"roles", state.roles},
          {"init", initializerToJson(state.initializer)},
          {"for", state.forParameter}};
}

Ordered sourceToJson(const SourceSpec &source) {
  return {{"name", source.name},
          {"dtype", dtypeName(source.dtype)},
          {"shape", source.shape},
          {"axes", source.axes}};
}

Ordered outputToJson(const OutputSpec &output) {
  return {{"name", output.name},
          {"dtype", dtypeName(output.dtype)},
          {"shape", output.shape},
          {"axes", output.axes},
          {"roles", output.roles},
          {"aggregate", aggregateNames[size_t(output.aggregate)]}};
}

Ordered userKernelToJson(const ManifestUserKernel &kernel) {
  return {{"name", kernel.name},
          {"entry", kernel.entry},
          {"file", kernel.file},
          {"text", kernel.text}};
}

template <typename Range, typename Convert>
Ordered listToJson(const Range &range, Convert convert) {
  Ordered list = Ordered::array();
  for (const auto &item : range)
    list.push_back(convert(item));
  return list;
}

Ordered entryToJson(const EntrySpec &spec, const ManifestEntry &entry) {
  Ordered json = {{"name", spec.name},
                  {"symbol", entry.symbol},
                  {"state", entry.state},
                  {"updates", entry.updates},
                  {"sources", listToJson(spec.sources, sourceToJson)},
                  {"outputs", listToJson(spec.outputs, outputToJson)}};
  if (!entry.requirements.empty())
    json["requirements"] = listToJson(
        entry.requirements, [](const ManifestRequirement &requirement) {
          return Ordered{{"formula", requirement.formula},
                         {"text", requirement.text}};
        });
  return json;
}

} // namespace

std::string formatManifest(const Manifest &manifest) {
  Ordered entries = Ordered::array();
  for (size_t i = 0; i < manifest.entries.size(); ++i)
    entries.push_back(
        entryToJson(manifest.spec.entries.at(i), manifest.entries[i]));
  Ordered sites = listToJson(manifest.sites, [](const ManifestSite &site) {
    return Ordered{{"operation", site.operation}, {"brick", site.brick}};
  });
  Ordered model = listToJson(manifest.spec.model, [](const ModelPart &part) {
    return Ordered{{"name", part.name}, {"sha256", part.sha256}};
  });
  Ordered root = {{"abi", BLOCKS_ABI_VERSION},
                  {"state", listToJson(manifest.spec.state, stateToJson)},
                  {"entries", entries},
                  {"sites", sites},
                  {"warnings", manifest.spec.warnings},
                  {"model", model},
                  {"cpu", manifest.cpu}};
  if (manifest.spec.device == "cuda") {
    root["device"] = manifest.spec.device;
    root["arch"] = manifest.arch;
    root["kernels"] = manifest.kernels;
    if (manifest.epilogues)
      root["epilogues"] = manifest.epilogues;
    if (!manifest.userKernels.empty())
      root["user_kernels"] = listToJson(manifest.userKernels, userKernelToJson);
  }
  return root.dump();
}

} // namespace blocks
