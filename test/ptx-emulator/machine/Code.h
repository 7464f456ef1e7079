// Decoded functions and modules: what a launch runs.
#pragma once

#include "Op.h"

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ptxemu {

struct ModuleCode;

/// Registers that the machine fills in before a frame runs.
enum class Special : uint8_t {
  tidX,
  tidY,
  tidZ,
  ntidX,
  ntidY,
  ntidZ,
  ctaidX,
  ctaidY,
  ctaidZ,
  nctaidX,
  nctaidY,
  nctaidZ,
  laneid,
  warpid,
  nwarpid,
  lanemaskEq,
  lanemaskLe,
  lanemaskLt,
  lanemaskGe,
  lanemaskGt,
  zero,
  one,
  dynamicSharedSize,
  totalSharedSize,
  dynamicShared ///< address of the .extern shared array
};

struct Code {
  std::string name;
  const ModuleCode *module = nullptr;
  bool entry = false;
  unsigned line = 0;
  std::vector<Op> ops;

  // The frame: 32 lanes of each register, one 32-bit mask per predicate.
  uint32_t frameBytes = 0;
  struct Constant {
    uint32_t offset;
    uint32_t width; ///< 2, 4 or 8 bytes a lane; 0 is a predicate
    uint64_t bits;
  };
  std::vector<Constant> constants;
  struct SpecialSlot {
    uint32_t offset;
    Special special;
    bool wide; ///< 64-bit slot
  };
  std::vector<SpecialSlot> specials;
  /// Registers that may be read before they are written.
  std::vector<Constant> poisoned;

  struct Parameter {
    uint32_t offset, size;
  };
  std::vector<Parameter> params;  ///< of an entry: offsets in the buffer
  std::vector<Parameter> returns; ///< of a .func: offsets in the lane area
  uint32_t paramBytes = 0;        ///< an entry's parameter buffer
  uint32_t laneParamBytes = 0;    ///< per lane: formals and call parameters
  uint32_t localBytes = 0;        ///< per lane, of this function alone
  uint32_t localTotal = 0;        ///< per lane, with everything it calls
  uint32_t staticShared = 0;
  uint32_t dynamicSharedBase = 0;
  uint32_t caches = 0;    ///< of this module's code; see Op::cache
  unsigned registers = 0; ///< 32-bit registers that the text declares
  unsigned maxThreads = 1024;
  unsigned requiredThreads[3] = {0, 0, 0};

  std::deque<std::vector<uint32_t>> lists;        ///< for Op::list
  std::deque<std::vector<const Op *>> jumpTables; ///< for brx.idx
  std::vector<std::shared_ptr<void>> kept; ///< descriptions that ops point to

  const void *keep(std::shared_ptr<void> description) {
    kept.push_back(std::move(description));
    return kept.back().get();
  }
};

struct ModuleCode {
  std::string text;
  unsigned target = 0;
  std::deque<Code> functions;
  struct Global {
    std::string name;
    uint64_t address;
    uint64_t size;
  };
  std::vector<Global> globals;
  uint32_t caches = 0;

  Code *find(const std::string &name) {
    for (Code &code : functions)
      if (code.name == name)
        return &code;
    return nullptr;
  }
};

/// The text of one line of a module, for reports.
std::string sourceLine(const ModuleCode &module, unsigned line);

} // namespace ptxemu
