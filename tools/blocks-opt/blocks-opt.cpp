//===- blocks-opt.cpp - Runs passes on a module, like mlir-opt ------------===//
//
// Every pass and stage of the compiler, one at a time, on text: the tool of
// the compiler's tests and of those who write passes. Options beyond those of
// mlir-opt: --stop-after=STAGE (the compiler's stages up to that one; more of
// its options by --blocks-compile="stop-after=STAGE step-rule=…"),
// --verify-annotations (a pass that loses a role or a name is an
// error). The passes that print (--print-brick-tree, --print-parameters,
// --print-roles, --dot) print alone: the module is not printed after them.
//
//===----------------------------------------------------------------------===//
#include "lib/Pipelines/RegisterPasses.h"
#include "lib/Roles/AnnotationVerifier.h"

#include <llvm/Support/CommandLine.h>
#include <llvm/Support/InitLLVM.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/ToolOutputFile.h>
#include <mlir/Pass/PassManager.h>
#include <mlir/Support/FileUtilities.h>
#include <mlir/Tools/mlir-opt/MlirOptMain.h>

using namespace mlir;

/// True if a pass that prints for people was asked for.
static bool printsForPeople(int argc, char **argv) {
  return llvm::any_of(llvm::make_range(argv + 1, argv + argc), [](StringRef a) {
    a = a.starts_with("--") ? a.drop_front(2)
                            : a.drop_front(a.starts_with("-"));
    a = a.split('=').first;
    return a == "print-brick-tree" || a == "print-parameters" ||
           a == "print-roles" || a == "dot";
  });
}

/// The configuration of the command line, with the annotations' verifier added
/// to the passes if asked for.
static MlirOptMainConfig configure(bool verifyAnnotations) {
  MlirOptMainConfig given = MlirOptMainConfig::createFromCLOptions();
  MlirOptMainConfig config = given;
  config.setPassPipelineSetupFn([=](PassManager &passes) {
    if (verifyAnnotations)
      passes.addInstrumentation(blocks::createAnnotationVerifier());
    return given.setupPassPipeline(passes);
  });
  return config;
}

/// `--stop-after=STAGE` is short for the pipeline that ends there. It is read
/// here since LLVM's code generator has an option of that name.
static std::vector<std::string> expandStopAfter(int argc, char **argv) {
  std::vector<std::string> arguments(argv, argv + argc);
  for (std::string &argument : arguments)
    for (StringRef dashes : {"--", "-"})
      if (StringRef(argument).starts_with((dashes + "stop-after=").str()))
        argument = "--blocks-compile=" + argument.substr(dashes.size());
  return arguments;
}

int main(int givenCount, char **given) {
  llvm::InitLLVM initialize(givenCount, given);
  std::vector<std::string> arguments = expandStopAfter(givenCount, given);
  std::vector<char *> pointers;
  for (std::string &argument : arguments)
    pointers.push_back(argument.data());
  int argc = int(pointers.size());
  pointers.push_back(nullptr);
  char **argv = pointers.data();
  DialectRegistry registry;
  blocks::registerBlocksDialects(registry);
  blocks::registerBlocksPasses();
  blocks::registerUpstreamPasses();

  llvm::cl::opt<bool> verifyAnnotations(
      "verify-annotations",
      llvm::cl::desc("Check that no pass loses a role or a name"));
  auto [input, output] =
      registerAndParseCLIOptions(argc, argv,
                                 "The passes of Blocks\n\n--stop-after=STAGE "
                                 "runs the compiler's stages up "
                                 "to that one",
                                 registry);
  if (output == "-" && printsForPeople(argc, argv))
    output = "/dev/null";

  std::string error;
  auto file = openInputFile(input, &error);
  auto result = file ? openOutputFile(output, &error) : nullptr;
  if (!result) {
    llvm::errs() << "blocks-opt: " << error << "\n";
    return 1;
  }
  if (failed(MlirOptMain(result->os(), std::move(file), registry,
                         configure(verifyAnnotations))))
    return 1;
  result->keep();
  return 0;
}
