// Makes a Program from what the compiler returned or the object cache kept: a
// manifest and a relocatable object. No compiler is needed for it.
#pragma once

#include "blocks/Program.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace blocks {

struct ProgramOptions {
  /// Threads that work on a step; 0 means one for each usable processor.
  /// Results do not depend on it.
  int threads = 0;
};

/// Maps the object and checks both parts against each other. Keeps no reference
/// to its arguments. Throws CorruptError when they are not what a compiler
/// wrote, UnsupportedError when they are for another version or processor.
std::unique_ptr<Program> loadProgram(std::string_view manifestJson,
                                     std::span<const std::byte> object,
                                     const ProgramOptions &options = {});

} // namespace blocks
