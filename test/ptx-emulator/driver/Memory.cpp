// Memory: allocation on the device and pinned on the host, and what is known of
// an address.
#include "Emulator.h"

#include <cstdlib>

using namespace ptxemu;

namespace {

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
