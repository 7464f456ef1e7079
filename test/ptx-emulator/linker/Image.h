// An image of "machine code" as the nvJitLink stand-in makes it and the driver
// takes it: the PTX itself, behind what a real image begins with and the
// architecture that it is for.
#pragma once

#include <string>

namespace ptxemu {

/// sm_90 is 90.
std::string makeImage(int arch, const std::string &ptx);

struct Image {
  int arch = 0; ///< 0: not one of ours.
  const char *ptx = nullptr;
};
Image readImage(const char *image);

} // namespace ptxemu
