// Contexts: the primary one, created ones, and each thread's stack of them.
// All share the one device; a fault is remembered until the context goes.
#include "Emulator.h"

using namespace ptxemu;

namespace {

std::vector<CUcontext> &contextStack() {
  thread_local std::vector<CUcontext> stack;
  return stack;
}

void setCurrent(CUcontext context) {
  auto &stack = contextStack();
  if (!stack.empty())
    stack.pop_back();
  if (context)
    stack.push_back(context);
}

/// What dies with a context: its queues and its error.
void forgetWork(Emulator &e) {
  for (auto &[handle, stream] : e.streams)
    stream->queue.clear();
  e.defaultStream.queue.clear();
  e.sticky = CUDA_SUCCESS;
}

} // namespace

namespace ptxemu {

CUcontext currentContext() {
  auto &stack = contextStack();
  if (stack.empty() || !emulator().contexts.has(stack.back()))
    return nullptr;
  return stack.back();
}

} // namespace ptxemu

CUDA_API cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  return entry(Need::initialized, [&](Emulator &e) {
    if (device < 0 || device >= e.settings.devices)
      return CUDA_ERROR_INVALID_DEVICE;
    if (!e.primary) {
      e.primary = e.contexts.add(std::make_unique<CUctx_st>());
      e.primary->primary = true;
    }
    ++e.primaryUses;
    checked(context) = e.primary;
    return CUDA_SUCCESS;
  });
}

CUDA_API cuDevicePrimaryCtxRelease_v2(CUdevice) {
  return entry(Need::initialized, [&](Emulator &e) {
    if (!e.primary || e.primaryUses == 0)
      return CUDA_ERROR_INVALID_CONTEXT;
    if (--e.primaryUses > 0)
      return CUDA_SUCCESS;
    if (!e.sticky)
      e.drainAll();
    forgetWork(e);
    e.contexts.remove(e.primary);
    e.primary = nullptr;
    return CUDA_SUCCESS;
  });
}
CUDA_API cuDevicePrimaryCtxRelease(CUdevice device) {
  return cuDevicePrimaryCtxRelease_v2(device);
}

CUDA_API cuDevicePrimaryCtxReset_v2(CUdevice) {
  return entry(Need::initialized, [&](Emulator &e) {
    forgetWork(e);
    return CUDA_SUCCESS;
  });
}

CUDA_API cuDevicePrimaryCtxGetState(CUdevice, unsigned *flags, int *active) {
  return entry(Need::initialized, [&](Emulator &e) {
    checked(flags) = 0;
    checked(active) = e.primary != nullptr;
    return CUDA_SUCCESS;
  });
}

CUDA_API cuDevicePrimaryCtxSetFlags_v2(CUdevice, unsigned) {
  return entry(Need::initialized, [&](Emulator &) { return CUDA_SUCCESS; });
}

CUDA_API cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device) {
  return entry(Need::initialized, [&](Emulator &e) {
    if (device < 0 || device >= e.settings.devices)
      return CUDA_ERROR_INVALID_DEVICE;
    CUcontext made = e.contexts.add(std::make_unique<CUctx_st>());
    made->flags = flags;
    checked(context) = made;
    contextStack().push_back(made);
    return CUDA_SUCCESS;
  });
}

/// Version 4, of CUDA 13, has parameters in front of the flags.
CUDA_API cuCtxCreate_v4(CUcontext *context, void *, unsigned flags,
                        CUdevice device) {
  return cuCtxCreate_v2(context, flags, device);
}

CUDA_API cuCtxDestroy_v2(CUcontext context) {
  return entry(Need::initialized, [&](Emulator &e) {
    CUctx_st &gone = e.contexts.get(context, CUDA_ERROR_INVALID_CONTEXT);
    if (gone.primary)
      return CUDA_ERROR_INVALID_CONTEXT;
    if (!e.sticky)
      e.drainAll();
    forgetWork(e);
    if (currentContext() == context)
      contextStack().pop_back();
    e.contexts.remove(context);
    return CUDA_SUCCESS;
  });
}

CUDA_API cuCtxSetCurrent(CUcontext context) {
  return entry(Need::initialized, [&](Emulator &e) {
    if (context)
      e.contexts.get(context, CUDA_ERROR_INVALID_CONTEXT);
    setCurrent(context);
    return CUDA_SUCCESS;
  });
}

CUDA_API cuCtxGetCurrent(CUcontext *context) {
  return entry(Need::initialized, [&](Emulator &) {
    checked(context) = currentContext();
    return CUDA_SUCCESS;
  });
}

CUDA_API cuCtxPushCurrent_v2(CUcontext context) {
  return entry(Need::initialized, [&](Emulator &e) {
    e.contexts.get(context, CUDA_ERROR_INVALID_CONTEXT);
    contextStack().push_back(context);
    return CUDA_SUCCESS;
  });
}

CUDA_API cuCtxPopCurrent_v2(CUcontext *context) {
  return entry(Need::initialized, [&](Emulator &) {
    if (!currentContext())
      return CUDA_ERROR_INVALID_CONTEXT;
    if (context)
      *context = currentContext();
    contextStack().pop_back();
    return CUDA_SUCCESS;
  });
}

CUDA_API cuCtxGetDevice(CUdevice *device) {
  return entry(Need::initialized, [&](Emulator &) {
    if (!currentContext())
      return CUDA_ERROR_INVALID_CONTEXT;
    checked(device) = 0;
    return CUDA_SUCCESS;
  });
}

CUDA_API cuCtxGetApiVersion(CUcontext, unsigned *version) {
  return entry(Need::initialized, [&](Emulator &) {
    checked(version) = 3020;
    return CUDA_SUCCESS;
  });
}

CUDA_API cuCtxGetFlags(unsigned *flags) {
  return entry(Need::context, [&](Emulator &) {
    checked(flags) = currentContext()->flags;
    return CUDA_SUCCESS;
  });
}

CUDA_API cuCtxSynchronize() {
  return entry(Need::waits, [&](Emulator &e) {
    e.forbidInCapture();
    e.drainAll();
    return CUDA_SUCCESS;
  });
}

CUDA_API cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  return entry(Need::context, [&](Emulator &) {
    if (least)
      *least = 0;
    if (greatest)
      *greatest = -5;
    return CUDA_SUCCESS;
  });
}

CUDA_API cuCtxSetLimit(int, size_t) {
  return entry(Need::context, [&](Emulator &) { return CUDA_SUCCESS; });
}

CUDA_API cuCtxGetLimit(size_t *value, int) {
  return entry(Need::context, [&](Emulator &) {
    checked(value) = 0;
    return CUDA_SUCCESS;
  });
}

CUDA_API cuCtxSetCacheConfig(int) {
  return entry(Need::context, [&](Emulator &) { return CUDA_SUCCESS; });
}
