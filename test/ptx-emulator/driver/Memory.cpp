// Memory: allocation on the device and pinned on the host, pools, copies and
// fills in all directions.
#include "Emulator.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace ptxemu;

namespace {

/// A place of a copy: device memory, or any memory of the host.
struct Place {
  uint64_t address;
  bool device;
};

/// Device addresses are told by where they lie.
Place placeOf(uint64_t address, const Emulator &e) {
  const Allocation *found = e.memory.find(address, 0);
  return {address, found && !found->host};
}

/// The host's view of `size` bytes; throws when they are no memory.
uint8_t *view(Place place, size_t size, const Emulator &e, bool explain) {
  if (!place.device)
    return reinterpret_cast<uint8_t *>(place.address);
  const Allocation *found = e.memory.find(place.address, size);
  if (!found) {
    if (explain)
      emulator().lastReport =
          "a copy or fill of " + e.memory.explain(place.address, size);
    throw DriverError{CUDA_ERROR_INVALID_VALUE};
  }
  return reinterpret_cast<uint8_t *>(place.address + uint64_t(found->delta));
}

/// A device address given as such must be in a live allocation.
Place devicePlace(CUdeviceptr address, size_t size, const Emulator &e) {
  const Allocation *found = e.memory.find(address, size);
  if (!found) {
    emulator().lastReport =
        "a copy or fill of " + e.memory.explain(address, size);
    throw DriverError{CUDA_ERROR_INVALID_VALUE};
  }
  return {address, !found->host};
}
Place hostPlace(const void *address) {
  if (!address)
    throw DriverError{CUDA_ERROR_INVALID_VALUE};
  return {reinterpret_cast<uint64_t>(address), false};
}

bool isPinned(Place place, const Emulator &e) {
  return !place.device && e.memory.find(place.address, 1);
}

void copyNow(Place to, Place from, size_t size) {
  Emulator &e = emulator();
  try {
    std::memmove(view(to, size, e, true), view(from, size, e, true), size);
  } catch (const DriverError &) {
    e.fail(CUDA_ERROR_ILLEGAL_ADDRESS, e.lastReport);
  }
}

WorkPtr copyWork(Place to, Place from, size_t size) {
  auto work = std::make_shared<Work>();
  work->kind = Work::copy;
  work->run = [=] { copyNow(to, from, size); };
  return work;
}

/// Pageable sources are read at once, as the driver's staging does; copies to
/// pageable memory are complete on return. Only pinned memory is touched later.
CUresult copyAsync(Emulator &e, Place to, Place from, size_t size,
                   CUstream handle) {
  if (e.settings.fails("copy"))
    return CUDA_ERROR_INVALID_VALUE;
  CUstream_st &stream = e.stream(handle);
  if (size == 0)
    return CUDA_SUCCESS;
  if (stream.capture || from.device || isPinned(from, e)) {
    e.enqueue(stream, copyWork(to, from, size));
  } else {
    auto *begin = reinterpret_cast<const uint8_t *>(from.address);
    auto staged = std::make_shared<std::vector<uint8_t>>(begin, begin + size);
    e.queue(stream, [=] { copyNow(to, hostPlace(staged->data()), size); });
  }
  if (!stream.capture && !to.device && !isPinned(to, e))
    e.drain(stream);
  return CUDA_SUCCESS;
}

/// The synchronous forms are work of the default stream.
CUresult copySync(Emulator &e, Place to, Place from, size_t size) {
  e.forbidInCapture();
  if (e.settings.fails("copy"))
    return CUDA_ERROR_INVALID_VALUE;
  if (size)
    e.queue(e.defaultStream, [=] { copyNow(to, from, size); });
  return CUDA_SUCCESS;
}

void fillNow(CUdeviceptr address, uint32_t value, unsigned width, size_t count,
             size_t height, size_t pitch) {
  Emulator &e = emulator();
  for (size_t row = 0; row < height; ++row) {
    uint64_t at = address + row * pitch;
    const Allocation *found = e.memory.find(at, count * width);
    if (!found)
      return e.fail(CUDA_ERROR_ILLEGAL_ADDRESS,
                    "a fill of " + e.memory.explain(at, count * width));
    auto *to = reinterpret_cast<uint8_t *>(at + uint64_t(found->delta));
    for (size_t i = 0; i < count; ++i)
      std::memcpy(to + i * width, &value, width);
  }
}

CUresult fill(Emulator &e, CUdeviceptr address, uint32_t value, unsigned width,
              size_t count, size_t height, size_t pitch, CUstream handle,
              bool sync) {
  if (sync)
    e.forbidInCapture();
  if (address % width)
    return CUDA_ERROR_INVALID_VALUE;
  if (count && height)
    devicePlace(address, pitch * (height - 1) + count * width, e);
  auto work = std::make_shared<Work>();
  work->kind = Work::fill;
  work->run = [=] { fillNow(address, value, width, count, height, pitch); };
  e.enqueue(sync ? e.defaultStream : e.stream(handle), work);
  return CUDA_SUCCESS;
}

CUresult allocate(Emulator &e, CUdeviceptr *address, size_t size) {
  if (size == 0)
    return CUDA_ERROR_INVALID_VALUE;
  if (e.settings.fails("alloc"))
    return CUDA_ERROR_OUT_OF_MEMORY;
  checked(address) = e.memory.allocate(size);
  return *address ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult allocateHost(Emulator &e, void **memory, size_t size) {
  if (size == 0)
    return CUDA_ERROR_INVALID_VALUE;
  if (e.settings.fails("host-alloc"))
    return CUDA_ERROR_OUT_OF_MEMORY;
  checked(memory) = std::aligned_alloc(4096, (size + 4095) / 4096 * 4096);
  if (!*memory)
    return CUDA_ERROR_OUT_OF_MEMORY;
  e.memory.addHost(*memory, size);
  return CUDA_SUCCESS;
}

/// Source or target of a 2D copy, at its first byte.
Place corner(int type, const void *host, CUdeviceptr device, size_t offset,
             const Emulator &e) {
  if (type == 1)
    return hostPlace(static_cast<const uint8_t *>(host) + offset);
  if (type == 2 || type == 4)
    return placeOf(device + offset, e);
  throw DriverError{CUDA_ERROR_NOT_SUPPORTED};
}

CUresult copy2D(Emulator &e, const CUDA_MEMCPY2D &c, CUstream handle,
                bool sync) {
  Place from = corner(c.srcMemoryType, c.srcHost, c.srcDevice,
                      c.srcY * c.srcPitch + c.srcXInBytes, e);
  Place to = corner(c.dstMemoryType, c.dstHost, c.dstDevice,
                    c.dstY * c.dstPitch + c.dstXInBytes, e);
  for (size_t row = 0; row < c.Height; ++row) {
    Place rowFrom{from.address + row * c.srcPitch, from.device};
    Place rowTo{to.address + row * c.dstPitch, to.device};
    CUresult result =
        sync ? copySync(e, rowTo, rowFrom, c.WidthInBytes)
             : copyAsync(e, rowTo, rowFrom, c.WidthInBytes, handle);
    if (result)
      return result;
  }
  return CUDA_SUCCESS;
}

} // namespace

CUDA_API cuMemGetInfo_v2(size_t *free, size_t *total) {
  return entry(Need::context, [&](Emulator &e) {
    if (free)
      *free = e.memory.capacity() - e.memory.used();
    if (total)
      *total = e.memory.capacity();
    return CUDA_SUCCESS;
  });
}

CUDA_API cuMemAlloc_v2(CUdeviceptr *address, size_t size) {
  return entry(Need::context, [&](Emulator &e) {
    e.forbidInCapture();
    return allocate(e, address, size);
  });
}

CUDA_API cuMemFree_v2(CUdeviceptr address) {
  return entry(Need::waits, [&](Emulator &e) {
    if (address == 0)
      return CUDA_SUCCESS;
    e.forbidInCapture();
    e.drainAll();
    return e.memory.free(address) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  });
}

CUDA_API cuMemAllocAsync(CUdeviceptr *address, size_t size, CUstream stream) {
  return entry(Need::context, [&](Emulator &e) -> CUresult {
    if (e.stream(stream).capture)
      return CUDA_ERROR_NOT_SUPPORTED; // allocation nodes are not emulated
    CUresult result = allocate(e, address, size);
    if (result == CUDA_ERROR_OUT_OF_MEMORY) {
      e.drainAll(); // frees on their way may make room
      result = allocate(e, address, size);
    }
    return result;
  });
}

CUDA_API cuMemAllocFromPoolAsync(CUdeviceptr *address, size_t size,
                                 CUmemoryPool, CUstream stream) {
  return cuMemAllocAsync(address, size, stream);
}

CUDA_API cuMemFreeAsync(CUdeviceptr address, CUstream handle) {
  return entry(Need::context, [&](Emulator &e) -> CUresult {
    CUstream_st &stream = e.stream(handle);
    if (stream.capture)
      return CUDA_ERROR_NOT_SUPPORTED;
    if (!address)
      return CUDA_SUCCESS;
    const Allocation *found = e.memory.find(address, 0);
    if (!found || found->base != address)
      return CUDA_ERROR_INVALID_VALUE;
    e.queue(stream, [address] { emulator().memory.free(address); });
    return CUDA_SUCCESS;
  });
}

CUDA_API cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *size,
                                 CUdeviceptr address) {
  return entry(Need::context, [&](Emulator &e) {
    const Allocation *found = e.memory.find(address, 1);
    if (!found)
      return CUDA_ERROR_NOT_FOUND;
    if (base)
      *base = found->base;
    if (size)
      *size = found->size;
    return CUDA_SUCCESS;
  });
}

