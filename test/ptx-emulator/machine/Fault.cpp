// Texts of reports: which kernel, block, thread, line and instruction.
#include "Fault.h"
#include "Launch.h"

#include <sstream>

namespace ptxemu {
namespace {

std::string triple(uint32_t x, uint32_t y, uint32_t z) {
  return "(" + std::to_string(x) + "," + std::to_string(y) + "," +
         std::to_string(z) + ")";
}

std::string threadName(const Warp &warp, uint32_t lane) {
  const uint32_t *block = warp.launch->request.block;
  uint32_t thread = warp.thread(lane);
  return triple(thread % block[0], thread / block[0] % block[1],
                thread / block[0] / block[1]);
}

} // namespace

std::string hex(uint64_t value) {
  std::ostringstream text;
  text << "0x" << std::hex << value;
  return text.str();
}

std::string sourceLine(const ModuleCode &module, unsigned line) {
  std::istringstream text(module.text);
  std::string result;
  for (unsigned i = 0; i < line && std::getline(text, result); ++i) {
  }
  size_t first = result.find_first_not_of(" \t");
  return first == std::string::npos ? "" : result.substr(first);
}

std::string describe(const Warp &warp, uint32_t lane, uint32_t line,
                     const std::string &what) {
  const Block &block = *warp.block;
  const Code &kernel = *warp.launch->request.code;
  const Code &code = *warp.frame->code;
  std::string where = "kernel '" + kernel.name + "', ";
  if (&code != &kernel)
    where += "function '" + code.name + "', ";
  return where + "block " + triple(block.id[0], block.id[1], block.id[2]) +
         ", thread " + threadName(warp, lane) + ", PTX line " +
         std::to_string(line) + ": " + sourceLine(*code.module, line) +
         "\n    " + what;
}

void fault(FaultKind kind, const Warp &warp, uint32_t lane, const Op *op,
           const std::string &what) {
  throw Fault(kind, describe(warp, lane, op->line, what));
}

} // namespace ptxemu
