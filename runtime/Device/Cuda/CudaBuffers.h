// CudaBuffers: memory of a GPU, and host memory that copies to and from it run
// beside other work with ("pinned"). Both only grow, so that a steady step
// allocates nothing; what they hold is lost then.
#pragma once

#include "runtime/Device/Cuda/CudaDevice.h"

#include <cstddef>

namespace blocks::cuda {

/// Arguments and buffers begin at multiples of this many bytes.
constexpr size_t deviceAlignment = 256;
inline size_t alignUp(size_t bytes) {
  return (bytes + deviceAlignment - 1) / deviceAlignment * deviceAlignment;
}

/// Memory of the GPU, from the driver's pool in the order of the compute
/// stream.
class DeviceBuffer {
public:
  explicit DeviceBuffer(std::shared_ptr<CudaDevice> device)
      : device(std::move(device)) {}
  ~DeviceBuffer() { release(); }
  DeviceBuffer(const DeviceBuffer &) = delete;
  DeviceBuffer &operator=(const DeviceBuffer &) = delete;

  /// Makes it at least so large. True if it was replaced, at another address.
  /// Throws UnsupportedError, with what is needed and what is free; `purpose`
  /// is what needs it: "the state", "entry 'train'".
  bool reserve(size_t bytes, const std::string &purpose);
  bool holds(size_t bytes) const { return begin && bytes <= length; }
  DevicePointer address() const { return begin; }

private:
  void release() noexcept;
  [[noreturn]] void fail(Result result, size_t bytes,
                         const std::string &purpose) const;

  std::shared_ptr<CudaDevice> device;
  DevicePointer begin = 0;
  size_t length = 0;
};

/// Pinned memory of the host.
class PinnedBuffer {
public:
  explicit PinnedBuffer(std::shared_ptr<CudaDevice> device)
      : device(std::move(device)) {}
  ~PinnedBuffer() { release(); }
  PinnedBuffer(const PinnedBuffer &) = delete;
  PinnedBuffer &operator=(const PinnedBuffer &) = delete;

  void reserve(size_t bytes);
  std::byte *data() const { return static_cast<std::byte *>(begin); }

private:
  void release() noexcept;

  std::shared_ptr<CudaDevice> device;
  void *begin = nullptr;
  size_t length = 0;
};

/// A point in a stream that another one, or the host, waits for.
class StreamEvent {
public:
  explicit StreamEvent(std::shared_ptr<CudaDevice> device);
  ~StreamEvent();
  StreamEvent(const StreamEvent &) = delete;
  StreamEvent &operator=(const StreamEvent &) = delete;

  void record(Stream stream);
  /// Work handed to `stream` from now on waits for the recorded point.
  void holdBack(Stream stream);

private:
  std::shared_ptr<CudaDevice> device;
  Event event = nullptr;
};

} // namespace blocks::cuda
