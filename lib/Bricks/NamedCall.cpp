//===- NamedCall.cpp - Calls with arguments and results by name -----------===//
#include "lib/Bricks/NamedCall.h"

using namespace mlir;

namespace blocks {

FailureOr<NamedValues> callNamed(ApplicationBuilder &builder,
                                 SymbolRefAttr brick, StringRef application,
                                 const NamedValues &arguments,
                                 NamedAttrList options) {
  SmallVector<Value> inputs;
  SmallVector<Attribute> names;
  for (auto &[name, value] : arguments) {
    names.push_back(builder.ops.getStringAttr(name));
    inputs.push_back(value);
  }
  options.set("arguments", builder.ops.getArrayAttr(names));
  auto applied = builder.apply(brick, application, inputs, "",
                               options.getDictionary(builder.ops.getContext()));
  if (failed(applied))
    return failure();
  ApplicationOp called = builder.applicationOf(*applied);
  NamedValues results;
  for (auto [i, result] : llvm::enumerate(applied->getResults()))
    results.set(called.getResultName(i), result);
  return results;
}

FailureOr<NamedValues> callChild(ApplicationBuilder &builder, StringRef child,
                                 StringRef application,
                                 const NamedValues &arguments,
                                 NamedAttrList options) {
  return callNamed(builder, nestedReference(builder.getReference(), child),
                   application, arguments, std::move(options));
}

FailureOr<Value> callOne(ApplicationBuilder &builder, StringRef child,
                         StringRef application, ValueRange arguments) {
  auto applied = builder.apply(nestedReference(builder.getReference(), child),
                               application, arguments);
  if (failed(applied))
    return failure();
  return Value(applied->getResult(0));
}

} // namespace blocks
