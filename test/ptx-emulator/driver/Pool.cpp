// Memory pools. They keep their attributes; memory is the device's own.
#include "Emulator.h"

using namespace ptxemu;

namespace {

CUmemoryPool defaultPoolOf(Emulator &e) {
  if (!e.defaultPool)
    e.defaultPool = e.currentPool =
        e.pools.add(std::make_unique<CUmemPoolHandle_st>());
  return e.defaultPool;
}

} // namespace

CUDA_API cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice) {
  return entry(Need::initialized, [&](Emulator &e) {
    checked(pool) = defaultPoolOf(e);
    return CUDA_SUCCESS;
  });
}

CUDA_API cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice) {
  return entry(Need::initialized, [&](Emulator &e) {
    defaultPoolOf(e);
    checked(pool) = e.currentPool;
    return CUDA_SUCCESS;
  });
}

CUDA_API cuDeviceSetMemPool(CUdevice, CUmemoryPool pool) {
  return entry(Need::initialized, [&](Emulator &e) {
    e.pools.get(pool);
    e.currentPool = pool;
    return CUDA_SUCCESS;
  });
}

CUDA_API cuMemPoolCreate(CUmemoryPool *pool, const void *) {
  return entry(Need::context, [&](Emulator &e) {
    checked(pool) = e.pools.add(std::make_unique<CUmemPoolHandle_st>());
    return CUDA_SUCCESS;
  });
}

CUDA_API cuMemPoolDestroy(CUmemoryPool pool) {
  return entry(Need::context, [&](Emulator &e) {
    e.pools.get(pool);
    if (pool == e.defaultPool)
      return CUDA_ERROR_INVALID_VALUE;
    e.pools.remove(pool);
    return CUDA_SUCCESS;
  });
}

CUDA_API cuMemPoolSetAttribute(CUmemoryPool pool, int attribute, void *value) {
  return entry(Need::initialized, [&](Emulator &e) {
    CUmemPoolHandle_st &of = e.pools.get(pool);
    if (attribute == 4)
      of.releaseThreshold = checked(static_cast<uint64_t *>(value));
    return CUDA_SUCCESS;
  });
}

CUDA_API cuMemPoolGetAttribute(CUmemoryPool pool, int attribute, void *value) {
  return entry(Need::initialized, [&](Emulator &e) {
    CUmemPoolHandle_st &of = e.pools.get(pool);
    if (attribute <= 3) {
      checked(static_cast<int *>(value)) = 1; // the reuse policies
      return CUDA_SUCCESS;
    }
    checked(static_cast<uint64_t *>(value)) =
        attribute == 4 ? of.releaseThreshold : e.memory.used();
    return CUDA_SUCCESS;
  });
}

CUDA_API cuMemPoolTrimTo(CUmemoryPool pool, size_t) {
  return entry(Need::initialized, [&](Emulator &e) {
    e.pools.get(pool);
    return CUDA_SUCCESS;
  });
}
