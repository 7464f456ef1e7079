// A warp: 32 lanes that run one fragment at a time. A divergent branch splits
// a fragment in two. Basic blocks are ranked so that every block comes before
// those that can follow it, loops being contiguous; the fragment in the lowest
// ranked block runs first and takes with it all that wait at the same place.
// So lanes meet again as early as the flow of control allows.
#pragma once

#include "Code.h"

#include <vector>

namespace ptxemu {

struct Block;
struct Launch;
struct Warp;

constexpr int laneCount = 32;
constexpr uint32_t allLanes = ~0u;

/// The registers of one call of a function, shared by the lanes that made it.
struct Frame {
  const Code *code = nullptr;
  Frame *parent = nullptr;
  const Op *resume = nullptr; ///< where the caller goes on
  const Op *callSite = nullptr;
  uint32_t mask = 0; ///< lanes that have not returned
  uint32_t depth = 0;
  uint32_t localBase = 0;         ///< of its .local variables, per lane
  std::vector<uint8_t> registers; ///< with room to align
  uint8_t *base = nullptr;        ///< 64-byte aligned start
  std::vector<uint8_t> params;    ///< [lane][laneParamBytes]
};

/// Lanes of one warp that stand at the same place.
struct Fragment {
  enum State { ready, atBarrier, atCollective };
  uint32_t mask = 0;
  const Op *at = nullptr;
  Frame *frame = nullptr;
  State state = ready;
  uint32_t barrier = 0;
};

/// A copy begun by cp.async, not yet visible.
struct AsyncCopy {
  uint32_t lane;
  uint32_t destination; ///< offset in shared memory
  uint32_t bytes;
  uint32_t line;
  uint8_t data[16];
};
struct AsyncGroup {
  uint32_t mask = 0; ///< lanes that committed it and have not waited for it
  std::vector<AsyncCopy> copies;
};

struct Warp {
  uint8_t *regs = nullptr; ///< registers of the current frame
  uint32_t exec = 0;       ///< lanes that the next handler works for
  uint32_t active = 0;     ///< lanes of the running fragment
  Frame *frame = nullptr;
  Block *block = nullptr;
  Launch *launch = nullptr;
  uint8_t *local = nullptr; ///< [lane][launch->localStride]
  uint32_t index = 0;
  uint32_t existing = 0; ///< lanes that the block has
  uint32_t alive = 0;    ///< lanes that have not exited
  int32_t budget = 0;    ///< backward branches before other warps run
  std::vector<Fragment> waiting;
  std::vector<AsyncCopy> openCopies; ///< not committed yet
  std::vector<AsyncGroup> groups;
  Frame kernelFrame;
  std::vector<Frame *> frames; ///< of calls in progress
  std::vector<Frame *> pool;   ///< finished, to be used again

  Warp() = default;
  Warp(const Warp &) = delete;
  Warp(Warp &&) = default;
  ~Warp();

  /// Continues at `op`: at once, or after fragments that stand before it.
  const Op *enter(const Op *op) {
    return waiting.empty() ? op : enterDivergent(op);
  }
  /// Splits off the lanes of `mask`, which stand at `at`.
  void fork(uint32_t mask, const Op *at);
  /// The running fragment stops at `at`; another one goes on, or null.
  const Op *suspend(const Op *at, Fragment::State state, uint32_t barrier = 0);
  /// Lets the other warps run, to go on at `at` later. Always null.
  const Op *yield(const Op *at);
  /// Takes the fragment to run next, or null when none is ready.
  const Op *pick();
  /// The running lanes exit.
  const Op *exit();
  /// Enters a function.
  const Op *call(const Code *code, const Op *site);
  /// The running lanes return from their function.
  const Op *leave();
  /// Name of a lane's thread: its index in the block.
  uint32_t thread(uint32_t lane) const { return index * laneCount + lane; }

private:
  const Op *enterDivergent(const Op *op);
  void load(const Fragment &fragment);
};

/// Allocates the registers of a frame and fills in its constants.
void prepareFrame(Frame &frame, const Code *code);
/// Fills the special registers that `warp` has in `frame`.
void fillSpecials(Frame &frame, const Warp &warp);
void poisonRegisters(Frame &frame);

} // namespace ptxemu
