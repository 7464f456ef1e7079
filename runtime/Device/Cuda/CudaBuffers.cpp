// Memory that grows: see CudaBuffers.h.
#include "runtime/Device/Cuda/CudaBuffers.h"

#include "blocks/Error.h"

#include <algorithm>
#include <cstdio>

namespace blocks::cuda {

namespace {
/// "1.25 GB", "640 MB", "12 bytes".
std::string formatBytes(size_t bytes) {
  char text[64];
  if (bytes >= 1000000000)
    std::snprintf(text, sizeof text, "%.2f GB", double(bytes) * 1e-9);
  else if (bytes >= 1000000)
    std::snprintf(text, sizeof text, "%.0f MB", double(bytes) * 1e-6);
  else
    std::snprintf(text, sizeof text, "%zu bytes", bytes);
  return text;
}
} // namespace

bool DeviceBuffer::reserve(size_t bytes, const std::string &purpose) {
  if (holds(bytes))
    return false;
  release(); // Both at once would double the peak.
  bytes = std::max(alignUp(bytes), deviceAlignment);
  Result result =
      device->driver().memoryAllocate(&begin, bytes, device->compute());
  if (result != Success) {
    begin = 0;
    fail(result, bytes, purpose);
  }
  length = bytes;
  device->settle(); // The copy stream may use it, too.
  return true;
}

void DeviceBuffer::release() noexcept {
  if (!begin)
    return;
  const CudaDriver &driver = device->driver();
  device->settle();
  driver.memoryFree(begin, device->compute());
  device->settle(); // Only then is it back in the pool.
  begin = 0;
  length = 0;
}

void DeviceBuffer::fail(Result result, size_t bytes,
                        const std::string &purpose) const {
  const CudaDriver &driver = device->driver();
  if (result != OutOfMemory)
    driver.check(result, "allocate " + formatBytes(bytes) + " on the GPU");
  size_t free = 0, total = 0;
  std::string found = "it is full";
  if (driver.memoryGetInfo(&free, &total) == Success)
    found =
        "of its " + formatBytes(total) + " " + formatBytes(free) + " are free";
  throw UnsupportedError(purpose + " needs " + formatBytes(bytes) +
                         " of memory on the GPU '" + device->info().name +
                         "', but " + found +
                         "; use a smaller batch, end other programs that use "
                         "this GPU, or run with --device cpu");
}

void PinnedBuffer::reserve(size_t bytes) {
  if (begin && bytes <= length)
    return;
  release();
  bytes = std::max(alignUp(bytes), deviceAlignment);
  Result result = device->driver().hostAllocate(&begin, bytes, 0);
  if (result != Success)
    begin = nullptr;
  device->driver().check(result, "allocate " + formatBytes(bytes) +
                                     " of host memory for copies to the GPU");
  length = bytes;
}

void PinnedBuffer::release() noexcept {
  if (!begin)
    return;
  device->settle();
  device->driver().hostFree(begin);
  begin = nullptr;
  length = 0;
}

StreamEvent::StreamEvent(std::shared_ptr<CudaDevice> theDevice)
    : device(std::move(theDevice)) {
  device->driver().check(device->driver().eventCreate(&event, untimedEvent),
                         "create an event on the GPU");
}

StreamEvent::~StreamEvent() { device->driver().eventDestroy(event); }

void StreamEvent::record(Stream stream) {
  device->driver().check(device->driver().eventRecord(event, stream),
                         "record an event on the GPU");
}

void StreamEvent::holdBack(Stream stream) {
  device->driver().check(device->driver().streamWaitEvent(stream, event, 0),
                         "order two streams of the GPU");
}

} // namespace blocks::cuda
