// CudaOutputs: what a run on the GPU gives back: its status record and outputs,
// in one block there, which comes to pinned memory in one copy.
#pragma once

#include "blocks/Program.h"
#include "runtime/Abi/StepContext.h"
#include "runtime/Device/Cuda/CudaBuffers.h"

namespace blocks {

class CudaOutputs {
public:
  explicit CudaOutputs(std::shared_ptr<cuda::CudaDevice> device);

  /// Lays out a run's outputs, in turn: `begin`, `add` for each, `end`. True if
  /// the block is at another place than before. `purpose` is for errors.
  void begin();
  void add(size_t bytes);
  bool end(const std::string &entry);

  cuda::DevicePointer statusRecord() const { return gpu.address(); }
  cuda::DevicePointer address(size_t i) const;

  /// Clears the status record, before the run.
  void clearStatus();
  /// Hands out the copy to the host, after the run.
  void fetch();
  /// What came, once the GPU is done.
  BlocksReport report() const;
  void store(size_t i, Array &output) const;

private:
  struct Part {
    size_t offset = 0, bytes = 0;
  };
  std::shared_ptr<cuda::CudaDevice> device;
  cuda::DeviceBuffer gpu;
  cuda::PinnedBuffer host;
  std::vector<Part> parts;
  size_t length = 0;
};

} // namespace blocks
