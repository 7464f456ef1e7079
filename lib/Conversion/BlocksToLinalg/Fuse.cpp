//===- Fuse.cpp - The pass blocks-fuse ------------------------------------===//
//
// Fuses elementwise producers into their consumers, by these rules:
// - What costs nothing (broadcasts, casts) goes into every consumer.
// - What only one operation needs goes into it, unless that one would compute
//   it several times for each element.
// - What several need goes into the first elementwise one, which then writes
//   both results; so nothing is computed twice (a mask's random bits, an
//   exponential), and an optimizer's buffers and parameter are one sweep.
// - What several need of which one is a sum goes into all of them at once,
// which
//   become one operation.
// - Two operations between which another has to stand, since it reads a state's
//   old value or overwrites it, stay two.
// Operations never move into loops, other than free ones. Equal operations are
// not merged: that would merge destinations too.
//
//===----------------------------------------------------------------------===//
#include "lib/Conversion/BlocksToLinalg/Destinations.h"
#include "lib/Conversion/BlocksToLinalg/Lowering.h"
#include "lib/Conversion/BlocksToLinalg/Overwrites.h"
#include "lib/Conversion/BlocksToLinalg/Passes.h"
#include "lib/Conversion/BlocksToLinalg/Siblings.h"

#include <mlir/Dialect/Linalg/Transforms/Transforms.h>
#include <mlir/IR/Dominance.h>
#include <mlir/Transforms/CSE.h>
#include <mlir/Transforms/GreedyPatternRewriteDriver.h>

using namespace mlir;

namespace blocks {

#define GEN_PASS_DEF_FUSE
#include "lib/Conversion/BlocksToLinalg/Passes.h.inc"

/// Broadcasts, casts and constants: computing them again costs nothing.
static bool isFree(linalg::GenericOp op) {
  return llvm::all_of(op.getBody()->without_terminator(), [](Operation &inner) {
    return isa<arith::ConstantOp, arith::ExtFOp, arith::TruncFOp,
               arith::SIToFPOp, arith::UIToFPOp, arith::ExtUIOp, arith::ExtSIOp,
               arith::TruncIOp, arith::IndexCastOp, linalg::IndexOp>(inner);
  });
}

static bool hasOtherUsers(linalg::GenericOp producer, Operation *consumer) {
  return llvm::any_of(producer->getUsers(),
                      [&](Operation *user) { return user != consumer; });
}

/// True if all users but `consumer` stand after it, so that they can use the
/// fused operation's results.
static bool othersComeLater(linalg::GenericOp producer, Operation *consumer) {
  return llvm::all_of(producer->getUsers(), [&](Operation *user) {
    Operation *ancestor = consumer->getBlock()->findAncestorOpInBlock(*user);
    return ancestor == consumer ||
           (ancestor && consumer->isBeforeInBlock(ancestor));
  });
}

/// The consumer visits each of the producer's elements once.
static bool hasSameLoops(linalg::GenericOp producer,
                         linalg::GenericOp consumer) {
  return producer.getNumLoops() == consumer.getNumLoops();
}

static bool isElementwise(linalg::GenericOp op) {
  return op.getNumParallelLoops() == op.getNumLoops();
}

enum class Decision { Keep, Fuse, FuseCopy };

static Decision decide(linalg::GenericOp producer, linalg::GenericOp consumer) {
  if (isFree(producer))
    return Decision::FuseCopy;
  if (producer->getBlock() != consumer->getBlock() ||
      !hasSameLoops(producer, consumer))
    return Decision::Keep;
  if (!hasOtherUsers(producer, consumer))
    return Decision::Fuse;
  bool canYieldBoth =
      isElementwise(consumer) && othersComeLater(producer, consumer);
  return canYieldBoth ? Decision::Fuse : Decision::Keep;
}

/// A copy of the producer for this operand alone, so that fusing it leaves
/// nothing of it in the fused operation's results.
static void copyProducer(RewriterBase &rewriter, OpOperand &operand) {
  auto result = cast<OpResult>(operand.get());
  rewriter.setInsertionPoint(operand.getOwner());
  Operation *copy = rewriter.clone(*result.getOwner());
  rewriter.modifyOpInPlace(operand.getOwner(), [&] {
    operand.set(copy->getResult(result.getResultNumber()));
  });
}

/// Fuses the producer of one operand; the fused operation, or null.
static linalg::GenericOp fuseOperand(RewriterBase &rewriter,
                                     OpOperand &operand) {
  if (!linalg::areElementwiseOpsFusable(&operand))
    return {};
  auto consumer = cast<linalg::GenericOp>(operand.getOwner());
  auto producer = operand.get().getDefiningOp<linalg::GenericOp>();
  Decision decision = decide(producer, consumer);
  if (decision == Decision::Keep ||
      somethingStandsBetween(producer, consumer,
                             decision == Decision::FuseCopy))
    return {};
  if (decision == Decision::FuseCopy && hasOtherUsers(producer, consumer)) {
    copyProducer(rewriter, operand);
    producer = operand.get().getDefiningOp<linalg::GenericOp>();
  }
  rewriter.setInsertionPoint(consumer);
  FailureOr<linalg::ElementwiseOpFusionResult> fused =
      linalg::fuseElementwiseOps(rewriter, &operand);
  if (failed(fused))
    return {};
  // The fused operation may still need another of the producer's results; it
  // gets that from the producer, never from itself, and fuses it in the next
  // round.
  for (auto [old, replacement] : fused->replacements)
    rewriter.replaceAllUsesExcept(old, replacement, fused->fusedOp);
  rewriter.eraseOp(consumer);
  if (producer->use_empty())
    rewriter.eraseOp(producer);
  return cast<linalg::GenericOp>(fused->fusedOp);
}

/// A producer that was fused for two of its results is there twice: its body,
/// operands and results. Left until the end, they would double with every such
/// producer.
static linalg::GenericOp mergeEqual(RewriterBase &rewriter,
                                    linalg::GenericOp op) {
  for (bool bodyIsMerged : {false, true}) {
    FailureOr<linalg::GenericOp> merged =
        linalg::deduplicateOperandsAndRemoveDeadResults(rewriter, op,
                                                        /*removeOutputs=*/true);
    if (succeeded(merged))
      op = *merged;
    if (bodyIsMerged)
      break;
    DominanceInfo dominance(op);
    eliminateCommonSubExpressions(rewriter, dominance, op);
  }
  return op;
}

/// Fuses all that can be into `op`.
static bool fuseInto(RewriterBase &rewriter, linalg::GenericOp op) {
  bool changed = false;
  for (bool again = true; again;) {
    again = false;
    for (OpOperand *operand : op.getDpsInputOperands())
      if (linalg::GenericOp fused = fuseOperand(rewriter, *operand)) {
        op = mergeEqual(rewriter, fused);
        again = changed = true;
        break;
      }
  }
  return changed;
}

/// Consumers in program order, so that producers are fused already.
static bool fuseBlock(RewriterBase &rewriter, Block &block) {
  bool changed = false;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto generic = dyn_cast<linalg::GenericOp>(op))
      changed |= fuseInto(rewriter, generic);
    else
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          if (!isa<linalg::LinalgOp>(op))
            changed |= fuseBlock(rewriter, inner);
  }
  return changed;
}

