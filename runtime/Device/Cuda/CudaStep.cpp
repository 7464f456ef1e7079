// The running step on a GPU: see CudaStep.h.
#include "runtime/Device/Cuda/CudaStep.h"

#include "blocks/Error.h"

#include <algorithm>
#include <climits>
#include <cstdlib>

namespace blocks::cuda {

namespace {
bool environmentIs(const char *name, const char *value) {
  const char *found = std::getenv(name);
  return found && std::string_view(found) == value;
}

std::string formatGrid(const KernelLaunch &launch) {
  return std::to_string(launch.gridX) + "x" + std::to_string(launch.gridY) +
         " blocks of " + std::to_string(launch.blockX) + "x" +
         std::to_string(launch.blockY) + " threads, " +
         std::to_string(launch.sharedBytes) + " bytes of shared memory";
}
} // namespace

StepSettings StepSettings::fromEnvironment(bool tf32) {
  StepSettings settings;
  settings.tf32 = tf32;
  settings.blocking = environmentIs("BLOCKS_CUDA_BLOCKING", "1");
  settings.graphs =
      !settings.blocking && !environmentIs("BLOCKS_CUDA_GRAPHS", "0");
  return settings;
}

CudaStep::CudaStep(std::shared_ptr<CudaDevice> theDevice, std::string_view text,
                   std::vector<std::string> names,
                   const StepSettings &theSettings,
                   std::vector<NamedKernel> first, std::string_view image)
    : device(std::move(theDevice)), settings(theSettings),
      module(device, text, std::move(names), image), kernels(std::move(first)),
      products(device, settings.tf32), arenaBuffer(device),
      graphCache(device, settings.graphs) {
  for (size_t i = 0; i < module.size(); ++i)
    kernels.push_back({module.name(i), module.function(i)});
  sharedAllowed.assign(kernels.size(), freeSharedBytes);
}

void CudaStep::begin(DevicePointer record, const std::string &entry) {
  statusRecord = record;
  entryName = &entry;
}

void *CudaStep::arena(int64_t bytes) {
  if (bytes < 0 || bytes > INT64_MAX / 2)
    throw UnsupportedError("entry '" + *entryName +
                           "', with these shapes, needs more memory than any "
                           "machine has; use a smaller batch");
  if (!arenaBuffer.holds(size_t(bytes))) {
    graphCache.clear(); // They know the old address.
    arenaBuffer.reserve(size_t(bytes),
                        "entry '" + *entryName + "', with these shapes,");
  }
  largest = std::max(largest, bytes);
  return reinterpret_cast<void *>(arenaBuffer.address());
}

void CudaStep::launch(const KernelLaunch &launch) {
  if (launch.kernel < 0 || size_t(launch.kernel) >= kernels.size())
    throw CorruptError("the compiled program starts kernel number " +
                       std::to_string(launch.kernel) + ", but it has " +
                       std::to_string(kernels.size()) +
                       "; compile the model again");
  if (launch.gridX == 0 || launch.gridY == 0)
    return;
  for (int64_t extent : {launch.gridX, launch.gridY, launch.blockX,
                         launch.blockY, launch.sharedBytes + 1})
    if (extent < 1 || extent > INT_MAX)
      throw UnsupportedError("kernel '" + kernels[size_t(launch.kernel)].name +
                             "' of entry '" + *entryName +
                             "' cannot be started with " + formatGrid(launch) +
                             "; use a smaller batch");
  size_t kernel = size_t(launch.kernel);
  allowShared(kernel, launch.sharedBytes);
  checkLaunch(device->driver().launchKernel(
                  kernels[kernel].function, unsigned(launch.gridX),
                  unsigned(launch.gridY), 1, unsigned(launch.blockX),
                  unsigned(launch.blockY), 1, unsigned(launch.sharedBytes),
                  device->compute(), launch.parameters, nullptr),
              launch);
  if (settings.blocking)
    waitFor("kernel '" + kernels[kernel].name + "' (" + formatGrid(launch) +
            ")");
}

void CudaStep::checkLaunch(Result result, const KernelLaunch &launch) const {
  if (result == Success)
    return;
  throw UnsupportedError(
      "kernel '" + kernels[size_t(launch.kernel)].name + "' of entry '" +
      *entryName + "' cannot be started on the GPU '" + device->info().name +
      "' with " + formatGrid(launch) + ": " +
      device->driver().describe(result) +
      "; nothing was saved since the last checkpoint, --resume continues from "
      "it (with --device cpu if need be)");
}

void CudaStep::waitFor(const std::string &work) const {
  const CudaDriver &driver = device->driver();
  Result result = driver.streamSynchronize(device->compute());
  if (result == Success)
    return;
  std::string text = work + " of entry '" + *entryName +
                     "' failed on the GPU '" + device->info().name +
                     "': " + driver.describe(result);
  if (!settings.blocking)
    text += "; run again with BLOCKS_CUDA_BLOCKING=1 in the environment to "
            "learn which kernel it was";
  throw UnsupportedError(
      text + "; nothing was saved since the last checkpoint, from which "
             "--resume continues (with --device cpu if need be)");
}

void CudaStep::finish() const { waitFor("the work"); }

void CudaStep::allowShared(size_t kernel, int64_t bytes) {
  if (bytes <= sharedAllowed[kernel])
    return;
  device->driver().check(
      device->driver().functionSetAttribute(kernels[kernel].function,
                                            maxDynamicSharedBytes, int(bytes)),
      "give kernel '" + kernels[kernel].name + "' " + std::to_string(bytes) +
          " bytes of shared memory");
  sharedAllowed[kernel] = bytes;
}

template <typename Product, typename Further>
void CudaStep::multiply(const Product &product, const Further &further) {
  products.run(product, further);
  if (settings.blocking)
    waitFor("a product");
}

void CudaStep::gemm(const GemmArguments<float> &arguments,
                    const GemmStack &stack) {
  multiply(arguments, stack);
}

void CudaStep::gemm(const GemmArguments<double> &arguments,
                    const GemmStack &stack) {
  multiply(arguments, stack);
}

void CudaStep::gemm(const RoundedGemm &arguments, const GemmStack &stack) {
  multiply(arguments, stack);
}

void CudaStep::gemm(const GemmArguments<float> &arguments,
                    const GemmEpilogue &epilogue) {
  multiply(arguments, epilogue);
}

void CudaStep::gemm(const RoundedGemm &arguments,
                    const GemmEpilogue &epilogue) {
  multiply(arguments, epilogue);
}

} // namespace blocks::cuda
