//===- RandomInputs.cpp - Made-up sources and parameters for an entry -----===//
#include "test/tools/RandomInputs.h"

#include "blocks/Philox.h"

#include <cmath>

using namespace mlir;

namespace blocks::testing {

using reference::NamedTensors;
using reference::Tensor;

static double numberOf(Attribute attribute) {
  if (auto real = dyn_cast<FloatAttr>(attribute))
    return real.getValueAsDouble();
  return double(cast<IntegerAttr>(attribute).getInt());
}

static Range rangeOf(Attribute attribute, Type elementType) {
  auto limits = dyn_cast_or_null<ArrayAttr>(attribute);
  if (!limits || limits.size() != 2)
    return isa<FloatType>(elementType) ? Range{-1, 1} : Range{0, 2};
  return {numberOf(limits[0]), numberOf(limits[1])};
}

/// The bits of element i depend on the seed and the name.
static Tensor randomTensor(Type elementType, ArrayRef<int64_t> shape,
                           Range range, StringRef name, uint64_t seed) {
  Tensor tensor(elementType, shape);
  uint32_t site = siteHash(name.data(), name.size());
  for (int64_t i = 0; i < tensor.size(); ++i) {
    double u = philoxUniform(philoxBits(seed, site, 0, 0, uint64_t(i)));
    double value = range.low + u * (range.high - range.low);
    if (tensor.isReal())
      tensor.setReal(i, value);
    else
      tensor.setInteger(i, int64_t(std::floor(value)));
  }
  return tensor;
}

/// The axis names of argument i; "" where unnamed.
static SmallVector<std::string> axisNames(FunctionOpInterface entry,
                                          unsigned i) {
  SmallVector<std::string> names;
  if (auto graph = dyn_cast<GraphOp>(*entry))
    for (StringRef name : graph.getAxisNames(i))
      names.push_back(name.str());
  else if (auto axes = entry.getArgAttrOfType<ArrayAttr>(i, "blocks.axes"))
    for (Attribute axis : axes)
      names.push_back(cast<StringAttr>(axis).str());
  return names;
}

NamedTensors randomSources(FunctionOpInterface entry, const Extents &extents,
                           uint64_t seed, const Ranges &ranges) {
  NamedTensors sources;
  for (unsigned i = 0; i < entry.getNumArguments(); ++i) {
    auto source = entry.getArgAttrOfType<StringAttr>(i, "blocks.source");
    if (!source)
      continue;
    auto type = cast<RankedTensorType>(entry.getArgumentTypes()[i]);
    reference::Index shape(type.getShape());
    for (auto [extent, name] : llvm::zip(shape, axisNames(entry, i)))
      if (ShapedType::isDynamic(extent)) {
        auto found = extents.find(name);
        extent = found == extents.end() ? 3 : found->second;
      }
    Type element = type.getElementType();
    auto given = ranges.find(source.str());
    Range range = given != ranges.end()
                      ? given->second
                      : rangeOf(entry.getArgAttr(i, "check.range"), element);
    sources[source.str()] =
        randomTensor(element, shape, range, source.getValue(), seed);
  }
  return sources;
}

llvm::Expected<NamedTensors> randomState(ModuleOp module, uint64_t seed) {
  llvm::Expected<NamedTensors> state = reference::initialState(module, seed);
  if (!state)
    return state;
  module.walk([&](ParameterOp parameter) {
    RankedTensorType type = parameter.getTensorType();
    if (!isa<FloatType>(type.getElementType()) ||
        !parameter.getRoles().has(Role::Parameter))
      return;
    std::string path = parameter.getPath();
    (*state)[path] = randomTensor(
        type.getElementType(), type.getShape(),
        rangeOf(parameter->getAttr("check.range"), type.getElementType()), path,
        seed);
  });
  return state;
}

} // namespace blocks::testing
