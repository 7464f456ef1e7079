// Linking of a program's kernels: see KernelImage.h.
#include "runtime/Program/KernelImage.h"

#include "blocks/Error.h"
#include "runtime/Base/Sha256.h"
#include "runtime/Device/Cuda/CudaArch.h"
#include "runtime/Device/Cuda/LinkedImage.h"

namespace blocks {

using namespace cuda;

namespace {
/// A driver takes code of its own major version of CUDA, and of older ones.
bool knowsImages(const CudaDriver &driver, const NvJitLink &library) {
  return driver.version() / 1000 >= library.versionNumber() / 1000;
}
} // namespace

std::string kernelImage(const CudaDevice &device, std::string_view text,
                        ObjectCache *cache) {
  NvJitLink library;
  if (!library.usable() || !knowsImages(device.driver(), library))
    return {};
  std::string architecture = archName(device.info().capability);
  std::string key = Sha256::hexOf("linked kernels|" + library.version() + "|" +
                                  architecture + "|" + std::string(text));
  if (cache)
    if (std::optional<CachedObject> found = cache->find(key))
      return std::string(found->deviceText);
  try {
    std::string image = linkText(library, text, architecture).image;
    if (cache)
      cache->store(key, {}, {}, image);
    return image;
  } catch (const UnsupportedError &) {
    return {}; // A newer GPU than it knows: the driver knows it.
  }
}

} // namespace blocks
