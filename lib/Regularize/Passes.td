//===- Passes.td - Regularizers: passes over the training graph -----------===//
//
// Each acts on the values that its filter finds (lib/Roles/RoleFilter.h), in
// the derived entry @train, or in every graph if no entries were derived.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_REGULARIZE_PASSES_TD
#define LIB_REGULARIZE_PASSES_TD

include "mlir/Pass/PassBase.td"

def Dropout : Pass<"blocks-dropout", "::mlir::ModuleOp"> {
  let summary = "sets elements of values to 0 with probability p";
  let description = [{
    v → v·m/(1-p) with m = 1 where a uniform deviate is below 1-p (Srivastava et
    al. 2014, inverted). The new value stands between the outermost matched tag
    and its users, with role DROPOUT; what the tags name stays the clean value.
    Inside a scan each step has its own mask, or, with `per_sequence`, all steps
    share one (Gal and Ghahramani 2016).
  }];
  let options = [
    Option<"p", "p", "double", "0.5", "Probability of setting an element to 0">,
    Option<"where", "where", "std::string", "", "Filter of the values, such as role:output brick:/mlp/rectifier_*">,
    Option<"perSequence", "per_sequence", "bool", "false", "One mask for all steps of a scan">];
}

def WeightNoise : Pass<"blocks-weight-noise", "::mlir::ModuleOp"> {
  let summary = "adds normal noise to parameters or activations, anew in each step";
  let description = [{
    W → W + std·N(0, 1). The gradient flows to the parameter unchanged. It works
    on any value that the filter finds: a weight that a loop captures has one
    noise for all steps, an activation inside the loop one for each step.
  }];
  let options = [
    Option<"std", "std", "double", "0.01", "Standard deviation">,
    Option<"where", "where", "std::string", "\"role:weight\"", "Filter of the values">];
}

def Penalty : Pass<"blocks-penalty", "::mlir::ModuleOp"> {
  let summary = "adds l1·Σ|W| + l2·ΣW² to the cost";
  let description = [{
    The cost becomes the optimized value, and the penalty is an output of its
    own, "penalty". The sums run over all elements of all values that the filter
    finds, so a filter of activations also sums over the batch.
  }];
  let options = [
    Option<"l1", "l1", "double", "0.0", "Factor of the absolute values">,
    Option<"l2", "l2", "double", "0.0", "Factor of the squares">,
    Option<"where", "where", "std::string", "\"role:weight\"", "Filter of the values">];
}

def BatchNormalize : Pass<"blocks-batch-normalize", "::mlir::ModuleOp"> {
  let summary = "normalizes by the batch's statistics, and updates the population's";
  let description = [{
    A batch-normalizing brick computes with the population's statistics, beside
    which stand those of the batch, under tags with role
    batch_norm_minibatch_estimate. In the training graph this pass uses the
    batch's instead, so that gradients flow through them, and assigns to each
    statistic of the population p + update_rate·(estimate - p). The other graphs
    stay as they are. A brick that is applied twice, or inside a scan, has no one
    estimate to learn from: an error.
  }];
}

#endif
