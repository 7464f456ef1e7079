//===- CompileModel.cpp - From a model's text to manifest and object ------===//
#include "lib/API/CompileModel.h"

#include "blocks/Error.h"
#include "dialects/Blocks/Blocks.h"
#include "lib/API/ManifestOf.h"
#include "lib/API/ModelParts.h"
#include "lib/Frontend/KernelSources.h"
#include "lib/Frontend/LoadModule.h"
#include "lib/JIT/EmitPtx.h"
#include "lib/Pipelines/Pipeline.h"
#include "lib/Pipelines/RegisterPasses.h"
#include "lib/Roles/AnnotationVerifier.h"

#include <mlir/Dialect/LLVMIR/LLVMDialect.h>
#include <mlir/IR/MLIRContext.h>
#include <mlir/Pass/PassManager.h>

#include <mutex>

using namespace mlir;

namespace blocks {

namespace {

/// One compile: the context, what it said, and the module on its way down.
class Compilation {
public:
  Compilation(const CompileRequest &request, bool verifyEach);

  CompileArtifact run(const std::string &stopAfter);

private:
  void load();
  void noteKernelBodies();
  /// Runs the stages after `from` up to and including `to`.
  void runStages(StringRef from, StringRef to);
  /// Takes the kernels for a GPU out of the module.
  void emitDevice(CompileArtifact &artifact, Manifest &manifest);
  /// The machine code.
  std::string emit();
  std::string print();
  [[noreturn]] void fail();

  const CompileRequest &request;
  bool verifyEach;
  PipelineOptions options;
  DialectRegistry registry;
  MLIRContext context;
  std::string diagnostics;
  std::vector<std::string> warnings;
  OwningOpRef<ModuleOp> module;
};

} // namespace

static PipelineOptions pipelineOptions(const CompileRequest &request) {
  PipelineOptions options;
  options.train = request.training;
  options.eval = request.training || request.evaluation;
  options.cost = request.cost;
  options.graphs = request.graphs;
  options.outputs = request.outputs;
  options.stepRule = request.stepRule;
  options.regularizers = request.regularizers;
  options.device = request.device;
  options.precision = request.precision;
  options.kernelSources = request.kernelBodiesBecause.empty();
  return options;
}

/// Text of a diagnostic with the place in the model: "model.mlir:3:5: …".
static std::string describe(Diagnostic &diagnostic) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  Location location = diagnostic.getLocation();
  if (auto place = location->findInstanceOf<FileLineColLoc>())
    stream << place.getFilename().getValue() << ":" << place.getLine() << ":"
           << place.getColumn() << ": ";
  stream << diagnostic;
  return text;
}

Compilation::Compilation(const CompileRequest &request, bool verifyEach)
    : request(request), verifyEach(verifyEach || request.verifyAnnotations),
      options(pipelineOptions(request)) {
  static std::once_flag once;
  std::call_once(once, [] {
    registerBlocksPasses();
    registerUpstreamPasses();
  });
  registerBlocksDialects(registry);
  registerEmitObjectDialects(registry);
  context.appendDialectRegistry(registry);
  context.disableMultithreading();
  context.printOpOnDiagnostic(false); // errors are for people
  context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
    std::string text = describe(diagnostic);
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error) {
      diagnostics += (diagnostics.empty() ? "" : "\n") + text;
      for (Diagnostic &note : diagnostic.getNotes())
        diagnostics += "\n  note: " + describe(note);
    } else if (diagnostic.getSeverity() == DiagnosticSeverity::Warning) {
      warnings.push_back(text);
    }
    return success();
  });
}

void Compilation::fail() {
  throw InputError(diagnostics.empty() ? "the model cannot be compiled"
                                       : diagnostics);
}

void Compilation::load() {
  module = loadModuleText(context, request.modelText, request.modelName);
  if (!module)
    fail();
  placeKernelSources(*module, request.modelText, request.files);
  noteKernelBodies();
}

/// On a GPU without NVRTC the run says once what that means.
void Compilation::noteKernelBodies() {
  std::string names;
  for (KernelOp kernel : module->getOps<KernelOp>())
    if (kernel.hasSource())
      names += (names.empty() ? "@" : ", @") + kernel.getSymName().str();
  if (names.empty() || request.device != "cuda" ||
      request.kernelBodiesBecause.empty())
    return;
  warnings.push_back("the model's kernels (" + names +
                     ") run as compiled from their bodies, not from their CUDA "
                     "C++: " +
                     request.kernelBodiesBecause);
}

