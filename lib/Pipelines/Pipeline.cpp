//===- Pipeline.cpp - The table of stages ---------------------------------===//
#include "lib/Pipelines/Pipeline.h"

#include "lib/Regularize/RegularizerSpec.h"
#include "lib/StepRules/Norms.h"
#include "lib/StepRules/RuleSpec.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/raw_ostream.h>
#include <mlir/Pass/PassRegistry.h>

using namespace mlir;

namespace blocks {

//===--- Small helpers ----------------------------------------------------===//

/// Adds passes written as for the command line: "blocks-dropout{p=0.5}".
static LogicalResult add(OpPassManager &passes, const Twine &text,
                         std::string &error) {
  llvm::raw_string_ostream stream(error);
  return parsePassPipeline(text.str(), passes, stream);
}

/// A value of a pass option, in quotes where blanks or commas ask for them.
static std::string quoted(llvm::StringRef text) {
  char quote = text.contains('"') ? '\'' : '"';
  return quote + text.str() + quote;
}

static std::string joined(ArrayRef<std::string> items) {
  return llvm::join(items, ",");
}

//===--- The stages -------------------------------------------------------===//

static LogicalResult expandBricks(OpPassManager &passes,
                                  const PipelineOptions &, std::string &error) {
  return add(passes, "blocks-expand-bricks", error);
}

/// True for what the step rules compute, when the model is no longer asked.
static bool isOfStepRules(const PipelineOptions &options, StringRef output) {
  return options.train &&
         (output == totalGradientNorm || output == totalStepNorm);
}

/// The outputs that are asked for by the path of a value inside a brick.
static std::vector<std::string> watchedValues(const PipelineOptions &options) {
  std::vector<std::string> paths;
  auto addPaths = [&](ArrayRef<std::string> outputs) {
    for (const std::string &output : outputs)
      if (StringRef(output).starts_with("/") &&
          !isOfStepRules(options, output) && !llvm::is_contained(paths, output))
        paths.push_back(output);
  };
  addPaths(options.outputs);
  for (const auto &[graph, outputs] : options.graphs)
    addPaths(outputs);
  return paths;
}

static LogicalResult inlineApplications(OpPassManager &passes,
                                        const PipelineOptions &options,
                                        std::string &error) {
  std::vector<std::string> watched = watchedValues(options);
  std::string watch =
      watched.empty() ? "" : "blocks-watch{values=" + joined(watched) + "},";
  return add(passes,
             "blocks-inline-applications," + watch +
                 "blocks-fold-equal-operands,canonicalize,blocks-check-axes",
             error);
}

/// Clones the cost's graph, then drops the graphs that nobody asked for.
static LogicalResult deriveEntries(OpPassManager &passes,
                                   const PipelineOptions &options,
                                   std::string &error) {
  std::vector<std::string> keep;
  if (options.train || options.eval)
    if (failed(add(passes,
                   "blocks-derive-entries{cost=" + quoted(options.cost) + "}",
                   error)))
      return failure();
  if (options.train)
    keep.push_back("train");
  if (options.eval)
    keep.push_back("eval");
  for (const auto &[graph, outputs] : options.graphs)
    keep.push_back(graph);
  if (keep.empty())
    return success();
  return add(passes, "blocks-select-entries{entries=" + joined(keep) + "}",
             error);
}

/// Batch normalization's training form, then the regularizers in order; then a
/// softmax or a logistic function whose probabilities nothing changed on their
/// way to a cross-entropy is fused with it.
static LogicalResult regularize(OpPassManager &passes,
                                const PipelineOptions &options,
                                std::string &error) {
  if (options.train && failed(add(passes, "blocks-batch-normalize", error)))
    return failure();
  for (const std::string &text : options.regularizers)
    if (llvm::Error problem = addRegularizers(passes, text)) {
      error = llvm::toString(std::move(problem));
      return failure();
    }
  return add(passes, "blocks-fuse-softmax-cost,blocks-fuse-logistic-cost",
             error);
}

static LogicalResult prune(OpPassManager &passes,
                           const PipelineOptions &options, std::string &error) {
  std::vector<std::string> outputs;
  if (options.train || options.eval) {
    for (const std::string &output : options.outputs)
      if (!isOfStepRules(options, output))
        outputs.push_back(output);
    // No name stands for all outputs.
    if (outputs.empty() && !options.outputs.empty())
      outputs.push_back(options.cost);
    return add(passes, "blocks-prune{outputs=" + joined(outputs) + "}", error);
  }
  for (const auto &[graph, wanted] : options.graphs)
    outputs.insert(outputs.end(), wanted.begin(), wanted.end());
  return add(passes, "blocks-prune{outputs=" + joined(outputs) + "}", error);
}

/// Bodies of the user's kernels take the place of calls, before where they are
/// differentiated, else after.
static LogicalResult differentiate(OpPassManager &passes,
                                   const PipelineOptions &options,
                                   std::string &error) {
  bool keep = options.device == "cuda" && options.kernelSources;
  std::string sources =
      std::string("keep-sources=") + (keep ? "true" : "false");
  if (failed(add(passes,
                 "blocks-inline-kernels{keep-gradients=true " + sources + "}",
                 error)))
    return failure();
  if (options.train &&
      failed(add(passes,
                 "blocks-hoist-scan-products,blocks-differentiate{cost=" +
                     quoted(options.cost) + "}",
                 error)))
    return failure();
  return add(passes, "blocks-inline-kernels{" + sources + "}", error);
}

static LogicalResult stepRules(OpPassManager &passes,
                               const PipelineOptions &options,
                               std::string &error) {
  if (!options.train)
    return success();
  if (llvm::Error problem = checkStepRules(options.stepRule)) {
    error = llvm::toString(std::move(problem));
    return failure();
  }
  std::vector<std::string> norms;
  for (const std::string &output : options.outputs)
    if (isOfStepRules(options, output))
      norms.push_back(output);
  std::string outputs = norms.empty() ? "" : " outputs=" + joined(norms);
  return add(passes,
             "blocks-step-rules{rule=" + quoted(options.stepRule) + outputs +
                 "}",
             error);
}

static LogicalResult materializeState(OpPassManager &passes,
                                      const PipelineOptions &,
                                      std::string &error) {
  return add(passes, "canonicalize,cse,blocks-materialize-state", error);
}

static LogicalResult toLinalg(OpPassManager &passes,
                              const PipelineOptions &options,
                              std::string &error) {
  if (options.precision != "f32" && options.precision != "bf16") {
    error = "there is no precision '" + options.precision +
            "' of products; use f32 or bf16";
    return failure();
  }
  if (options.precision == "f32")
    return add(passes, "blocks-to-linalg", error);
  StringRef stores = options.device == "cuda" ? "true" : "false";
  return add(passes, "blocks-bf16,blocks-to-linalg{store-bf16=" + stores + "}",
             error);
}

static LogicalResult fuse(OpPassManager &passes, const PipelineOptions &,
                          std::string &error) {
  return add(passes, "func.func(blocks-fuse)", error);
}

static LogicalResult bufferize(OpPassManager &passes, const PipelineOptions &,
                               std::string &error) {
  return add(passes, "blocks-bufferize", error);
}

/// A GPU's products take weights as they lie and add in place, and its updates
/// become one launch.
static LogicalResult planMemory(OpPassManager &passes,
                                const PipelineOptions &options,
                                std::string &error) {
  StringRef given = options.device == "cuda"
                        ? "{pack-weights=false fold-sums=true "
                          "updates-last=true}"
                        : "";
  return add(passes, "blocks-group-dispatches" + given + ",blocks-plan-memory",
             error);
}

static LogicalResult dispatch(OpPassManager &passes,
                              const PipelineOptions &options,
                              std::string &error) {
  if (options.device == "cuda")
    return add(passes, "blocks-mark-epilogues,blocks-form-launches", error);
  if (options.device == "cpu")
    return add(passes, "blocks-form-dispatches", error);
  error = "there is no device '" + options.device + "'; use cpu or cuda";
  return failure();
}

static LogicalResult toLLVM(OpPassManager &passes, const PipelineOptions &,
                            std::string &error) {
  return add(passes, "blocks-approximate-math,blocks-to-llvm", error);
}

llvm::ArrayRef<Stage> stages() {
  static const Stage table[] = {{"expand-bricks", expandBricks},
                                {"inline", inlineApplications},
                                {"derive-entries", deriveEntries},
                                {"regularize", regularize},
                                {"prune", prune},
                                {"differentiate", differentiate},
                                {"step-rules", stepRules},
                                {"materialize-state", materializeState},
                                {"to-linalg", toLinalg},
                                {"fuse", fuse},
                                {"bufferize", bufferize},
                                {"plan-memory", planMemory},
                                {"dispatch", dispatch},
                                {"llvm", toLLVM}};
  return table;
}

//===--- Ranges of stages -------------------------------------------------===//

/// Index of the stage called `name`; the number of stages if there is none.
static size_t indexOf(StringRef name) {
  return llvm::find_if(stages(),
                       [&](const Stage &s) { return s.name == name; }) -
         stages().begin();
}

LogicalResult populateStages(OpPassManager &passes,
                             const PipelineOptions &options, StringRef from,
                             StringRef to, std::string &error) {
  size_t begin = from.empty() ? 0 : indexOf(from) + 1;
  size_t end = to.empty() ? stages().size() : indexOf(to) + 1;
  if (end > stages().size()) {
    std::vector<std::string> names;
    for (const Stage &stage : stages())
      names.push_back(stage.name.str());
    error = "there is no stage '" + to.str() + "'; the stages are " +
            llvm::join(names, ", ");
    return failure();
  }
  for (size_t i = begin; i < end; ++i)
    if (failed(stages()[i].populate(passes, options, error)))
      return failure();
  return success();
}

//===--- As a pipeline of blocks-opt --------------------------------------===//

namespace {
struct CompileOptions : PassPipelineOptions<CompileOptions> {
  Option<std::string> stopAfter{*this, "stop-after",
                                llvm::cl::desc("the last stage to run")};
  Option<std::string> cost{*this, "cost", llvm::cl::init("cost"),
                           llvm::cl::desc("the output to minimize")};
  Option<std::string> stepRule{*this, "step-rule",
                               llvm::cl::init("scale(learning_rate=0.1)"),
                               llvm::cl::desc("the step rule")};
  Option<std::string> regularize{*this, "regularize",
                                 llvm::cl::desc("regularizers, in order")};
  Option<std::string> device{*this, "device", llvm::cl::init("cpu"),
                             llvm::cl::desc("cpu or cuda")};
  Option<std::string> precision{*this, "precision", llvm::cl::init("f32"),
                                llvm::cl::desc("of products: f32 or bf16")};
  ListOption<std::string> outputs{*this, "outputs",
                                  llvm::cl::desc("outputs to keep")};
  ListOption<std::string> graphs{
      *this, "graphs",
      llvm::cl::desc("graphs to compile instead of train and eval")};
};
} // namespace

static LogicalResult
buildPipeline(OpPassManager &passes, const CompileOptions &given,
              function_ref<LogicalResult(const Twine &)> emitError) {
  PipelineOptions options;
  options.train = options.eval = given.graphs.empty();
  options.cost = given.cost;
  options.stepRule = given.stepRule;
  if (!given.regularize.empty())
    options.regularizers.push_back(given.regularize);
  options.device = given.device;
  options.precision = given.precision;
  options.outputs.assign(given.outputs.begin(), given.outputs.end());
  for (const std::string &graph : given.graphs)
    options.graphs.emplace_back(graph, options.outputs);
  std::string error;
  if (succeeded(populateStages(passes, options, "", given.stopAfter, error)))
    return success();
  return emitError(error);
}

void registerBlocksPipeline() {
  registerPassPipeline(
      "blocks-compile",
      "The stages of the compiler, up to the one named by stop-after",
      [](OpPassManager &passes, StringRef text,
         function_ref<LogicalResult(const Twine &)> emitError) {
        CompileOptions options;
        if (failed(options.parseFromString(text)))
          return failure();
        return buildPipeline(passes, options, emitError);
      },
      [](function_ref<void(const detail::PassOptions &)> print) {
        print(CompileOptions());
      });
}

} // namespace blocks
