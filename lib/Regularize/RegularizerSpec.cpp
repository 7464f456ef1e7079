//===- RegularizerSpec.cpp - --regularize 'dropout(p=0.5, …)' → passes ----===//
//
// The text's form is RuleSpec's, shared with step rules; here is what exists.
//
//===----------------------------------------------------------------------===//
#include "lib/Regularize/RegularizerSpec.h"

#include "lib/Regularize/Passes.h"
#include "lib/Roles/RoleFilter.h"
#include "lib/StepRules/RuleSpec.h"

#include <mlir/Pass/PassManager.h>

namespace blocks {

static std::vector<RuleSpec> knownRegularizers() {
  return {
      {"dropout",
       {{"p", RuleType::Number},
        {"where", RuleType::Text},
        {"per_sequence", RuleType::Flag}}},
      {"weight_noise", {{"std", RuleType::Number}, {"where", RuleType::Text}}},
      {"activation_noise",
       {{"std", RuleType::Number}, {"where", RuleType::Text}}},
      {"penalty",
       {{"l1", RuleType::Number},
        {"l2", RuleType::Number},
        {"where", RuleType::Text}}}};
}

static llvm::Error checkFilter(const std::string &filter) {
  return RoleFilter::parse(filter).takeError();
}

/// dropout: has no default filter, since any guess would surprise.
static llvm::Error addDropout(mlir::OpPassManager &passes,
                              const RuleCall &call) {
  DropoutOptions options;
  options.p = call.number("p", 0.5);
  options.where = call.text("where", "");
  options.perSequence = call.flag("per_sequence", false);
  if (options.where.empty())
    return llvm::createStringError(
        "dropout needs where=\"…\", a filter of the values, such as "
        "dropout(p=0.5, where=\"role:output brick:/mlp/rectifier_*\")");
  if (!(options.p >= 0 && options.p < 1))
    return llvm::createStringError(
        "dropout's p is the probability of setting an element to 0, from 0 to "
        "below 1; found " +
        std::to_string(options.p));
  if (llvm::Error error = checkFilter(options.where))
    return error;
  passes.addPass(createDropout(options));
  return llvm::Error::success();
}

/// weight_noise and activation_noise: one pass, whose default filter is the
/// weights; activations have none.
static llvm::Error addNoise(mlir::OpPassManager &passes, const RuleCall &call) {
  bool onActivations = call.name == "activation_noise";
  WeightNoiseOptions options;
  options.std = call.number("std", options.std);
  options.where = call.text("where", onActivations ? "" : options.where);
  if (!(options.std >= 0))
    return llvm::createStringError(call.name + "'s std must not be negative");
  if (options.where.empty())
    return llvm::createStringError(
        "activation_noise needs where=\"…\", a filter of the values, such as "
        "activation_noise(std=0.1, where=\"role:output brick:/mlp/tanh_*\")");
  if (llvm::Error error = checkFilter(options.where))
    return error;
  passes.addPass(createWeightNoise(options));
  return llvm::Error::success();
}

static llvm::Error addPenalty(mlir::OpPassManager &passes,
                              const RuleCall &call) {
  PenaltyOptions options;
  options.l1 = call.number("l1", 0.0);
  options.l2 = call.number("l2", 0.0);
  options.where = call.text("where", options.where);
  if (options.l1 < 0 || options.l2 < 0)
    return llvm::createStringError(
        "penalty's l1 and l2 must not be negative: weights would be driven "
        "away from 0 without end");
  if (options.l1 == 0 && options.l2 == 0)
    return llvm::createStringError(
        "penalty needs l1 or l2, such as penalty(l2=0.0005)");
  if (llvm::Error error = checkFilter(options.where))
    return error;
  passes.addPass(createPenalty(options));
  return llvm::Error::success();
}

llvm::Error addRegularizers(mlir::OpPassManager &passes, llvm::StringRef text) {
  llvm::Expected<std::vector<RuleCall>> calls = parseRules(text);
  if (!calls)
    return calls.takeError();
  if (llvm::Error error =
          checkRules(*calls, knownRegularizers(), "regularizer"))
    return error;
  for (const RuleCall &call : *calls) {
    llvm::Error error = call.name == "dropout"   ? addDropout(passes, call)
                        : call.name == "penalty" ? addPenalty(passes, call)
                                                 : addNoise(passes, call);
    if (error)
      return error;
  }
  return llvm::Error::success();
}

} // namespace blocks