CUDA_API cuPointerGetAttribute(void *data, int attribute, CUdeviceptr address) {
  return entry(Need::context, [&](Emulator &e) {
    const Allocation *found = e.memory.find(address, 1);
    if (!found || !data)
      return CUDA_ERROR_INVALID_VALUE;
    switch (attribute) {
    case 1:
      *static_cast<CUcontext *>(data) = currentContext();
      return CUDA_SUCCESS;
    case 2:
      *static_cast<unsigned *>(data) = found->host ? 1 : 2;
      return CUDA_SUCCESS;
    case 3:
      *static_cast<CUdeviceptr *>(data) = address;
      return CUDA_SUCCESS;
    case 8:
      *static_cast<unsigned *>(data) = 0;
      return CUDA_SUCCESS;
    case 9:
      *static_cast<int *>(data) = 0;
      return CUDA_SUCCESS;
    case 11:
      *static_cast<CUdeviceptr *>(data) = found->base;
      return CUDA_SUCCESS;
    case 12:
      *static_cast<size_t *>(data) = found->size;
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_NOT_SUPPORTED;
    }
  });
}

CUDA_API cuMemHostAlloc(void **memory, size_t size, unsigned) {
  return entry(Need::context,
               [&](Emulator &e) { return allocateHost(e, memory, size); });
}

