//===- Fork.cpp - One input, several transformations of it ----------------===//
//
// Each output has a child of its own, `fork_<name>`, of the prototype's kind:
// what feeds a recurrent brick's sequences from one tensor.
//
//===----------------------------------------------------------------------===//
#include "lib/Bricks/BrickLibrary.h"

using namespace mlir;

namespace blocks {
namespace {

class Fork : public BrickKind {
  StringRef getName() const override { return "Fork"; }
  std::vector<StringRef> getSettings() const override {
    return {"output_names", "input_dim", "output_dims",
            "prototype",    weightsInit, biasesInit};
  }

  LogicalResult declare(BrickDeclaration &brick) const override {
    FailureOr<ArrayAttr> names = brick.config.list("output_names");
    FailureOr<int64_t> input = brick.config.positive("input_dim");
    FailureOr<SmallVector<int64_t>> dims =
        brick.config.positives("output_dims");
    Attribute text = brick.config.get("prototype");
    auto prototype = brick.childSpec(
        "prototype", text ? text : brick.getBuilder().getStringAttr("Linear"));
    if (failed(names) || failed(input) || failed(dims) || failed(prototype))
      return failure();
    if (names->size() != dims->size())
      return brick.config.error()
             << "has " << names->size() << " output_names and " << dims->size()
             << " output_dims, expected as many";
    for (auto [name, dim] : llvm::zip(*names, *dims)) {
      if (!isa<StringAttr>(name))
        return brick.config.wrong("output_names", "a list of names");
      NamedAttrList settings(prototype->settings);
      settings.set("input_dim", brick.getBuilder().getI64IntegerAttr(*input));
      settings.set("output_dim", brick.getBuilder().getI64IntegerAttr(dim));
      if (failed(brick.child("fork_" + cast<StringAttr>(name).str(),
                             prototype->kind,
                             settings.getDictionary(name.getContext()))))
        return failure();
    }
    return success();
  }

  LogicalResult build(StringRef, ApplicationBuilder &builder) const override {
    if (failed(builder.takes({"input_"})))
      return failure();
    ArrayAttr names = *builder.config.list("output_names");
    for (auto [name, child] : llvm::zip(names, builder.children())) {
      auto output = builder.applyChild(child.getSymName(), builder.argument(0));
      if (failed(output))
        return failure();
      builder.result(*output, cast<StringAttr>(name).getValue());
    }
    return success();
  }
};

} // namespace

void addFork(BrickLibrary &library) { library.add(std::make_unique<Fork>()); }

} // namespace blocks
