// What goes wrong in a kernel: an exception that carries the CUDA error code
// and the text of the report.
#pragma once

#include <stdexcept>
#include <string>

namespace ptxemu {

struct Op;
struct Warp;

enum class FaultKind { address, misaligned, instruction, assertion, other };

struct Fault : std::runtime_error {
  Fault(FaultKind kind, const std::string &what)
      : std::runtime_error(what), kind(kind) {}
  FaultKind kind;
};

/// Throws a Fault that names kernel, block, thread, line and instruction.
[[noreturn]] void fault(FaultKind kind, const Warp &warp, uint32_t lane,
                        const Op *op, const std::string &what);

/// The same as text, for reports that do not stop the kernel.
std::string describe(const Warp &warp, uint32_t lane, uint32_t line,
                     const std::string &what);

std::string hex(uint64_t value);

} // namespace ptxemu
