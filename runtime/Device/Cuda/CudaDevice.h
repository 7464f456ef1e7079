// CudaDevice: one GPU as a program uses it: its primary context (shared with
// other libraries of the process), a stream for work and one for copies of
// inputs that run beside it. Everything else of the GPU (memory, modules,
// graphs) keeps its device alive. One thread at a time.
#pragma once

#include "runtime/Device/Cuda/CudaDriver.h"

#include <memory>
#include <vector>

namespace blocks::cuda {

struct DeviceInfo {
  int number = 0;
  std::string name;   ///< "NVIDIA H200".
  size_t bytes = 0;   ///< Memory.
  int capability = 0; ///< 90 is 9.0.
  int multiprocessors = 0;
};

/// The GPUs that a driver sees; none if it is not usable.
std::vector<DeviceInfo> listDevices(const CudaDriver &driver);

/// GPU number `number`. Throws UnsupportedError, saying what to do, if there is
/// no driver, no such GPU, or one that is too old.
DeviceInfo findDevice(const CudaDriver &driver, int number);

class CudaDevice {
public:
  /// Throws what `findDevice` throws.
  explicit CudaDevice(int number);
  ~CudaDevice();
  CudaDevice(const CudaDevice &) = delete;
  CudaDevice &operator=(const CudaDevice &) = delete;

  const CudaDriver &driver() const { return theDriver; }
  const DeviceInfo &info() const { return theInfo; }
  Stream compute() const { return computeStream; }
  Stream copies() const { return copyStream; }

  /// Calls of the driver in this thread are for this GPU from now on.
  void makeCurrent() const;
  /// Waits for all there is, whatever becomes of it, with this GPU as the
  /// thread's; for destructors, and before memory is replaced.
  void settle() const noexcept;

private:
  void open();
  void close() noexcept;

  CudaDriver theDriver;
  DeviceInfo theInfo;
  Context context = nullptr;
  Stream computeStream = nullptr, copyStream = nullptr;
};

} // namespace blocks::cuda
