//===- InitialState.cpp - First values of a module's parameters -----------===//
//
// The runtime's own initializers, asked as the compiled program would ask them:
// the values are a function of seed and path.
//
//===----------------------------------------------------------------------===//
#include "lib/Reference/Interpreter.h"

#include "runtime/Parameters/Initialization.h"

using namespace mlir;

namespace blocks::reference {

static InitializerSpec specOf(InitializerAttrInterface init) {
  InitializerSpec spec;
  spec.kind = init.getKind().str();
  for (auto [name, value] : init.getValues())
    spec.values[name.str()] = value;
  for (Attribute part : init.getParts())
    spec.parts.push_back(specOf(cast<InitializerAttrInterface>(part)));
  return spec;
}

static llvm::Expected<StateSpec> specOf(ParameterOp parameter) {
  RankedTensorType type = parameter.getTensorType();
  llvm::Expected<DType> dtype = dtypeOf(type.getElementType());
  if (!dtype)
    return dtype.takeError();
  StateSpec spec;
  spec.path = parameter.getPath();
  spec.dtype = *dtype;
  spec.shape = Shape(type.getShape().begin(), type.getShape().end());
  spec.initializer = specOf(parameter.getInit());
  return spec;
}

llvm::Expected<NamedTensors> initialState(ModuleOp module, uint64_t seed) {
  NamedTensors state;
  llvm::Error failure = llvm::Error::success();
  module.walk([&](ParameterOp parameter) {
    llvm::Expected<StateSpec> spec = specOf(parameter);
    if (!spec) {
      failure = llvm::joinErrors(std::move(failure), spec.takeError());
      return;
    }
    // The verifier checked the scheme against the shape, so nothing is thrown.
    Array array = makeInitialArray(*spec, seed);
    state[spec->path] =
        fromArray(array.view(), parameter.getTensorType().getElementType());
  });
  if (failure)
    return std::move(failure);
  return state;
}

} // namespace blocks::reference
