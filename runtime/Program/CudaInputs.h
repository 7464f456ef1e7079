// CudaInputs: the way of a batch to the GPU: host array → pinned memory → GPU,
// the second leg on a stream of its own. There are two places for batches, so
// that the next one travels while the GPU works on this one.
#pragma once

#include "blocks/Program.h"
#include "runtime/Device/Cuda/CudaBuffers.h"

#include <array>

namespace blocks {

class CudaInputs {
public:
  explicit CudaInputs(std::shared_ptr<cuda::CudaDevice> device);

  /// Begins to copy a batch that the next `take` will ask for.
  void stage(size_t entry, std::span<const ArrayView> inputs);
  /// Makes the batch the current one: work handed out from now on finds it. It
  /// is copied now unless it was staged.
  void take(size_t entry, std::span<const ArrayView> inputs);
  /// Input `i` of the current batch.
  cuda::DevicePointer address(size_t i) const;

private:
  struct Place {
    explicit Place(const std::shared_ptr<cuda::CudaDevice> &device)
        : host(device), gpu(device), copied(device) {}
    cuda::PinnedBuffer host;
    cuda::DeviceBuffer gpu;
    cuda::StreamEvent copied;
    std::vector<size_t> offsets;
    /// What was staged here, if anything.
    bool staged = false;
    size_t entry = 0;
    std::vector<const std::byte *> sources;
    std::vector<size_t> lengths;
  };

  void copy(Place &place, size_t entry, std::span<const ArrayView> inputs);
  static bool holds(const Place &place, size_t entry,
                    std::span<const ArrayView> inputs);

  std::shared_ptr<cuda::CudaDevice> device;
  std::array<Place, 2> places;
  size_t current = 0;
};

} // namespace blocks
