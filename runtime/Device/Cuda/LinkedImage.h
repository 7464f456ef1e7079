// LinkedImage: PTX made into the code of one GPU by nvJitLink, in this process.
// It needs no GPU and no driver.
#pragma once

#include "runtime/Device/Cuda/CompilerLibraries.h"

#include <string>
#include <string_view>

namespace blocks::cuda {

struct LinkedImage {
  std::string image; ///< What the driver loads in place of the text.
  std::string log;   ///< If it was asked for: registers and memory of kernels.
};

/// `architecture`: that of the GPU, "sm_90". Throws UnsupportedError with what
/// nvJitLink said.
LinkedImage linkText(const NvJitLink &library, std::string_view text,
                     const std::string &architecture, bool withLog = false);

} // namespace blocks::cuda
