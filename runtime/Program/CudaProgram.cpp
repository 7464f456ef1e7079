// Runs compiled entries on a GPU: see CudaProgram.h.
#include "runtime/Program/CudaProgram.h"

#include "blocks/Error.h"
#include "runtime/Device/Cuda/CudaArch.h"
#include "runtime/Program/KernelImage.h"

namespace blocks {

using namespace cuda;

namespace {
std::shared_ptr<CudaDevice> openFor(const Manifest &manifest, int number) {
  auto device = std::make_shared<CudaDevice>(number);
  int made = parseArch(manifest.arch);
  if (made > device->info().capability)
    throw UnsupportedError(
        "the compiled program is for GPUs of architecture " + manifest.arch +
        " and newer, but the GPU '" + device->info().name + "' is of " +
        archName(device->info().capability) +
        "; leave out --cuda-arch, or compile with --cuda-arch " +
        archName(archForCapability(device->info().capability)));
  return device;
}

/// The kernels that are in the device text: not the user's, which come first.
std::vector<std::string> kernelsOfText(const Manifest &manifest) {
  auto first =
      manifest.kernels.begin() + ptrdiff_t(manifest.userKernels.size());
  return {first, manifest.kernels.end()};
}
} // namespace

CudaProgram::CudaProgram(Manifest newManifest, LoadedObject newObject,
                         std::string_view deviceText,
                         const ProgramOptions &options)
    : manifest(std::move(newManifest)), object(std::move(newObject)),
      calls(entryCalls(manifest, object)),
      device(openFor(manifest, options.gpu)),
      userKernels(device, manifest.userKernels, options.kernelCache),
      step(device, deviceText, kernelsOfText(manifest),
           StepSettings::fromEnvironment(options.tf32), userKernels.all(),
           kernelImage(*device, deviceText, options.kernelCache)),
      inputs(device), results(device), context(step) {
  if (!step.notice().empty())
    manifest.spec.warnings.push_back(
        "matrix products run without cuBLAS, several times slower: " +
        step.notice());
  else if (manifest.epilogues > 0 && !step.epilogueNotice().empty())
    manifest.spec.warnings.push_back(
        "what cuBLASLt adds to a product in the same launch, such as a bias, "
        "is a launch of its own " +
        std::to_string(manifest.epilogues) +
        " times: " + step.epilogueNotice());
}

CudaState &CudaProgram::mirrorOf(ProgramState &state) {
  auto *mirror = dynamic_cast<CudaState *>(state.mirror.get());
  if (!mirror || !mirror->fits(*device, manifest.spec.state)) {
    state.leaveDevice(); // Another program's, on another device.
    auto own = std::make_shared<CudaState>(device, manifest.spec.state);
    mirror = own.get();
    state.mirror = std::move(own);
  }
  return *mirror;
}

void CudaProgram::stage(size_t entry, std::span<const ArrayView> batch) {
  checkEntryNumber(entry, calls.size());
  inputs.stage(entry, batch);
}

StepStatus CudaProgram::run(size_t entry, ProgramState &state,
                            std::span<const ArrayView> batch,
                            std::vector<Array> &outputs) {
  checkEntryNumber(entry, calls.size());
  EntryCall &call = calls[entry];
  call.checkSources(batch);
  call.checkState(state);
  device->makeCurrent();
  CudaState &mirror = mirrorOf(state);
  mirror.upload(state.arrays);
  inputs.take(entry, batch);
  setArguments(entry, mirror, batch, outputs);
  mirror.deviceChanged(manifest.entries[entry].updates);
  execute(entry);
  results.fetch();
  waitBusily();
  for (size_t i = 0; i < outputs.size(); ++i)
    results.store(i, outputs[i]);
  announcePlan(call);
  return statusOf(results.report(), manifest);
}

void CudaProgram::setArguments(size_t entry, const CudaState &mirror,
                               std::span<const ArrayView> batch,
                               std::vector<Array> &outputs) {
  EntryCall &call = calls[entry];
  auto pointer = [](DevicePointer address) {
    return reinterpret_cast<const void *>(address);
  };
  for (size_t i = 0; i < call.state().size(); ++i) {
    size_t index = size_t(call.state()[i]);
    call.setState(i, pointer(mirror.address(index)),
                  manifest.spec.state[index].shape);
  }
  for (size_t i = 0; i < batch.size(); ++i)
    call.setSource(i, pointer(inputs.address(i)), batch[i].shape);
  outputs.resize(call.spec().outputs.size());
  results.begin();
  for (size_t i = 0; i < outputs.size(); ++i) {
    outputs[i].resize(call.spec().outputs[i].dtype, call.outputShape(i));
    results.add(outputs[i].bytes());
  }
  if (results.end(call.spec().name))
    step.graphs().clear(); // The status record moved.
  for (size_t i = 0; i < outputs.size(); ++i)
    call.setOutput(i, pointer(results.address(i)), outputs[i].shape());
}

void CudaProgram::execute(size_t entry) {
  EntryCall &call = calls[entry];
  step.begin(results.statusRecord(), call.spec().name);
  results.clearStatus();
  step.graphs().run(entry, call.arguments.content(), [&] {
    context.run(call.function, call.arguments.pointers());
  });
}

/// Waits for the GPU, and lets the caller use the time.
void CudaProgram::waitBusily() {
  std::exception_ptr failure;
  if (whileBusy)
    try {
      whileBusy();
    } catch (...) {
      failure = std::current_exception();
    }
  step.finish();
  if (failure)
    std::rethrow_exception(failure);
}

void CudaProgram::announcePlan(const EntryCall &call) {
  if (step.largestArena() <= largestPlan)
    return;
  largestPlan = step.largestArena();
  if (onPlan)
    onPlan(call.plan(largestPlan));
}

} // namespace blocks
