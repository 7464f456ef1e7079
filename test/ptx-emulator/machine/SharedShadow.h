// Race detection in shared memory. For each byte it remembers who wrote and
// who read it last, and in which epoch: an epoch ends for a warp when a barrier
// that it takes part in completes. Two accesses of different warps, one of them
// a write, race unless a barrier that both passed lies between. Bytes are kept
// by words of four as long as only whole words are touched.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace ptxemu {

struct Warp;
struct Op;

enum class Access : uint8_t { read, write, atomic };

class SharedShadow {
public:
  void startBlock(uint32_t bytes, uint32_t warps);
  /// A barrier among `participants` (a mask of warps) completed.
  void barrier(uint32_t participants);
  /// Lane `lane` touches [offset, offset + bytes).
  void access(const Warp &warp, uint32_t lane, uint32_t offset, uint32_t bytes,
              Access kind, uint32_t line);
  /// The running lanes touch `bytes` each at their offsets.
  void accessAll(const Warp &warp, const uint64_t *offsets, uint32_t bytes,
                 Access kind, uint32_t line);
  /// A cp.async of this lane is on its way to these bytes …
  void pending(const Warp &warp, uint32_t lane, uint32_t offset, uint32_t bytes,
               uint32_t line);
  /// … and has arrived, since the lane waited for it.
  void settle(const Warp &warp, uint32_t offset, uint32_t bytes);
  void startLaunch() { reported.clear(); }

  bool checkRaces = true;
  bool checkUninitialized = true;
  /// Called with the text of each finding.
  std::function<void(const std::string &)> found;

private:
  struct Cell {
    uint32_t writeEpoch = 0;
    uint32_t readEpoch = 0;
    uint32_t readers = 0; ///< warps that read in readEpoch
    uint32_t writeLine = 0;
    uint32_t readLine = 0;
    uint8_t writer = 0;
    bool atomic = false;
    bool async = false; ///< a cp.async has not been waited for
    bool split = false; ///< look at the four byte cells instead
    bool plain() const { return !(atomic | async | split); }
  };
  bool readPlainly(Cell &cell, uint32_t self, uint32_t line);
  bool writePlainly(Cell &cell, uint32_t self, uint32_t line);
  std::vector<Cell> words, bytesOf;
  uint32_t warpCount = 0;
  uint32_t firstEpoch = 1; ///< of the running block
  uint32_t epoch = 1;
  uint32_t current[32] = {};   ///< the epoch that a warp is in
  uint32_t known[32][32] = {}; ///< [w][v]: last epoch of v that w waited for
  uint32_t floor[32] = {};     ///< least of known[w]
  mutable std::set<std::pair<uint32_t, uint32_t>> reported; ///< pairs of lines
  const Warp *warp = nullptr; ///< of the access under way, for reports
  uint32_t lane = 0;

  bool ordered(uint32_t self, uint32_t other, uint32_t when) const {
    return self == other || when <= floor[self] || when <= known[self][other];
  }
  void touch(Cell &cell, uint32_t self, uint32_t offset, Access kind,
             uint32_t line);
  void checkWrite(const Cell &cell, uint32_t self, uint32_t offset, Access kind,
                  uint32_t line) const;
  void checkReaders(const Cell &cell, uint32_t self, uint32_t offset,
                    uint32_t line) const;
  void splitWord(uint32_t word);
  template <class F> void forCells(uint32_t offset, uint32_t bytes, F f);
  void report(const char *what, uint32_t offset, uint32_t line,
              uint32_t otherWarp, uint32_t otherLine) const;
};

} // namespace ptxemu
