// CudaArch: the GPU architectures that models are compiled for, by NVIDIA's
// names ("sm_90"). PTX for an architecture runs on it and on all newer ones, so
// a GPU that is newer than this list gets the newest of it.
#pragma once

#include <string>

namespace blocks::cuda {

/// 90 of "sm_90". Throws UsageError, with the list, on an unknown name.
int parseArch(const std::string &name);

/// "sm_90".
std::string archName(int number);

/// The newest known architecture that a GPU of this compute capability (90 is
/// 9.0) runs; 0 if it is older than all of them.
int archForCapability(int capability);

/// "sm_75, sm_80, …".
std::string knownArchs();

} // namespace blocks::cuda
