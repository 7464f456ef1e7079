//===- RandomSites.cpp - Sites of bricks that draw numbers ----------------===//
#include "lib/Bricks/RandomSites.h"

#include "blocks/Philox.h"

#include <set>

using namespace mlir;

namespace blocks {

/// The name of a draw that has no site yet, and its path of calls.
static constexpr StringLiteral drawName = "blocks.draw";
static constexpr StringLiteral drawPath = "blocks.draw_path";

Value drawLike(OpBuilder &ops, Location loc, RandomKind kind, Value like,
               StringRef name) {
  auto draw = RandomOp::create(ops, loc, like.getType(),
                               RandomKindAttr::get(ops.getContext(), kind),
                               like, ops.getI32IntegerAttr(0), ValueRange());
  draw->setAttr(drawName, ops.getStringAttr(name));
  return draw;
}

/// The positions of the scans around `op`, outermost first.
static SmallVector<Value> positionsAround(Operation *op) {
  SmallVector<Value> positions;
  while ((op = op->getParentOp()))
    if (auto scan = dyn_cast<ScanOp>(op))
      positions.insert(positions.begin(), scan.getPosition());
  return positions;
}

void completeDraws(Operation *op, StringRef path) {
  SmallVector<Value> around = positionsAround(op);
  op->walk([&](RandomOp draw) {
    if (draw->hasAttr(drawPath))
      return;
    draw->setAttr(drawPath, StringAttr::get(op->getContext(), path));
    if (draw->hasAttr(drawName))
      return;
    SmallVector<Value> positions = around;
    llvm::append_range(positions, draw.getIndex());
    draw.getIndexMutable().assign(positions);
  });
}

/// The first site that is free for this name.
static uint32_t takeSite(std::set<uint32_t> &used, const std::string &name) {
  for (unsigned ordinal = 0;; ++ordinal) {
    std::string candidate = name + std::to_string(ordinal);
    uint32_t site = siteHash(candidate.data(), candidate.size());
    if (used.insert(site).second)
      return site;
  }
}

static void setSite(RandomOp draw, std::set<uint32_t> &used,
                    const Twine &name) {
  StringRef path;
  if (auto known = draw->getAttrOfType<StringAttr>(drawPath))
    path = known.getValue();
  uint32_t site = takeSite(used, ("brick|" + path + "|" + name + "|").str());
  draw.setSiteAttr(
      Builder(draw->getContext()).getI32IntegerAttr(int32_t(site)));
}

/// Draws that are written with a site keep it. Where one graph has a site a
/// second time, as when it applies a written brick twice, that draw gets a site
/// of its own: no two draws share their numbers.
static SmallVector<RandomOp> repeatedSites(GraphOp graph) {
  std::set<uint32_t> seen;
  SmallVector<RandomOp> repeated;
  graph.walk([&](RandomOp draw) {
    if (!draw->hasAttr(drawName) && !seen.insert(draw.getSite()).second)
      repeated.push_back(draw);
  });
  return repeated;
}

void assignSites(ModuleOp module) {
  std::set<uint32_t> used;
  SmallVector<RandomOp> draws, repeated;
  module.walk([&](RandomOp draw) {
    if (draw->hasAttr(drawName) && draw->hasAttr(drawPath))
      draws.push_back(draw);
    else
      used.insert(draw.getSite());
  });
  for (GraphOp graph : module.getOps<GraphOp>())
    llvm::append_range(repeated, repeatedSites(graph));
  for (RandomOp draw : draws) {
    setSite(draw, used, draw->getAttrOfType<StringAttr>(drawName).getValue());
    draw.getIndexMutable().assign(positionsAround(draw));
    draw->removeAttr(drawName);
  }
  for (RandomOp draw : repeated)
    setSite(draw, used, "site " + Twine(draw.getSite()));
  module.walk([](RandomOp draw) { draw->removeAttr(drawPath); });
}

} // namespace blocks
