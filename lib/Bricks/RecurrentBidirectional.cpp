//===- RecurrentBidirectional.cpp - Bidirectional -------------------------===//
//
// Two copies of a transition, `forward` and `backward`, over the same sequences
// in both directions. Results stand at their positions in both, so that they
// are joined feature by feature without being turned around.
//
//===----------------------------------------------------------------------===//
#include "lib/Bricks/RecurrentBrick.h"

using namespace mlir;

namespace blocks {
namespace {

class Bidirectional : public BrickKind {
  StringRef getName() const override { return "Bidirectional"; }
  std::vector<StringRef> getSettings() const override {
    return {"prototype", weightsInit, biasesInit};
  }
  std::vector<StringRef> getOptions(StringRef) const override {
    return passedOn();
  }

  LogicalResult declare(BrickDeclaration &brick) const override {
    Attribute text = brick.config.get("prototype");
    if (!text)
      return brick.config.error()
             << "needs the setting 'prototype', such as {kind = \"LSTM\", dim "
                "= 100}";
    auto prototype = brick.childSpec("prototype", text);
    if (failed(prototype))
      return failure();
    const BrickKind *kind = brick.findKind(prototype->kind);
    if (kind && !kind->asRecurrent())
      return brick.config.error()
             << "has the prototype " << text
             << ", which does not step over sequences; take a recurrent brick "
                "such as \"LSTM\"";
    for (StringRef name : {"forward", "backward"})
      if (failed(brick.child(name, prototype->kind, prototype->settings)))
        return failure();
    return success();
  }

  LogicalResult build(StringRef, ApplicationBuilder &builder) const override {
    auto forward = direction(builder, "forward", false);
    auto backward = direction(builder, "backward", true);
    if (failed(forward) || failed(backward))
      return failure();
    for (auto [a, b] : llvm::zip(forward->getResults(), backward->getResults()))
      builder.result(joinFeatures(builder.ops, builder.getLoc(), {a, b}), "");
    ApplicationOp child = builder.applicationOf(*forward);
    builder.nameLike(child, child);
    return success();
  }

  /// The options of a call that both directions get.
  static std::vector<StringRef> passedOn() {
    return {"recompute", "checkpoint", "return_final_states",
            "n_steps",   "batch_size", "arguments"};
  }

  static FailureOr<ApplyOp> direction(ApplicationBuilder &builder,
                                      StringRef child, bool reverse) {
    NamedAttrList options;
    for (StringRef key : passedOn())
      if (Attribute value = builder.option(key))
        options.append(key, value);
    if (reverse)
      options.append("reverse", builder.ops.getBoolAttr(true));
    SmallVector<Value> inputs(builder.arguments());
    return builder.apply(
        nestedReference(builder.getReference(), child), "apply", inputs, "",
        options.empty() ? DictionaryAttr()
                        : options.getDictionary(builder.ops.getContext()));
  }
};

} // namespace

void addBidirectional(BrickLibrary &library) {
  library.add(std::make_unique<Bidirectional>());
}

} // namespace blocks
