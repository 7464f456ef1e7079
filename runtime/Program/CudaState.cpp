// Copies of state between host and GPU: see CudaState.h.
#include "runtime/Program/CudaState.h"

#include <utility>

namespace blocks {

using namespace cuda;

namespace {
size_t bytesOf(const StateSpec &spec) {
  return size_t(numElements(spec.shape)) * dtypeSize(spec.dtype);
}
} // namespace

CudaState::CudaState(std::shared_ptr<CudaDevice> theDevice,
                     const std::vector<StateSpec> &specs)
    : device(std::move(theDevice)), block(device) {
  size_t end = 0;
  for (const StateSpec &spec : specs) {
    parts.push_back({end, bytesOf(spec)});
    end += alignUp(parts.back().bytes);
  }
  block.reserve(end, "the model's state (parameters, and the buffers of the "
                     "step rule)");
}

bool CudaState::fits(const CudaDevice &gpu,
                     const std::vector<StateSpec> &specs) const {
  if (&gpu != device.get() && gpu.info().number != device->info().number)
    return false;
  if (specs.size() != parts.size())
    return false;
  for (size_t i = 0; i < specs.size(); ++i)
    if (bytesOf(specs[i]) != parts[i].bytes)
      return false;
  return true;
}

void CudaState::upload(const std::vector<Array> &arrays) {
  if (!anyHostNewer)
    return;
  const CudaDriver &driver = device->driver();
  for (size_t i = 0; i < parts.size(); ++i)
    if (std::exchange(parts[i].hostNewer, false) && parts[i].bytes)
      driver.check(driver.copyToDevice(address(i), arrays[i].data(),
                                       parts[i].bytes, device->compute()),
                   "copy the model's state to the GPU");
  driver.check(driver.streamSynchronize(device->compute()),
               "copy the model's state to the GPU");
  anyHostNewer = false;
}

void CudaState::deviceChanged(const std::vector<int64_t> &arrays) {
  for (int64_t array : arrays)
    parts[size_t(array)].deviceNewer = true;
}

void CudaState::download(std::vector<Array> &arrays) {
  device->makeCurrent();
  const CudaDriver &driver = device->driver();
  const char *what = "copy the model's state from the GPU";
  bool any = false;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (!parts[i].deviceNewer)
      continue;
    any = true;
    if (parts[i].bytes)
      driver.check(driver.copyToHost(arrays[i].data(), address(i),
                                     parts[i].bytes, device->compute()),
                   what);
  }
  if (!any)
    return;
  driver.check(driver.streamSynchronize(device->compute()), what);
  for (Part &part : parts)
    part.deviceNewer = false;
}

void CudaState::hostChanged() {
  for (size_t i = 0; i < parts.size(); ++i)
    hostChanged(i);
}

void CudaState::hostChanged(size_t array) {
  anyHostNewer = parts[array].hostNewer = true;
  parts[array].deviceNewer = false;
}

} // namespace blocks
