// Copies and fills of memory, in all directions.
#include "Emulator.h"

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
