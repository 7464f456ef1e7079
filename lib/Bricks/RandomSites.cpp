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

void completeDraws(Operation *op, StringRef path) {
  op->walk([&](RandomOp draw) {
    if (draw->hasAttr(drawName) && !draw->hasAttr(drawPath))
      draw->setAttr(drawPath, StringAttr::get(op->getContext(), path));
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

/// The positions of the scans around `op`, outermost first.
static SmallVector<Value> positionsAround(Operation *op) {
  SmallVector<Value> positions;
  while ((op = op->getParentOp()))
    if (auto scan = dyn_cast<ScanOp>(op))
      positions.insert(positions.begin(), scan.getPosition());
  return positions;
}

void assignSites(ModuleOp module) {
  std::set<uint32_t> used;
  SmallVector<RandomOp> draws;
  module.walk([&](RandomOp draw) {
    if (draw->hasAttr(drawPath))
      draws.push_back(draw);
    else
      used.insert(draw.getSite());
  });
  for (RandomOp draw : draws) {
    auto path = draw->getAttrOfType<StringAttr>(drawPath);
    auto name = draw->getAttrOfType<StringAttr>(drawName);
    uint32_t site = takeSite(
        used, ("brick|" + path.getValue() + "|" + name.getValue() + "|").str());
    draw.setSiteAttr(
        Builder(draw->getContext()).getI32IntegerAttr(int32_t(site)));
    draw.getIndexMutable().assign(positionsAround(draw));
    draw->removeAttr(drawPath);
    draw->removeAttr(drawName);
  }
}

} // namespace blocks