CUDA_API cuMemAllocHost_v2(void **memory, size_t size) {
  return cuMemHostAlloc(memory, size, 0);
}

CUDA_API cuMemFreeHost(void *memory) {
  return entry(Need::waits, [&](Emulator &e) {
    e.drainAll();
    if (!e.memory.removeHost(memory))
      return CUDA_ERROR_INVALID_VALUE;
    std::free(memory);
    return CUDA_SUCCESS;
  });
}

CUDA_API cuMemHostRegister_v2(void *memory, size_t size, unsigned) {
  return entry(Need::context, [&](Emulator &e) {
    if (!memory || !size)
      return CUDA_ERROR_INVALID_VALUE;
    if (e.memory.find(reinterpret_cast<uint64_t>(memory), 1))
      return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
    e.memory.addHost(memory, size);
    return CUDA_SUCCESS;
  });
}

CUDA_API cuMemHostUnregister(void *memory) {
  return entry(Need::waits, [&](Emulator &e) {
    e.drainAll();
    return e.memory.removeHost(memory) ? CUDA_SUCCESS
                                       : CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
  });
}

CUDA_API cuMemHostGetDevicePointer_v2(CUdeviceptr *address, void *memory,
                                      unsigned) {
  return entry(Need::context, [&](Emulator &e) {
    auto value = reinterpret_cast<uint64_t>(memory);
    if (!e.memory.find(value, 1))
      return CUDA_ERROR_INVALID_VALUE;
    checked(address) = value;
    return CUDA_SUCCESS;
  });
}

