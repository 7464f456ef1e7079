// UserSource: CUDA C++ that a user wrote, compiled by NVRTC for one GPU. It
// becomes PTX where the driver knows NVRTC's version of it, else the GPU's own
// code.
#pragma once

#include "runtime/Device/Cuda/CompilerLibraries.h"
#include "runtime/Device/Cuda/CudaDevice.h"

#include <string>
#include <vector>

namespace blocks::cuda {

/// One text and the functions that are wanted of it.
struct UserSource {
  std::string file; ///< Where it stands, for people.
  std::string text;
  std::vector<std::string> kernels; ///< Their names in the model.
  std::vector<std::string> entries; ///< Their functions, beside `kernels`.
};

/// What NVRTC makes of it.
struct UserImage {
  std::string image;                  ///< PTX, or the GPU's own code.
  std::vector<std::string> functions; ///< Beside UserSource::entries.
};

/// How to compile for a GPU: "--gpu-architecture=compute_90" for PTX, "…=sm_90"
/// for its own code. Throws UnsupportedError if this NVRTC and this driver
/// cannot serve the GPU.
std::string architectureOption(const Nvrtc &nvrtc, const CudaDevice &device);

/// Throws InputError with what NVRTC said, by the user's file and line.
UserImage compileSource(const Nvrtc &nvrtc, const UserSource &source,
                        const std::string &architecture);

} // namespace blocks::cuda
