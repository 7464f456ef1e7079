// Opening of a GPU: see CudaDevice.h.
#include "runtime/Device/Cuda/CudaDevice.h"

#include "blocks/Error.h"
#include "runtime/Device/Cuda/CudaArch.h"

namespace blocks::cuda {

namespace {
DeviceInfo describeDevice(const CudaDriver &driver, int number) {
  DeviceNumber device = 0;
  driver.check(driver.deviceGet(&device, number),
               "open GPU " + std::to_string(number));
  char name[256] = "";
  int major = 0, minor = 0;
  DeviceInfo info;
  info.number = number;
  std::string what = "ask GPU " + std::to_string(number) + " what it is";
  driver.check(driver.deviceGetName(name, sizeof name - 1, device), what);
  driver.check(driver.deviceTotalMem(&info.bytes, device), what);
  driver.check(
      driver.deviceGetAttribute(&major, computeCapabilityMajor, device), what);
  driver.check(
      driver.deviceGetAttribute(&minor, computeCapabilityMinor, device), what);
  driver.check(driver.deviceGetAttribute(&info.multiprocessors,
                                         multiprocessorCount, device),
               what);
  info.name = name;
  info.capability = major * 10 + minor;
  return info;
}
} // namespace

std::vector<DeviceInfo> listDevices(const CudaDriver &driver) {
  std::vector<DeviceInfo> devices;
  int count = 0;
  if (!driver.usable() || driver.deviceGetCount(&count) != Success)
    return devices;
  for (int number = 0; number < count; ++number)
    devices.push_back(describeDevice(driver, number));
  return devices;
}

DeviceInfo findDevice(const CudaDriver &driver, int number) {
  if (!driver.usable())
    throw UnsupportedError("no GPU can be used: " + driver.problem() +
                           "; run with --device cpu, or see blocks-run doctor");
  int count = 0;
  driver.check(driver.deviceGetCount(&count), "count the GPUs");
  if (number < 0 || number >= count)
    throw UnsupportedError("there is no GPU number " + std::to_string(number) +
                           ": this machine has " + std::to_string(count) +
                           ", numbered from 0 (blocks-run doctor lists them)");
  DeviceInfo info = describeDevice(driver, number);
  if (archForCapability(info.capability) == 0)
    throw UnsupportedError("the GPU '" + info.name + "' is of architecture " +
                           archName(info.capability) +
                           ", older than those that models are compiled for (" +
                           knownArchs() + "); run with --device cpu");
  return info;
}

CudaDevice::CudaDevice(int number) : theInfo(findDevice(theDriver, number)) {
  try {
    open();
  } catch (...) {
    close();
    throw;
  }
}

void CudaDevice::open() {
  std::string what = "start work on the GPU '" + theInfo.name + "'";
  DeviceNumber device = 0;
  theDriver.check(theDriver.deviceGet(&device, theInfo.number), what);
  theDriver.check(theDriver.primaryContextRetain(&context, device), what);
  makeCurrent();
  theDriver.check(theDriver.streamCreate(&computeStream, nonBlockingStream),
                  what);
  theDriver.check(theDriver.streamCreate(&copyStream, nonBlockingStream), what);
}

void CudaDevice::close() noexcept {
  if (!context)
    return;
  settle();
  for (Stream stream : {computeStream, copyStream})
    if (stream)
      theDriver.streamDestroy(stream);
  DeviceNumber device = 0;
  theDriver.deviceGet(&device, theInfo.number);
  theDriver.primaryContextRelease(device);
}

CudaDevice::~CudaDevice() { close(); }

void CudaDevice::makeCurrent() const {
  theDriver.check(theDriver.contextSetCurrent(context),
                  "use the GPU in this thread");
}

void CudaDevice::settle() const noexcept {
  theDriver.contextSetCurrent(context);
  for (Stream stream : {copyStream, computeStream})
    if (stream)
      theDriver.streamSynchronize(stream);
}

} // namespace blocks::cuda
