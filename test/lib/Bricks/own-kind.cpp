//===- own-kind.cpp - A recurrent brick that is not in the library --------===//
//
// What a user's own transition needs, and Blocks' case of one whose outputs are
// not all states: state and output both count up, the output stands first. With
// return_initial_states the states have one step more, the outputs have not.
//
//===----------------------------------------------------------------------===//
#include "lib/Bricks/BrickExpander.h"
#include "lib/Bricks/RecurrentBrick.h"
#include "lib/Bricks/TensorHelpers.h"
#include "lib/Reference/Interpreter.h"
#include "test/Check.h"
#include "test/tools/Model.h"

#include <mlir/Parser/Parser.h>

using namespace blocks;
using namespace mlir;

namespace {

class Counter : public RecurrentBrick {
  StringRef getName() const override { return "Counter"; }
  StepSignature getSignature(BrickOp, const BrickLibrary &) const override {
    return {{}, {{"states", 4}}, {}, {{"outputs", 4}, {"states", 4}}};
  }
  FailureOr<SmallVector<Value>>
  buildStep(ApplicationBuilder &builder,
            const NamedValues &values) const override {
    Value before = values["states"];
    Value one = splatLike(builder.ops, builder.getLoc(), 1.0, before);
    Value next =
        arith::AddFOp::create(builder.ops, builder.getLoc(), before, one);
    return SmallVector<Value>{next, next};
  }
  FailureOr<SmallVector<Value>>
  buildInitialStates(ApplicationBuilder &builder, Value like,
                     int64_t batchAxis) const override {
    Value zero = arith::ConstantOp::create(
        builder.ops, builder.getLoc(),
        DenseElementsAttr::get(
            RankedTensorType::get({4}, builder.ops.getF32Type()), 0.0f));
    return SmallVector<Value>{
        forEachRow(builder.ops, builder.getLoc(), zero, like, batchAxis)};
  }
};

constexpr const char *model = R"(
blocks.brick @counter = "Counter" {}
blocks.graph @count() {
  %o, %s, %f = blocks.apply @counter::@apply() {n_steps = 3, batch_size = 5, return_initial_states, return_final_states}
    : () -> (tensor<3x5x4xf32>, tensor<4x5x4xf32>, tensor<5x4xf32>)
  blocks.output %o "outputs" : tensor<3x5x4xf32>
  blocks.output %s "states" : tensor<4x5x4xf32>
  blocks.output %f "last" : tensor<5x4xf32>
}
)";

/// Each slice along axis 0 holds one number.
void checkSlices(const reference::Tensor &found,
                 std::vector<int64_t> expectedShape,
                 const std::vector<double> &expected) {
  CHECK(llvm::ArrayRef(expectedShape) == found.shape());
  int64_t size = found.size() / int64_t(expected.size());
  for (int64_t i = 0; i < found.size(); ++i)
    CHECK_EQ(found.real(i), expected[size_t(i / size)]);
}

void countUp(MLIRContext &context) {
  // The module is verified when its bricks are known, after expansion.
  ParserConfig config(&context, /*verifyAfterParse=*/false);
  auto module = parseSourceString<ModuleOp>(model, config);
  CHECK(bool(module));
  if (!module)
    return;
  BrickLibrary library(context.getOrLoadDialect<BlocksDialect>());
  library.add(std::make_unique<Counter>());
  InitUsage usage(/*warns=*/true);
  BrickExpander expander(*module, library, usage);
  bool expanded =
      succeeded(expander.declareAll()) && succeeded(expander.expandCalls()) &&
      succeeded(testing::runPasses(*module,
                                   "blocks-inline-applications,canonicalize"));
  CHECK(expanded);
  auto entry = testing::findEntry(*module, "count");
  if (!expanded || failed(entry))
    return;
  auto results = reference::run(*entry, {});
  CHECK(succeeded(results) && results->outputs.size() == 3);
  if (failed(results))
    return;
  checkSlices(results->outputs[0].second, {3, 5, 4}, {1, 2, 3});
  checkSlices(results->outputs[1].second, {4, 5, 4}, {0, 1, 2, 3});
  checkSlices(results->outputs[2].second, {5, 4}, {3});
}

} // namespace

int main() {
  auto context = testing::makeContext();
  countUp(*context);
  return checkSummary();
}
