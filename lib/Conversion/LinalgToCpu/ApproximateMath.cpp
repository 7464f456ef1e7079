// blocks-approximate-math: no call of libm is left. f32 functions become
// polynomials on scalars, which LLVM's loop vectorizer widens; measured at 1 to
// 5 ulp, and as fast as memory. f64, which only gradient checks and counters
// use, calls the runtime. Runs after form-dispatches, on kernels.
#include "lib/Conversion/LinalgToCpu/Passes.h"
#include "lib/Conversion/LinalgToCpu/Place.h"
#include "lib/Conversion/LinalgToCpu/WideMath.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Dialect/Math/IR/Math.h>
#include <mlir/Dialect/Math/Transforms/Passes.h>
#include <mlir/Dialect/Vector/IR/VectorOps.h>
#include <mlir/Transforms/GreedyPatternRewriteDriver.h>

using namespace mlir;

namespace blocks {
#define GEN_PASS_DEF_APPROXIMATEMATH
#include "lib/Conversion/LinalgToCpu/Passes.h.inc"

namespace {

/// Functions with a polynomial that is good over the whole range. The sine's
/// and cosine's reduce their range in f32 and lose all digits far from zero,
/// so these go to the runtime in f64.
constexpr StringRef kPolynomials[] = {"math.tanh",  "math.exp",   "math.log",
                                      "math.log2",  "math.log1p", "math.erf",
                                      "math.erfc",  "math.expm1", "math.atan",
                                      "math.atan2", "math.cbrt"};

/// Functions which the runtime offers in f64.
constexpr StringRef kRuntimeFunctions[] = {
    "acos",  "asin", "atan",  "atan2", "cbrt", "cos", "erf",   "erfc", "exp",
    "expm1", "log",  "log10", "log1p", "log2", "pow", "round", "sin",  "tanh"};

/// The runtime's name of what `op` computes; empty if it has no function.
StringRef runtimeName(Operation *op) {
  if (isa<arith::RemFOp>(op))
    return "rem";
  if (isa<math::PowFOp>(op))
    return "pow";
  StringRef name = op->getName().getStringRef();
  bool known = name.consume_front("math.") &&
               llvm::is_contained(kRuntimeFunctions, name);
  return known ? name : StringRef();
}

/// Kernels for a GPU stand in a module of their own.
bool isOnDevice(Operation *op) {
  auto owner = op->getParentOfType<ModuleOp>();
  return owner && owner->getParentOp();
}

bool isInstruction(Operation *op) {
  return isa<math::AbsFOp, math::AbsIOp, math::SqrtOp, math::FloorOp,
             math::CeilOp, math::TruncOp, math::RoundEvenOp, math::CopySignOp,
             math::FmaOp, math::IsNaNOp, math::IsFiniteOp>(op);
}

/// |x| = inf.
struct CompareWithInfinity : OpRewritePattern<math::IsInfOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::IsInfOp op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<FloatType>(op.getOperand().getType());
    if (!type)
      return failure();
    Value magnitude =
        math::AbsFOp::create(rewriter, op.getLoc(), op.getOperand());
    Value infinity = arith::ConstantOp::create(
        rewriter, op.getLoc(),
        FloatAttr::get(type, APFloat::getInf(type.getFloatSemantics())));
    rewriter.replaceOpWithNewOp<arith::CmpFOp>(op, arith::CmpFPredicate::OEQ,
                                               magnitude, infinity);
    return success();
  }
};

/// min(max(x, low), high). Upstream's expansion takes the bounds the other way
/// round.
struct ExpandClamp : OpRewritePattern<math::ClampFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::ClampFOp op,
                                PatternRewriter &rewriter) const override {
    Value above = arith::MaximumFOp::create(rewriter, op.getLoc(),
                                            op.getValue(), op.getMin());
    rewriter.replaceOpWithNewOp<arith::MinimumFOp>(op, above, op.getMax());
    return success();
  }
};

