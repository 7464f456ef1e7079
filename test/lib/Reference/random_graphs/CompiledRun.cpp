//===- CompiledRun.cpp - See the header -----------------------------------===//
#include "test/lib/Reference/random_graphs/CompiledRun.h"

#include "blocks/CompiledProgram.h"
#include "blocks/Error.h"
#include "blocks/Parameters.h"
#include "runtime/Compile/KernelFiles.h"
#include "runtime/Device/CpuInfo.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/raw_ostream.h>
#include <mlir/AsmParser/AsmParser.h>

#include <cstring>

using namespace mlir;

namespace blocks::testing {

using reference::NamedTensors;

/// The model without the attributes that tell the tests how to run it, which
/// the compiler does not know.
static std::string textForCompiler(ModuleOp module) {
  OwningOpRef<ModuleOp> copy = module.clone();
  copy->walk([](Operation *op) {
    op->removeAttr("check.range");
    if (auto function = dyn_cast<FunctionOpInterface>(op))
      for (unsigned i = 0; i < function.getNumArguments(); ++i)
        function.removeArgAttr(i, "check.range");
  });
  std::string text;
  llvm::raw_string_ostream(text) << *copy;
  return text;
}

CompileRequest requestFor(ModuleOp module, const RandomModel &model) {
  CompileRequest request;
  request.modelText = textForCompiler(module);
  request.modelName = "random";
  request.device = model.device;
  request.cpuLevel =
      model.cpuLevel.empty() ? levelName(detectCpu().level) : model.cpuLevel;
  request.cudaArch = model.cudaArch;
  decideKernels(request);
  return request;
}

CompiledRun::CompiledRun(CompileRequest request, uint64_t seed)
    : artifact(compileModel(request, "", /*verifyEach=*/true)),
      program(loadProgram(artifact.manifest,
                          std::as_bytes(std::span(artifact.object)), {},
                          artifact.deviceText)),
      arrays(makeInitialState(program->spec(), seed)) {}

static Type elementType(DType dtype, MLIRContext &context) {
  return parseType(dtypeName(dtype), &context);
}

NamedTensors CompiledRun::state(MLIRContext &context) {
  NamedTensors tensors;
  arrays.download();
  for (auto [spec, array] : llvm::zip(spec().state, arrays.arrays))
    tensors[spec.path] =
        reference::fromArray(array.view(), elementType(spec.dtype, context));
  return tensors;
}

void CompiledRun::setState(const NamedTensors &values) {
  arrays.download();
  for (auto [spec, array] : llvm::zip(spec().state, arrays.arrays))
    if (auto found = values.find(spec.path); found != values.end())
      array = llvm::cantFail(reference::toArray(found->second));
  arrays.changed();
}

std::vector<Array> CompiledRun::copyState() {
  arrays.download();
  std::vector<Array> copies;
  for (const Array &array : arrays.arrays)
    copies.push_back(array.clone());
  return copies;
}

void CompiledRun::restore(const std::vector<Array> &copies) {
  arrays.download();
  for (auto [array, copy] : llvm::zip(arrays.arrays, copies))
    if (copy.bytes() > 0)
      std::memcpy(array.data(), copy.data(), copy.bytes());
  arrays.changed();
}

static bool sameBits(const std::vector<Array> &a, const std::vector<Array> &b) {
  return llvm::all_of_zip(a, b, [](const Array &x, const Array &y) {
    return x.shape() == y.shape() &&
           (x.bytes() == 0 || std::memcmp(x.data(), y.data(), x.bytes()) == 0);
  });
}

void CompiledRun::checkRepeats(size_t entry,
                               const std::vector<ArrayView> &views,
                               const std::vector<Array> &first,
                               const std::vector<Array> &outputs) {
  std::vector<Array> after = copyState(), again;
  for (int i = 0; i < 2; ++i) {
    restore(first);
    program->run(entry, arrays, views, again);
    if (!sameBits(outputs, again) || !sameBits(after, copyState()))
      throw InputError("entry '" + spec().entries[entry].name +
                       "' has other bits in run " + std::to_string(i + 2) +
                       " than in the first one");
  }
}

NamedList CompiledRun::run(const std::string &name, const NamedTensors &sources,
                           MLIRContext &context) {
  const EntrySpec *entry = spec().findEntry(name);
  if (!entry)
    throw InputError("the compiled program has no entry '" + name + "'");
  size_t number = size_t(entry - spec().entries.data());
  std::vector<Array> inputs, outputs;
  std::vector<ArrayView> views;
  for (const SourceSpec &source : entry->sources)
    inputs.push_back(
        llvm::cantFail(reference::toArray(sources.at(source.name))));
  for (const Array &array : inputs)
    views.push_back(array.view());
  std::vector<Array> first = copyState();
  program->run(number, arrays, views, outputs);
  if (spec().device != "cpu")
    checkRepeats(number, views, first, outputs);
  NamedList results;
  for (auto [output, array] : llvm::zip(entry->outputs, outputs))
    results.emplace_back(
        output.name,
        reference::fromArray(array.view(), elementType(output.dtype, context)));
  return results;
}

} // namespace blocks::testing
