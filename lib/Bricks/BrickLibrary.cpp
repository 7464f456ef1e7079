//===- BrickLibrary.cpp - The kinds of bricks that can be named -----------===//
//
// Verification of what is not expanded yet works by doing it on a copy: the
// bricks that a call needs are cloned into a scratch module and expanded there,
// so that there is one description of each brick and no second set of rules.
//
//===----------------------------------------------------------------------===//
#include "lib/Bricks/BrickLibrary.h"

#include "lib/Bricks/BrickExpander.h"
#include "lib/Support/NearMisses.h"

#include <llvm/ADT/SetVector.h>

using namespace mlir;

namespace blocks {

BrickLibrary::BrickLibrary(Dialect *dialect) : BrickLibraryInterface(dialect) {
  addFeedforwardBricks(*this);
  addActivationBricks(*this);
  addSoftmaxBricks(*this);
  addSequenceBricks(*this);
  addCostBricks(*this);
  addLookupBricks(*this);
  addMaxoutBricks(*this);
  addNormalizationBricks(*this);
  addParallelBricks(*this);
  addPermutationBricks(*this);
  addRecurrentBricks(*this);
  addConvolutionBricks(*this);
  addPoolBricks(*this);
  addConvolutionSequenceBrick(*this);
  addAttentionBricks(*this);
  addGeneratorBricks(*this);
  addDrawBricks(*this);
}

void BrickLibrary::add(std::unique_ptr<BrickKind> kind) {
  std::string name = kind->getName().str();
  kinds[name] = std::move(kind);
}

const BrickKind *BrickLibrary::find(StringRef name) const {
  auto found = kinds.find(name);
  return found == kinds.end() ? nullptr : found->second.get();
}

std::vector<std::string> BrickLibrary::getNames() const {
  std::vector<std::string> names;
  for (auto &[name, kind] : kinds)
    names.push_back(name);
  return names;
}

const BrickKind *BrickLibrary::kindOf(BrickOp brick) const {
  if (const BrickKind *kind = find(*brick.getKind()))
    return kind;
  emitError(brick.getLoc())
      << "brick " << brick.getPath() << " has the unknown kind \""
      << *brick.getKind() << "\"" << suggest(*brick.getKind(), getNames());
  return nullptr;
}

const BrickLibrary &BrickLibrary::get(MLIRContext *context) {
  auto *dialect = context->getOrLoadDialect<BlocksDialect>();
  return static_cast<const BrickLibrary &>(
      *dialect->getRegisteredInterface<BrickLibraryInterface>());
}

void registerBrickLibrary(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, BlocksDialect *dialect) {
    dialect->addInterfaces<BrickLibrary>();
  });
}

//===--- Verification on a copy -------------------------------------------===//

/// The names of the top bricks that `root` and whatever it refers to need.
static llvm::SetVector<StringAttr> bricksNeeded(ModuleOp module,
                                                StringAttr root) {
  llvm::SetVector<StringAttr> needed;
  needed.insert(root);
  for (size_t i = 0; i < needed.size(); ++i) {
    Operation *brick = SymbolTable::lookupSymbolIn(module, needed[i]);
    if (!isa_and_nonnull<BrickOp>(brick))
      continue;
    brick->walk([&](Operation *op) {
      op->getAttrDictionary().walk([&](SymbolRefAttr reference) {
        needed.insert(reference.getRootReference());
      });
    });
  }
  return needed;
}

/// A module with copies of the top bricks that `root` needs.
static OwningOpRef<ModuleOp> scratchModule(ModuleOp module, StringAttr root) {
  OwningOpRef<ModuleOp> scratch = ModuleOp::create(module.getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(scratch->getBody());
  for (StringAttr name : bricksNeeded(module, root))
    if (auto brick = dyn_cast_or_null<BrickOp>(
            SymbolTable::lookupSymbolIn(module, name)))
      builder.clone(*brick);
  return scratch;
}

LogicalResult BrickLibrary::verifyBrick(BrickOp brick) const {
  const BrickKind *kind = kindOf(brick);
  if (!kind)
    return failure();
  // The copy keeps the brick's parents, which are part of its path.
  BrickOp top = brick;
  while (auto parent = dyn_cast_or_null<BrickOp>(top->getParentOp()))
    top = parent;
  OwningOpRef<ModuleOp> scratch = ModuleOp::create(brick.getLoc());
  IRMapping copies;
  OpBuilder::atBlockEnd(scratch->getBody()).clone(*top, copies);
  auto copy = cast<BrickOp>(copies.lookup(brick.getOperation()));
  InitUsage usage(/*warns=*/false);
  return BrickExpander(*scratch, *this, usage).declare(copy);
}

LogicalResult BrickLibrary::verifyCall(ApplyOp apply, BrickOp,
                                       ArrayRef<FlatSymbolRefAttr>) const {
  SymbolRefAttr callee = apply.getCallee();
  OwningOpRef<ModuleOp> scratch = scratchModule(
      apply->getParentOfType<ModuleOp>(), callee.getRootReference());
  InitUsage usage(/*warns=*/false);
  BrickExpander expander(*scratch, *this, usage);
  if (failed(expander.declareAll()))
    return failure();
  FailureOr<ApplicationOp> application =
      expander.instantiate(parentReference(callee), callee.getLeafReference(),
                           apply.getOperandTypes(), apply.getLoc(),
                           /*origin=*/"", optionsOf(apply));
  if (failed(application))
    return failure();
  ArrayRef<Type> results = application->getResultTypes();
  if (TypeRange(results) == TypeRange(apply.getResultTypes()))
    return success();
  return emitError(apply.getLoc())
         << "the call is written with the results (" << apply.getResultTypes()
         << "), but " << brickPath(parentReference(callee)) << " yields ("
         << results << ") for these arguments";
}

} // namespace blocks