void Compilation::runStages(StringRef from, StringRef to) {
  PassManager passes(&context);
  passes.enableVerifier(verifyEach);
  if (request.verifyAnnotations)
    passes.addInstrumentation(createAnnotationVerifier());
  std::string error;
  if (failed(populateStages(passes, options, from, to, error)))
    throw UsageError(error.empty() ? diagnostics : error);
  if (failed(passes.run(*module)))
    fail();
}

/// How often the program hands the runtime more than a product.
static int64_t countEpilogues(ModuleOp module) {
  int64_t count = 0;
  module.walk([&](LLVM::CallOp call) {
    std::optional<StringRef> callee = call.getCallee();
    count += callee && callee->starts_with("blocks_rt_device_gemm_epilogue_");
  });
  return count;
}

void Compilation::emitDevice(CompileArtifact &artifact, Manifest &manifest) {
  if (request.device != "cuda")
    return;
  llvm::Expected<GpuTarget> target = findGpuTarget(request.cudaArch);
  if (!target)
    throw UsageError(llvm::toString(target.takeError()));
  manifest.epilogues = countEpilogues(*module);
  auto text = emitPtx(*module, *target);
  if (!text)
    throw InputError("code generation failed: " +
                     llvm::toString(text.takeError()));
  artifact.deviceText = std::move(text->ptx);
  manifest.spec.device = request.device;
  manifest.arch = target->architecture;
  // The user's kernels have the first numbers.
  for (const ManifestUserKernel &kernel : manifest.userKernels)
    manifest.kernels.push_back(kernel.name);
  manifest.kernels.insert(manifest.kernels.end(), text->kernels.begin(),
                          text->kernels.end());
}

static bool convertsHalf(Operation *op) {
  auto isHalf = [](Type type) { return getElementTypeOrSelf(type).isF16(); };
  return isa<LLVM::FPExtOp, LLVM::FPTruncOp, LLVM::FPToSIOp, LLVM::FPToUIOp,
             LLVM::SIToFPOp, LLVM::UIToFPOp>(op) &&
         (isHalf(op->getOperand(0).getType()) ||
          isHalf(op->getResult(0).getType()));
}

/// Without instructions for it, LLVM would call functions of a library that
/// programs do not have.
static LogicalResult checkHalf(ModuleOp module, const CpuTarget &target) {
  if (target.hasHalf)
    return success();
  WalkResult walk = module.walk([&](Operation *op) {
    if (!convertsHalf(op))
      return WalkResult::advance();
    op->emitError() << "the model converts f16, but the CPU level '"
                    << target.level
                    << "' has no instructions for it (F16C, from x86-64-v3 "
                       "on); use --cpu-level x86-64-v3 on a processor that has "
                       "them, or keep these numbers in f32";
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

std::string Compilation::emit() {
  llvm::Expected<CpuTarget> target = findCpuTarget(request.cpuLevel);
  if (!target)
    throw UsageError(llvm::toString(target.takeError()));
  if (failed(checkHalf(*module, *target)))
    fail();
  auto object = emitObject(*module, *target);
  if (!object)
    throw InputError("code generation failed: " +
                     llvm::toString(object.takeError()));
  return std::string(object->begin(), object->end());
}

std::string Compilation::print() {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream);
  return text + "\n";
}

CompileArtifact Compilation::run(const std::string &stopAfter) {
  CompileArtifact artifact;
  load();
  if (!stopAfter.empty()) {
    runStages("", stopAfter);
    artifact.text = print();
    return artifact;
  }
  std::vector<ModelPart> parts;
  if (request.training)
    parts = modelParts(*module, request.cost);
  runStages("", "materialize-state");
  Manifest manifest = manifestOf(*module);
  manifest.spec.model = std::move(parts);
  runStages("materialize-state", "to-linalg");
  addLoweringFacts(*module, manifest);
  runStages("to-linalg", "");
  emitDevice(artifact, manifest);
  artifact.object = emit();
  manifest.cpu = request.cpuLevel;
  manifest.spec.warnings = warnings;
  artifact.manifest = formatManifest(manifest);
  return artifact;
}

CompileArtifact compileModel(const CompileRequest &request,
                             const std::string &stopAfter, bool verifyEach) {
  return Compilation(request, verifyEach).run(stopAfter);
}

} // namespace blocks
