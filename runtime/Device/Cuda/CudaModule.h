// CudaModule: the kernels of a compiled program on a GPU. The driver translates
// their PTX to the GPU's own code (and keeps that in its cache, ~/.nv).
#pragma once

#include "runtime/Device/Cuda/CudaDevice.h"

#include <string_view>
#include <vector>

namespace blocks::cuda {

class CudaModule {
public:
  /// Throws UnsupportedError if the driver is too old for the text, or refuses
  /// it, with what it said; CorruptError if a kernel is not there.
  CudaModule(std::shared_ptr<CudaDevice> device, std::string_view text,
             std::vector<std::string> kernels);
  ~CudaModule();
  CudaModule(const CudaModule &) = delete;
  CudaModule &operator=(const CudaModule &) = delete;

  size_t size() const { return functions.size(); }
  Function function(size_t kernel) const { return functions[kernel]; }
  const std::string &name(size_t kernel) const { return names[kernel]; }

private:
  void load(std::string_view text);
  void findFunctions();
  [[noreturn]] void refuse(Result result, std::string_view text,
                           const std::string &log) const;

  std::shared_ptr<CudaDevice> device;
  std::vector<std::string> names;
  Module module = nullptr;
  std::vector<Function> functions;
};

} // namespace blocks::cuda
