// Races between blocks; see GlobalRaces.h.
#include "GlobalRaces.h"

namespace ptxemu {

const char *GlobalRaces::access(uint64_t address, uint32_t bytes,
                                uint64_t block, Access kind, uint32_t line,
                                uint64_t &otherBlock, uint32_t &otherLine) {
  const char *what = nullptr;
  for (uint64_t at = address; at < address + bytes; ++at) {
    Cell &cell = cells[at];
    bool bothAtomic = cell.atomic && kind == Access::atomic;
    if (cell.writer != nobody && cell.writer != block && !bothAtomic) {
      what = kind == Access::read ? "read after write" : "write after write";
      otherBlock = cell.writer, otherLine = cell.writeLine;
    }
    if (kind == Access::read) {
      bool first = cell.reader == nobody || cell.reader == block;
      cell.reader = first ? block : several;
      cell.readLine = line;
      continue;
    }
    if (cell.reader != nobody && cell.reader != block) {
      what = "write after read";
      otherBlock = cell.reader, otherLine = cell.readLine;
    }
    cell.writer = block;
    cell.writeLine = line;
    cell.atomic = kind == Access::atomic;
  }
  return what;
}

} // namespace ptxemu
