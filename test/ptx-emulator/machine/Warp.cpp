// Fragments of a warp: splitting, meeting again, calls and exits.
#include "Block.h"
#include "Launch.h"

#include <algorithm>

namespace ptxemu {
namespace {

/// The op that a fragment stands at, seen from `depth` calls deep.
const Op *standsAt(const Frame *&frame, const Op *at, uint32_t depth) {
  while (frame->depth > depth) {
    at = frame->callSite;
    frame = frame->parent;
  }
  return at;
}

/// Whether a runs before b; deeper calls run before their caller goes on.
bool before(const Fragment &a, const Fragment &b) {
  if (a.frame == b.frame)
    return a.at->order < b.at->order;
  const Frame *fa = a.frame, *fb = b.frame;
  uint32_t depth = std::min(fa->depth, fb->depth);
  const Op *pa = standsAt(fa, a.at, depth), *pb = standsAt(fb, b.at, depth);
  while (fa != fb) {
    pa = fa->callSite, fa = fa->parent;
    pb = fb->callSite, fb = fb->parent;
  }
  if (pa->order != pb->order)
    return pa->order < pb->order;
  return a.frame->depth > b.frame->depth;
}

bool samePlace(const Fragment &a, const Fragment &b) {
  return a.at == b.at && a.frame == b.frame && a.state == b.state;
}

} // namespace

Warp::~Warp() {
  for (Frame *frame : frames)
    delete frame;
  for (Frame *frame : pool)
    delete frame;
}

void Warp::load(const Fragment &fragment) {
  active = exec = fragment.mask;
  frame = fragment.frame;
  regs = frame->base;
}

void Warp::fork(uint32_t mask, const Op *at) {
  waiting.push_back({mask, at, frame, Fragment::ready, 0});
  active &= ~mask;
  exec = active;
}

const Op *Warp::enterDivergent(const Op *op) {
  waiting.push_back({active, op, frame, Fragment::ready, 0});
  return pick();
}

const Op *Warp::suspend(const Op *at, Fragment::State state, uint32_t barrier) {
  Fragment mine{active, at, frame, state, barrier};
  if (state == Fragment::atCollective)
    for (Fragment &other : waiting)
      if (samePlace(mine, other)) {
        other.mask |= mine.mask;
        other.state = Fragment::ready;
        return pick();
      }
  waiting.push_back(mine);
  return pick();
}

const Op *Warp::yield(const Op *at) {
  waiting.push_back({active, at, frame, Fragment::ready, 0});
  active = exec = 0;
  return nullptr;
}

const Op *Warp::pick() {
  const Fragment *best = nullptr;
  for (const Fragment &fragment : waiting)
    if (fragment.state == Fragment::ready && (!best || before(fragment, *best)))
      best = &fragment;
  if (!best)
    return nullptr;
  Fragment chosen = *best;
  chosen.mask = 0;
  std::erase_if(waiting, [&](const Fragment &fragment) {
    if (!samePlace(fragment, chosen))
      return false;
    chosen.mask |= fragment.mask;
    return true;
  });
  load(chosen);
  return chosen.at;
}

const Op *Warp::exit() {
  alive &= ~active;
  for (Frame *f = frame; f; f = f->parent)
    f->mask &= ~active;
  active = exec = 0;
  return pick();
}

const Op *Warp::call(const Code *code, const Op *site) {
  if (frame->depth >= 200)
    fault(FaultKind::other, *this, 0, site, "calls nest deeper than 200");
  Frame *callee = nullptr;
  for (Frame *&candidate : pool)
    if (candidate->code == code) {
      callee = candidate;
      std::swap(candidate, pool.back());
      pool.pop_back();
      break;
    }
  if (!callee) {
    callee = new Frame;
    prepareFrame(*callee, code);
  }
  frames.push_back(callee);
  callee->parent = frame;
  callee->callSite = site;
  callee->resume = site + 1;
  callee->mask = active;
  callee->depth = frame->depth + 1;
  callee->localBase =
      frame->localBase + (frame->code->localBytes + 15) / 16 * 16;
  if (callee->localBase + code->localBytes > launch->localStride)
    fault(FaultKind::other, *this, 0, site, "stack overflow of a recursion");
  fillSpecials(*callee, *this);
  poisonRegisters(*callee);
  frame = callee;
  regs = callee->base;
  return code->ops.data();
}

const Op *Warp::leave() {
  Frame *callee = frame;
  callee->mask &= ~active;
  frame = callee->parent;
  regs = frame->base;
  const Op *resume = callee->resume;
  if (callee->mask == 0) {
    std::erase(frames, callee);
    pool.push_back(callee);
  }
  return enter(resume);
}

} // namespace ptxemu
