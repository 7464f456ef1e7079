//===- AlgorithmBrick.cpp - The state of the training algorithm -----------===//
#include "lib/Autodiff/AlgorithmBrick.h"

using namespace mlir;

namespace blocks {

/// The operation of type Op with this name directly in `block`.
template <typename Op> static Op findIn(Block &block, StringRef name) {
  for (Op op : block.getOps<Op>())
    if (op.getSymName() == name)
      return op;
  return {};
}

static BrickOp brickIn(Block &block, Location loc, StringRef name) {
  if (BrickOp brick = findIn<BrickOp>(block, name))
    return brick;
  OpBuilder builder = OpBuilder::atBlockEnd(&block);
  auto brick =
      BrickOp::create(builder, loc, name, StringAttr(), DictionaryAttr());
  brick.getBody().emplaceBlock();
  return brick;
}

AlgorithmBrick AlgorithmBrick::getOrCreate(ModuleOp module) {
  return AlgorithmBrick(
      brickIn(*module.getBody(), module.getLoc(), "algorithm"));
}

BrickOp AlgorithmBrick::child(ArrayRef<StringRef> path) {
  BrickOp current = brick;
  for (StringRef name : path)
    current = brickIn(current.getBodyBlock(), brick.getLoc(), name);
  return current;
}

ParameterOp AlgorithmBrick::state(BrickOp owner, StringRef name,
                                  RankedTensorType type, Role role,
                                  double initial, SymbolRefAttr forParameter) {
  Block &block = owner.getBodyBlock();
  if (ParameterOp found = findIn<ParameterOp>(block, name))
    return found;
  OpBuilder builder = OpBuilder::atBlockEnd(&block);
  MLIRContext *context = builder.getContext();
  return ParameterOp::create(
      builder, owner.getLoc(), name, type, RolesAttr::of(context, role),
      ConstantInitAttr::get(context, llvm::APFloat(initial)), forParameter);
}

ParameterOp AlgorithmBrick::counter(StringRef name) {
  auto type =
      RankedTensorType::get({}, IntegerType::get(brick.getContext(), 64));
  return state(brick, name, type, Role::AlgorithmState, 0.0);
}

ParameterOp AlgorithmBrick::seed() { return counter("seed"); }
ParameterOp AlgorithmBrick::step() { return counter("step"); }

} // namespace blocks
