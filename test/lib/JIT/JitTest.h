// Compiles a module in the form after to-linalg with the stages of the compiler
// and loads the object as the runtime does. For the tests of this folder.
#pragma once

#include "blocks/CompiledProgram.h"
#include "test/Check.h"

#include <cstring>

namespace blocks {

/// The object of all entries in a file. Ends the program if there is none.
std::vector<std::byte> compileFile(const std::string &path,
                                   const std::string &level);

/// Numbers in [-scale, scale), the same for the same seed.
inline Array filled(DType type, Shape shape, double scale, int seed) {
  Array array(type, std::move(shape));
  uint32_t state = 12345u + uint32_t(seed);
  for (int64_t i = 0; i < array.size(); ++i) {
    state = state * 1664525u + 1013904223u;
    double value = scale * (double(state >> 8) / double(1 << 23) - 1.0);
    if (type == DType::Float32)
      array.as<float>()[i] = float(value);
    else
      array.as<double>()[i] = value;
  }
  return array;
}

} // namespace blocks