/// A scalar function on f64, or on f32 without a polynomial, calls the runtime
/// in f64; on a GPU, where there is none, a function of the module.
class CallRuntime : public RewritePattern {
public:
  explicit CallRuntime(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), 0, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    StringRef name = runtimeName(op);
    if (name.empty() || !isa<FloatType>(op->getResult(0).getType()))
      return failure();
    Type wide = rewriter.getF64Type();
    Type own = op->getResult(0).getType();
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(
          own == wide
              ? operand
              : arith::ExtFOp::create(rewriter, op->getLoc(), wide, operand));
    Value result =
        func::CallOp::create(rewriter, op->getLoc(),
                             getFunction(op, name, operands.size(), rewriter),
                             operands)
            .getResult(0);
    if (own != wide)
      result = arith::TruncFOp::create(rewriter, op->getLoc(), own, result);
    rewriter.replaceOp(op, result);
    return success();
  }

private:
  func::FuncOp getFunction(Operation *op, StringRef name, size_t count,
                           PatternRewriter &rewriter) const {
    std::string symbol = ("blocks_rt_" + name + "_f64").str();
    auto owner = op->getParentOfType<ModuleOp>();
    if (isOnDevice(op))
      return getWideFunction(owner, name);
    if (auto known = owner.lookupSymbol<func::FuncOp>(symbol))
      return known;
    OpBuilder builder = OpBuilder::atBlockBegin(owner.getBody());
    SmallVector<Type> types(count, builder.getF64Type());
    auto function = func::FuncOp::create(
        builder, owner->getLoc(), symbol,
        builder.getFunctionType(types, builder.getF64Type()));
    function.setPrivate();
    return function;
  }
};

class ApproximateMath : public impl::ApproximateMathBase<ApproximateMath> {
public:
  void runOnOperation() override {
    if (failed(approximate()) || failed(checkNothingLeft()))
      signalPassFailure();
  }

private:
  LogicalResult approximate() {
    RewritePatternSet patterns(&getContext());
    populateMathPolynomialApproximationPatterns(
        patterns,
        [](StringRef name) { return llvm::is_contained(kPolynomials, name); },
        /*benefit=*/2);
    math::populateExpansionPatterns(
        patterns, {"rsqrt", "sinh", "cosh", "tan", "asinh", "acosh", "atanh",
                   "exp2", "round", "fpowi", "ipowi", "powf"});
    patterns.add<CompareWithInfinity, ExpandClamp, CallRuntime>(&getContext());
    // Only the functions themselves are visited; folding the rest is LLVM's
    // work.
    FrozenRewritePatternSet frozen(std::move(patterns));
    SmallVector<func::FuncOp> functions;
    getOperation().walk(
        [&](func::FuncOp function) { functions.push_back(function); });
    for (func::FuncOp function : functions) {
      SmallVector<Operation *> ops;
      function.walk([&](Operation *op) {
        if (isa_and_nonnull<math::MathDialect>(op->getDialect()) ||
            isa<arith::RemFOp>(op))
          ops.push_back(op);
      });
      GreedyRewriteConfig config;
      config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
      if (failed(applyOpPatternsGreedily(ops, frozen, config)))
        return failure();
    }
    return success();
  }

  LogicalResult checkNothingLeft() {
    WalkResult result = getOperation().walk([](Operation *op) -> WalkResult {
      bool isCall = isa_and_nonnull<math::MathDialect>(op->getDialect()) &&
                    !isInstruction(op);
      if (isCall || isa<arith::RemFOp>(op))
        return emitError(op->getLoc())
               << "'" << op->getName() << "' on " << op->getResult(0).getType()
               << brickOf(op->getLoc()) << " has no code on the "
               << (isOnDevice(op) ? "GPU" : "CPU")
               << "; write it by functions that have "
                  "(docs/status.md lists them), or blocks.cast to the other "
                  "float type";
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }
};

} // namespace
} // namespace blocks