/// Fuses `producer`, and nothing else, into `op`.
static void fuseOnly(RewriterBase &rewriter, linalg::GenericOp op,
                     Operation *producer) {
  for (bool again = true; again;) {
    again = false;
    for (OpOperand *operand : op.getDpsInputOperands())
      if (operand->get().getDefiningOp() == producer)
        if (linalg::GenericOp fused = fuseOperand(rewriter, *operand)) {
          op = mergeEqual(rewriter, fused);
          again = true;
          break;
        }
  }
}

/// Merges the users of what several sums need, and fuses it into them.
static void fuseSiblings(RewriterBase &rewriter, func::FuncOp function) {
  SmallVector<linalg::GenericOp> producers;
  function.walk([&](linalg::GenericOp op) { producers.push_back(op); });
  // From the last one on: a user that is merged away was seen before.
  for (linalg::GenericOp producer : llvm::reverse(producers))
    if (linalg::GenericOp merged = mergeUsers(rewriter, producer))
      fuseOnly(rewriter, merged, producer);
}

/// Also in operations into which nothing was fused.
static void mergeEqualScalars(RewriterBase &rewriter, func::FuncOp function) {
  DominanceInfo dominance;
  function.walk([&](linalg::GenericOp op) {
    eliminateCommonSubExpressions(rewriter, dominance, op);
  });
}

namespace {

struct Fuse : impl::FuseBase<Fuse> {
  LogicalResult initialize(MLIRContext *context) override {
    // The patterns that fold fills and constants into bodies and drop unused
    // operands and results come with the fusion pattern, which never applies.
    RewritePatternSet set(context);
    linalg::populateElementwiseOpsFusionPatterns(
        set, [](OpOperand *) { return false; });
    for (Dialect *dialect : context->getLoadedDialects())
      dialect->getCanonicalizationPatterns(set);
    for (RegisteredOperationName name : context->getRegisteredOperations())
      if (StringRef space = name.getDialectNamespace();
          space == "linalg" || space == "tensor" || space == "scf" ||
          space == "arith")
        name.getCanonicalizationPatterns(set, context);
    cleanup = FrozenRewritePatternSet(std::move(set));
    return success();
  }

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (!function->hasAttr("blocks.entry") || function.isExternal())
      return;
    IRRewriter rewriter(&getContext());
    do {
      if (failed(applyPatternsGreedily(function, cleanup)))
        return signalPassFailure();
    } while (fuseBlock(rewriter, function.getBody().front()));
    mergeEqualScalars(rewriter, function);
    chooseDestinations(function);
    fuseSiblings(rewriter, function);
    orderUpdates(function);
  }

  FrozenRewritePatternSet cleanup;
};

} // namespace

} // namespace blocks
