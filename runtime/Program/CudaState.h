// CudaState: a program's state on a GPU, in one block of its memory. It belongs
// to the ProgramState that it mirrors and is freed with it. Several programs on
// one GPU share it, if their states are alike.
#pragma once

#include "blocks/Program.h"
#include "runtime/Device/Cuda/CudaBuffers.h"

namespace blocks {

class CudaState : public StateMirror {
public:
  /// Allocates; nothing is copied yet. Throws UnsupportedError if the GPU has
  /// not enough memory.
  CudaState(std::shared_ptr<cuda::CudaDevice> device,
            const std::vector<StateSpec> &specs);

  /// True if it is for states of these shapes and on this GPU.
  bool fits(const cuda::CudaDevice &gpu,
            const std::vector<StateSpec> &specs) const;
  /// Copies the host's arrays to the GPU if they changed.
  void upload(const std::vector<Array> &arrays);
  cuda::DevicePointer address(size_t array) const {
    return block.address() + parts[array].offset;
  }
  /// A run changed these arrays.
  void deviceChanged(const std::vector<int64_t> &arrays);

  void download(std::vector<Array> &arrays) override;
  void hostChanged() override;
  void hostChanged(size_t array) override;

private:
  struct Part {
    size_t offset = 0, bytes = 0;
    bool deviceNewer = false, hostNewer = true;
  };

  std::shared_ptr<cuda::CudaDevice> device;
  cuda::DeviceBuffer block;
  std::vector<Part> parts;
  bool anyHostNewer = true;
};

} // namespace blocks