CUDA_API cuMemHostGetFlags(unsigned *flags, void *) {
  return entry(Need::context, [&](Emulator &) {
    checked(flags) = 0;
    return CUDA_SUCCESS;
  });
}

CUDA_API cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t size) {
  return entry(Need::waits, [&](Emulator &e) {
    return copySync(e, devicePlace(to, size, e), hostPlace(from), size);
  });
}
CUDA_API cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t size) {
  return entry(Need::waits, [&](Emulator &e) {
    return copySync(e, hostPlace(to), devicePlace(from, size, e), size);
  });
}
CUDA_API cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t size) {
  return entry(Need::waits, [&](Emulator &e) {
    return copySync(e, devicePlace(to, size, e), devicePlace(from, size, e),
                    size);
  });
}
CUDA_API cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t size) {
  return entry(Need::waits, [&](Emulator &e) {
    return copySync(e, placeOf(to, e), placeOf(from, e), size);
  });
}
CUDA_API cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t size,
                              CUstream stream) {
  return entry(Need::context, [&](Emulator &e) {
    return copyAsync(e, devicePlace(to, size, e), hostPlace(from), size,
                     stream);
  });
}
CUDA_API cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t size,
                              CUstream stream) {
  return entry(Need::waits, [&](Emulator &e) {
    return copyAsync(e, hostPlace(to), devicePlace(from, size, e), size,
                     stream);
  });
}
CUDA_API cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t size,
                              CUstream stream) {
  return entry(Need::context, [&](Emulator &e) {
    return copyAsync(e, devicePlace(to, size, e), devicePlace(from, size, e),
                     size, stream);
  });
}
CUDA_API cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t size,
                       CUstream stream) {
  return entry(Need::context, [&](Emulator &e) {
    return copyAsync(e, placeOf(to, e), placeOf(from, e), size, stream);
  });
}
CUDA_API cuMemcpy2D_v2(const CUDA_MEMCPY2D *copy) {
  return entry(Need::waits, [&](Emulator &e) {
    return copy2D(e, checked(copy), nullptr, true);
  });
}
CUDA_API cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *copy) {
  return cuMemcpy2D_v2(copy);
}
CUDA_API cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *copy, CUstream stream) {
  return entry(Need::context, [&](Emulator &e) {
    return copy2D(e, checked(copy), stream, false);
  });
}

#define PTXEMU_FILL(bits, type)                                                \
  CUDA_API cuMemsetD##bits##_v2(CUdeviceptr to, type value, size_t count) {    \
    return entry(Need::context, [&](Emulator &e) {                             \
      return fill(e, to, value, bits / 8, count, 1, 0, nullptr, true);         \
    });                                                                        \
  }                                                                            \
  CUDA_API cuMemsetD##bits##Async(CUdeviceptr to, type value, size_t count,    \
                                  CUstream stream) {                           \
    return entry(Need::context, [&](Emulator &e) {                             \
      return fill(e, to, value, bits / 8, count, 1, 0, stream, false);         \
    });                                                                        \
  }                                                                            \
  CUDA_API cuMemsetD2D##bits##_v2(CUdeviceptr to, size_t pitch, type value,    \
                                  size_t width, size_t height) {               \
    return entry(Need::context, [&](Emulator &e) {                             \
      return fill(e, to, value, bits / 8, width, height, pitch, nullptr,       \
                  true);                                                       \
    });                                                                        \
  }                                                                            \
  CUDA_API cuMemsetD2D##bits##Async(CUdeviceptr to, size_t pitch, type value,  \
                                    size_t width, size_t height,               \
                                    CUstream stream) {                         \
    return entry(Need::context, [&](Emulator &e) {                             \
      return fill(e, to, value, bits / 8, width, height, pitch, stream,        \
                  false);                                                      \
    });                                                                        \
  }

PTXEMU_FILL(8, unsigned char)
PTXEMU_FILL(16, unsigned short)
PTXEMU_FILL(32, unsigned)
