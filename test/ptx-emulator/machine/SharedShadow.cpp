// Shared memory's shadow; see SharedShadow.h.
#include "SharedShadow.h"
#include "Fault.h"
#include "Launch.h"

#include <algorithm>
#include <bit>

namespace ptxemu {

void SharedShadow::startBlock(uint32_t size, uint32_t warps) {
  if (words.size() < size / 4 + 1)
    words.resize(size / 4 + 1);
  if (epoch > 0xF0000000u) {
    std::fill(words.begin(), words.end(), Cell());
    std::fill(bytesOf.begin(), bytesOf.end(), Cell());
    epoch = 1;
  }
  warpCount = warps;
  firstEpoch = ++epoch;
  for (uint32_t w = 0; w < warps; ++w) {
    current[w] = epoch;
    floor[w] = epoch - 1;
    std::fill(known[w], known[w] + 32, epoch - 1);
  }
}

void SharedShadow::barrier(uint32_t participants) {
  uint32_t joint[32] = {};
  for (uint32_t w = 0; w < warpCount; ++w)
    if (participants >> w & 1) {
      for (uint32_t v = 0; v < warpCount; ++v)
        joint[v] = std::max(joint[v], known[w][v]);
      joint[w] = std::max(joint[w], current[w]);
    }
  ++epoch;
  uint32_t least = *std::min_element(joint, joint + warpCount);
  for (uint32_t w = 0; w < warpCount; ++w)
    if (participants >> w & 1) {
      std::copy(joint, joint + warpCount, known[w]);
      floor[w] = least;
      current[w] = epoch;
    }
}

void SharedShadow::report(const char *what, uint32_t offset, uint32_t line,
                          uint32_t otherWarp, uint32_t otherLine) const {
  if (!reported.insert({line, otherLine}).second)
    return;
  std::string text =
      std::string(what) + " at shared address " + std::to_string(offset);
  if (otherLine)
    text += "; the other side is warp " + std::to_string(otherWarp) +
            " at PTX line " + std::to_string(otherLine) + ": " +
            sourceLine(*warp->frame->code->module, otherLine);
  found(describe(*warp, lane, line, text));
}

void SharedShadow::checkWrite(const Cell &cell, uint32_t self, uint32_t offset,
                              Access kind, uint32_t line) const {
  if (cell.writeEpoch < firstEpoch || !checkRaces)
    return;
  if (kind == Access::atomic && cell.atomic)
    return;
  if (!ordered(self, cell.writer, cell.writeEpoch))
    report(kind == Access::read ? "race (read after write without a barrier)"
                                : "race (write after write without a barrier)",
           offset, line, cell.writer, cell.writeLine);
}

void SharedShadow::checkReaders(const Cell &cell, uint32_t self,
                                uint32_t offset, uint32_t line) const {
  if (cell.readEpoch < firstEpoch || !checkRaces)
    return;
  for (uint32_t others = cell.readers & ~(1u << self); others;
       others &= others - 1) {
    auto reader = uint32_t(std::countr_zero(others));
    if (!ordered(self, reader, cell.readEpoch))
      return report("race (write after read without a barrier)", offset, line,
                    reader, cell.readLine);
  }
}

void SharedShadow::touch(Cell &cell, uint32_t self, uint32_t offset,
                         Access kind, uint32_t line) {
  if (cell.async && cell.writeEpoch >= firstEpoch)
    report("touched before the cp.async that fills it was waited for", offset,
           line, cell.writer, cell.writeLine);
  else if (kind != Access::write && cell.writeEpoch < firstEpoch &&
           checkUninitialized)
    report("uninitialised shared memory is read", offset, line, 0, 0);
  checkWrite(cell, self, offset, kind, line);
  if (kind == Access::read) {
    cell.readers = cell.readEpoch == current[self] ? cell.readers : 0;
    cell.readers |= 1u << self;
    cell.readEpoch = current[self];
    cell.readLine = line;
    return;
  }
  checkReaders(cell, self, offset, line);
  cell.writeEpoch = current[self];
  cell.writer = uint8_t(self);
  cell.writeLine = line;
  cell.atomic = kind == Access::atomic;
  cell.async = false;
  cell.readers = 0;
}

void SharedShadow::splitWord(uint32_t word) {
  bytesOf.resize(std::max(bytesOf.size(), words.size() * 4));
  for (uint32_t i = 0; i < 4; ++i)
    bytesOf[word * 4 + i] = words[word];
  words[word].split = true;
}

void SharedShadow::access(const Warp &by, uint32_t laneIndex, uint32_t offset,
                          uint32_t bytes, Access kind, uint32_t line) {
  warp = &by;
  lane = laneIndex;
  uint32_t self = by.index;
  if (bytes % 4 == 0 && offset % 4 == 0) {
    for (uint32_t at = offset; at < offset + bytes; at += 4) {
      Cell &cell = words[at / 4];
      if (!cell.split) {
        touch(cell, self, at, kind, line);
        continue;
      }
      for (uint32_t i = 0; i < 4; ++i)
        touch(bytesOf[at + i], self, at + i, kind, line);
      if (kind == Access::write)
        cell = bytesOf[at]; // all four are alike now
    }
    return;
  }
  for (uint32_t at = offset; at < offset + bytes; ++at) {
    if (!words[at / 4].split)
      splitWord(at / 4);
    touch(bytesOf[at], self, at, kind, line);
  }
}

// The two frequent cases, in few steps: a read of what a barrier has made
// visible, and a write over what nobody of this epoch uses. False: look closer.

inline bool SharedShadow::readPlainly(Cell &cell, uint32_t self,
                                      uint32_t line) {
  bool fine = cell.plain() && cell.writeEpoch >= firstEpoch &&
              (cell.writeEpoch <= floor[self] || cell.writer == self);
  if (!fine)
    return false;
  cell.readers = cell.readEpoch == current[self] ? cell.readers : 0;
  cell.readers |= 1u << self;
  cell.readEpoch = current[self];
  cell.readLine = line;
  return true;
}

inline bool SharedShadow::writePlainly(Cell &cell, uint32_t self,
                                       uint32_t line) {
  bool fine =
      cell.plain() && (cell.writeEpoch <= floor[self] || cell.writer == self) &&
      (cell.readEpoch <= floor[self] || (cell.readers & ~(1u << self)) == 0);
  if (!fine)
    return false;
  cell.writeEpoch = current[self];
  cell.writer = uint8_t(self);
  cell.writeLine = line;
  cell.readers = 0;
  return true;
}

void SharedShadow::accessAll(const Warp &by, const uint64_t *offsets,
                             uint32_t bytes, Access kind, uint32_t line) {
  uint32_t self = by.index;
  for (uint32_t lanes = by.exec; lanes; lanes &= lanes - 1) {
    auto at = uint32_t(std::countr_zero(lanes));
    auto offset = uint32_t(offsets[at]);
    bool fine = bytes % 4 == 0 && kind != Access::atomic;
    for (uint32_t word = 0; fine && word < bytes / 4; ++word) {
      Cell &cell = words[offset / 4 + word];
      fine = kind == Access::read ? readPlainly(cell, self, line)
                                  : writePlainly(cell, self, line);
    }
    if (!fine)
      access(by, at, offset, bytes, kind, line);
  }
}

/// Calls f for each cell of a range, splitting words at its ends.
template <class F>
void SharedShadow::forCells(uint32_t offset, uint32_t bytes, F f) {
  for (uint32_t at = offset; at < offset + bytes;) {
    Cell &word = words[at / 4];
    if (!word.split && at % 4 == 0 && at + 4 <= offset + bytes) {
      f(word);
      at += 4;
      continue;
    }
    if (!word.split)
      splitWord(at / 4);
    f(bytesOf[at++]);
  }
}

void SharedShadow::pending(const Warp &by, uint32_t laneIndex, uint32_t offset,
                           uint32_t bytes, uint32_t line) {
  access(by, laneIndex, offset, bytes, Access::write, line);
  forCells(offset, bytes, [](Cell &cell) { cell.async = true; });
}

void SharedShadow::settle(const Warp &by, uint32_t offset, uint32_t bytes) {
  forCells(offset, bytes, [&](Cell &cell) {
    cell.async = false;
    cell.writeEpoch = current[by.index];
  });
}

} // namespace ptxemu
