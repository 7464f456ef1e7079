// Initialisation, the device and its attributes.
#include "Emulator.h"

#include <cstring>

using namespace ptxemu;

namespace {

/// Shared memory of one block, with and without being asked for.
int sharedOptin(int arch) {
  if (arch == 75)
    return 64 * 1024;
  if (arch == 80 || arch == 87)
    return 163 * 1024;
  if (arch >= 90 && arch < 120)
    return 227 * 1024;
  return 99 * 1024; // 86, 89, 120
}

int threadsPerMultiprocessor(int arch) {
  if (arch == 75)
    return 1024;
  return arch == 80 || (arch >= 90 && arch < 120) ? 2048 : 1536;
}

struct Attribute {
  int id, value;
};

int attributeOf(int id, const Settings &settings) {
  int arch = settings.arch;
  const Attribute table[] = {{1, 1024}, // threads of a block
                             {2, 1024}, // extents of a block
                             {3, 1024},
                             {4, 64},
                             {5, 2147483647}, // extents of a grid
                             {6, 65535},
                             {7, 65535},
                             {8, 48 * 1024}, // shared memory of a block
                             {9, 64 * 1024}, // constant memory
                             {10, 32},       // warp size
                             {11, 2147483647},
                             {12, 65536},   // registers of a block
                             {13, 1500000}, // clock, kHz
                             {14, 512},
                             {15, 1},
                             {16, 16}, // multiprocessors
                             {19, 1},
                             {31, 1},
                             {36, 5000000},
                             {37, 384},
                             {38, 40 << 20}, // L2
                             {39, threadsPerMultiprocessor(arch)},
                             {40, 2}, // copy engines
                             {41, 1}, // unified addressing
                             {75, arch / 10},
                             {76, arch % 10},
                             {78, 1},
                             {79, 1},
                             {80, 1},
                             {81, sharedOptin(arch) + 1024},
                             {82, 65536},
                             {91, 1},
                             {97, sharedOptin(arch)},
                             {99, 1},
                             {106, 32}, // blocks of a multiprocessor
                             {111, 1024},
                             {115, 1}}; // memory pools
  for (const Attribute &attribute : table)
    if (attribute.id == id)
      return attribute.value;
  return 0;
}

void checkDevice(CUdevice device, const Emulator &e) {
  if (device < 0 || device >= e.settings.devices)
    throw DriverError{CUDA_ERROR_INVALID_DEVICE};
}

} // namespace

CUDA_API cuInit(unsigned flags) {
  return entry(Need::nothing, [&](Emulator &e) {
    if (flags)
      return CUDA_ERROR_INVALID_VALUE;
    if (e.settings.fails("init") || e.settings.devices == 0)
      return CUDA_ERROR_NO_DEVICE;
    e.initialized = true;
    return CUDA_SUCCESS;
  });
}

CUDA_API cuDriverGetVersion(int *version) {
  return entry(Need::nothing, [&](Emulator &e) {
    checked(version) = e.settings.driverVersion;
    return CUDA_SUCCESS;
  });
}

CUDA_API cuDeviceGetCount(int *count) {
  return entry(Need::initialized, [&](Emulator &e) {
    checked(count) = e.settings.devices;
    return CUDA_SUCCESS;
  });
}

CUDA_API cuDeviceGet(CUdevice *device, int ordinal) {
  return entry(Need::initialized, [&](Emulator &e) {
    checkDevice(ordinal, e);
    checked(device) = ordinal;
    return CUDA_SUCCESS;
  });
}

CUDA_API cuDeviceGetName(char *name, int length, CUdevice device) {
  return entry(Need::initialized, [&](Emulator &e) {
    checkDevice(device, e);
    if (!name || length <= 0)
      return CUDA_ERROR_INVALID_VALUE;
    std::string text = "PTX emulator sm_" + std::to_string(e.settings.arch);
    std::strncpy(name, text.c_str(), size_t(length));
    name[length - 1] = 0;
    return CUDA_SUCCESS;
  });
}

CUDA_API cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device) {
  return entry(Need::initialized, [&](Emulator &e) {
    checkDevice(device, e);
    std::memset(checked(uuid).bytes, e.settings.arch, 16);
    return CUDA_SUCCESS;
  });
}
CUDA_API cuDeviceGetUuid(CUuuid *uuid, CUdevice device) {
  return cuDeviceGetUuid_v2(uuid, device);
}

CUDA_API cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) {
  return entry(Need::initialized, [&](Emulator &e) {
    checkDevice(device, e);
    checked(bytes) = e.memory.capacity();
    return CUDA_SUCCESS;
  });
}

CUDA_API cuDeviceGetAttribute(int *value, int attribute, CUdevice device) {
  return entry(Need::initialized, [&](Emulator &e) {
    checkDevice(device, e);
    if (attribute <= 0 || attribute > 200)
      return CUDA_ERROR_INVALID_VALUE;
    checked(value) = attributeOf(attribute, e.settings);
    return CUDA_SUCCESS;
  });
}

CUDA_API cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
  return entry(Need::initialized, [&](Emulator &e) {
    checkDevice(device, e);
    checked(major) = e.settings.arch / 10;
    checked(minor) = e.settings.arch % 10;
    return CUDA_SUCCESS;
  });
}

CUDA_API cuDeviceGetPCIBusId(char *text, int length, CUdevice device) {
  return entry(Need::initialized, [&](Emulator &e) {
    checkDevice(device, e);
    std::strncpy(&checked(text), "0000:00:00.0", size_t(length));
    return CUDA_SUCCESS;
  });
}

CUDA_API cuDeviceCanAccessPeer(int *can, CUdevice, CUdevice) {
  return entry(Need::initialized, [&](Emulator &) {
    checked(can) = 0;
    return CUDA_SUCCESS;
  });
}
