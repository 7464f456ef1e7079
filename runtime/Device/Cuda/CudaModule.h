// CudaModule: the kernels of a compiled program on a GPU: an image of the GPU's
// own code, where there is one that the driver takes, else their PTX, which the
// driver translates (and keeps that in its cache, ~/.nv).
#pragma once

#include "runtime/Device/Cuda/CudaDevice.h"

#include <string_view>
#include <vector>

namespace blocks::cuda {

class CudaModule {
public:
  /// Throws UnsupportedError if the driver is too old for the text, or refuses
  /// it, with what it said; CorruptError if a kernel is not there. `image` may
  /// be empty.
  CudaModule(std::shared_ptr<CudaDevice> device, std::string_view text,
             std::vector<std::string> kernels, std::string_view image = {});
  ~CudaModule();
  CudaModule(const CudaModule &) = delete;
  CudaModule &operator=(const CudaModule &) = delete;

  size_t size() const { return functions.size(); }
  Function function(size_t kernel) const { return functions[kernel]; }
  const std::string &name(size_t kernel) const { return names[kernel]; }
  /// True if the driver took the image.
  bool isImage() const { return fromImage; }

private:
  bool loadImage(std::string_view image);
  void load(std::string_view text);
  void findFunctions();
  [[noreturn]] void refuse(Result result, std::string_view text,
                           const std::string &log) const;

  std::shared_ptr<CudaDevice> device;
  std::vector<std::string> names;
  Module module = nullptr;
  bool fromImage = false;
  std::vector<Function> functions;
};

} // namespace blocks::cuda
