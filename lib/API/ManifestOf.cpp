//===- ManifestOf.cpp - What a lowered module says about itself -----------===//
#include "lib/API/ManifestOf.h"

#include "dialects/Blocks/Blocks.h"

#include <mlir/Dialect/Func/IR/FuncOps.h>

using namespace mlir;

namespace blocks {

//===--- Types ------------------------------------------------------------===//

/// "f32", "ui8" …: the element type as it is written in models.
static DType dtypeOf(Type type) {
  std::string name;
  llvm::raw_string_ostream stream(name);
  getElementTypeOrSelf(type).print(stream);
  return dtypeFromName(name);
}

static Shape shapeOf(Type type) {
  Shape shape;
  for (int64_t extent : cast<RankedTensorType>(type).getShape())
    shape.push_back(ShapedType::isDynamic(extent) ? -1 : extent);
  return shape;
}

static std::vector<std::string> roleNames(Attribute roles) {
  std::vector<std::string> names;
  if (auto set = dyn_cast_or_null<RolesAttr>(roles))
    for (Role role : set.getValue())
      names.push_back(stringifyRole(role).str());
  return names;
}

/// The strings of an array attribute, or `count` empty ones.
static std::vector<std::string> strings(Attribute attribute, size_t count) {
  std::vector<std::string> texts(count);
  if (auto array = dyn_cast_or_null<ArrayAttr>(attribute))
    for (auto [i, element] : llvm::enumerate(array))
      if (i < count)
        texts[i] = cast<StringAttr>(element).str();
  return texts;
}

//===--- State ------------------------------------------------------------===//

static InitializerSpec initializerSpec(InitializerAttrInterface init) {
  InitializerSpec spec;
  spec.kind = init.getKind().str();
  for (auto [name, value] : init.getValues())
    spec.values[name.str()] = value;
  for (Attribute part : init.getParts())
    spec.parts.push_back(initializerSpec(cast<InitializerAttrInterface>(part)));
  return spec;
}

static StateSpec stateSpec(ParameterOp parameter) {
  StateSpec spec;
  spec.path = parameter.getPath();
  spec.dtype = dtypeOf(parameter.getType());
  spec.shape = shapeOf(parameter.getType());
  spec.roles = roleNames(parameter.getRoles());
  spec.initializer = initializerSpec(parameter.getInit());
  if (spec.path == "/algorithm.seed")
    spec.initializer = {"seed", {}}; // the run's --seed, not a constant
  if (parameter.getForParameter())
    spec.forParameter = parameterPath(*parameter.getForParameter());
  return spec;
}

//===--- Entries ----------------------------------------------------------===//

static SourceSpec sourceSpec(func::FuncOp function, unsigned argument) {
  SourceSpec spec;
  Type type = function.getArgumentTypes()[argument];
  spec.name =
      function.getArgAttrOfType<StringAttr>(argument, "blocks.source").str();
  spec.dtype = dtypeOf(type);
  spec.shape = shapeOf(type);
  spec.axes =
      strings(function.getArgAttr(argument, "blocks.axes"), spec.shape.size());
  if (!spec.shape.empty() && spec.shape[0] < 0 && spec.axes[0].empty())
    spec.axes[0] = "batch";
  return spec;
}

static Aggregate aggregateOf(StringAttr name) {
  if (name && name == "mean")
    return Aggregate::Mean;
  return name && name == "sum" ? Aggregate::Sum : Aggregate::Last;
}

static OutputSpec outputSpec(func::FuncOp function, unsigned result) {
  OutputSpec spec;
  Type type = function.getResultTypes()[result];
  spec.name =
      function.getResultAttrOfType<StringAttr>(result, "blocks.output").str();
  spec.dtype = dtypeOf(type);
  spec.shape = shapeOf(type);
  spec.axes.resize(spec.shape.size());
  spec.roles = roleNames(function.getResultAttr(result, "blocks.roles"));
  spec.aggregate = aggregateOf(
      function.getResultAttrOfType<StringAttr>(result, "blocks.aggregate"));
  return spec;
}

static void addEntry(func::FuncOp function, Manifest &manifest) {
  EntrySpec spec;
  ManifestEntry entry;
  spec.name = function.getSymName().str();
  entry.symbol = "blocks_entry_" + spec.name;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    auto path = function.getArgAttrOfType<StringAttr>(i, "blocks.state");
    if (path)
      entry.state.push_back(manifest.spec.findState(path.str()));
    else
      spec.sources.push_back(sourceSpec(function, i));
  }
  for (unsigned i = 0; i < function.getNumResults(); ++i) {
    auto path = function.getResultAttrOfType<StringAttr>(i, "blocks.state");
    if (path)
      entry.updates.push_back(manifest.spec.findState(path.str()));
    else
      spec.outputs.push_back(outputSpec(function, i));
  }
  spec.updatesState = !entry.updates.empty();
  manifest.spec.entries.push_back(std::move(spec));
  manifest.entries.push_back(std::move(entry));
}

Manifest manifestOf(ModuleOp module) {
  Manifest manifest;
  module.walk<WalkOrder::PreOrder>([&](ParameterOp parameter) {
    manifest.spec.state.push_back(stateSpec(parameter));
  });
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttr("blocks.entry"))
      addEntry(function, manifest);
  return manifest;
}

//===--- After to-linalg --------------------------------------------------===//

static void addResultAxes(func::FuncOp function, EntrySpec &entry) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    auto name = function.getArgAttrOfType<StringAttr>(i, "blocks.output");
    for (OutputSpec &output : entry.outputs)
      if (name && name == output.name)
        output.axes = strings(function.getArgAttr(i, "blocks.result_axes"),
                              output.shape.size());
  }
}

static void addRequirements(func::FuncOp function, ManifestEntry &entry) {
  if (auto all = function->getAttrOfType<ArrayAttr>("blocks.requirements"))
    for (auto requirement : all.getAsRange<DictionaryAttr>())
      entry.requirements.push_back(
          {requirement.getAs<StringAttr>("formula").str(),
           requirement.getAs<StringAttr>("text").str()});
}

void addLoweringFacts(ModuleOp module, Manifest &manifest) {
  for (size_t i = 0; i < manifest.entries.size(); ++i) {
    EntrySpec &entry = manifest.spec.entries[i];
    if (auto function = module.lookupSymbol<func::FuncOp>(entry.name)) {
      addResultAxes(function, entry);
      addRequirements(function, manifest.entries[i]);
    }
  }
  if (auto sites = module->getAttrOfType<ArrayAttr>("blocks.sites"))
    for (auto site : sites.getAsRange<DictionaryAttr>())
      manifest.sites.push_back({site.getAs<StringAttr>("operation").str(),
                                site.getAs<StringAttr>("brick").str()});
  if (auto kernels = module->getAttrOfType<ArrayAttr>("blocks.cuda_kernels"))
    for (auto kernel : kernels.getAsRange<DictionaryAttr>())
      manifest.userKernels.push_back({kernel.getAs<StringAttr>("name").str(),
                                      kernel.getAs<StringAttr>("entry").str(),
                                      kernel.getAs<StringAttr>("file").str(),
                                      kernel.getAs<StringAttr>("text").str()});
}

} // namespace blocks
