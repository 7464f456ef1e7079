// Makes a Program from what the compiler returned or the object cache kept: a
// manifest and a relocatable object. No compiler is needed for it.
#pragma once

#include "blocks/Program.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace blocks {

class ObjectCache;

struct ProgramOptions {
  /// Threads that work on a step; 0 means one for each usable processor.
  /// Results do not depend on it.
  int threads = 0;
  /// Which GPU runs a program for GPUs: its number, from 0.
  int gpu = 0;
  /// Lets a GPU's products of f32 numbers round their operands to TF32 (10 bits
  /// of mantissa), which is several times faster.
  bool tf32 = false;
  /// Where what NVRTC made of the user's kernels is kept; null: nowhere.
  ObjectCache *kernelCache = nullptr;
};

/// Maps the object and checks both parts against each other. `deviceText` is
/// the PTX of a program for a GPU. Keeps no reference to its arguments. Throws
/// CorruptError when they are not what a compiler wrote, UnsupportedError when
/// they are for another version, processor or GPU than this machine has.
std::unique_ptr<Program> loadProgram(std::string_view manifestJson,
                                     std::span<const std::byte> object,
                                     const ProgramOptions &options = {},
                                     std::string_view deviceText = {});

} // namespace blocks
