// Copies of batches: see CudaInputs.h.
#include "runtime/Program/CudaInputs.h"

#include <cstring>

namespace blocks {

using namespace cuda;

CudaInputs::CudaInputs(std::shared_ptr<CudaDevice> theDevice)
    : device(std::move(theDevice)), places{Place(device), Place(device)} {}

void CudaInputs::stage(size_t entry, std::span<const ArrayView> inputs) {
  device->makeCurrent();
  copy(places[1 - current], entry, inputs);
  places[1 - current].staged = true;
}

void CudaInputs::take(size_t entry, std::span<const ArrayView> inputs) {
  Place &other = places[1 - current];
  if (other.staged && holds(other, entry, inputs))
    current = 1 - current;
  else
    copy(places[current], entry, inputs);
  // Whatever else was staged was for this run, and may be stale by the next.
  for (Place &place : places)
    place.staged = false;
  places[current].copied.holdBack(device->compute());
}

bool CudaInputs::holds(const Place &place, size_t entry,
                       std::span<const ArrayView> inputs) {
  if (place.entry != entry || place.sources.size() != inputs.size())
    return false;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (place.sources[i] != inputs[i].data ||
        place.lengths[i] != inputs[i].bytes())
      return false;
  return true;
}

// No run uses this place meanwhile: each waits for the GPU before it returns,
// and `stage` takes the place that the running one has not.
void CudaInputs::copy(Place &place, size_t entry,
                      std::span<const ArrayView> inputs) {
  place.offsets.clear();
  place.sources.clear();
  place.lengths.clear();
  size_t end = 0;
  for (const ArrayView &input : inputs) {
    place.offsets.push_back(end);
    place.sources.push_back(input.data);
    place.lengths.push_back(input.bytes());
    end += alignUp(input.bytes());
  }
  place.entry = entry;
  if (!place.gpu.holds(end))
    place.gpu.reserve(end, "the batch");
  place.host.reserve(end);
  for (size_t i = 0; i < inputs.size(); ++i)
    if (place.lengths[i])
      std::memcpy(place.host.data() + place.offsets[i], inputs[i].data,
                  place.lengths[i]);
  const CudaDriver &driver = device->driver();
  if (end)
    driver.check(driver.copyToDevice(place.gpu.address(), place.host.data(),
                                     end, device->copies()),
                 "copy a batch to the GPU");
  place.copied.record(device->copies());
}

DevicePointer CudaInputs::address(size_t i) const {
  return places[current].gpu.address() + places[current].offsets[i];
}

} // namespace blocks
