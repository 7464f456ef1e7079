// One decoded step of a kernel: a handler with its operands resolved to byte
// offsets in the register frame of a warp. A handler does its work for all 32
// lanes at once and returns the step to run next, or null when the warp has
// nothing more to run for now.
#pragma once

#include <cstdint>

namespace ptxemu {

struct Op;
struct Warp;
using Handler = const Op *(*)(const Op *op, Warp &warp);

struct Op {
  Handler run = nullptr;
  uint32_t d = 0, a = 0, b = 0, c = 0; ///< byte offsets in the frame
  int64_t imm = 0;
  const uint32_t *list = nullptr; ///< more operands, owned by the code
  const void *target = nullptr;   ///< an op, a function or a jump table
  uint32_t order = 0;             ///< rank of its basic block; lower runs first
  uint32_t cache = 0; ///< which remembered allocation a memory access uses
  uint32_t line = 0;  ///< line of the PTX text
  uint32_t count = 0; ///< values of a vector access, or what the handler says
};

} // namespace ptxemu
