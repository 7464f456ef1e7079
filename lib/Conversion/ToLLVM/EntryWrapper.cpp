// Turns `@train(%ctx, memrefs…)` into `@blocks_entry_train(%ctx, %args)`.
// `args[i]` points to the i-th memref descriptor, words {base, aligned, offset,
// sizes, strides}. Only its pointer and its dynamic sizes are used: the layout
// is dense and the offset zero, which the runtime's Program guarantees.
#include "lib/Conversion/ToLLVM/EntryWrapper.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/LLVMIR/LLVMDialect.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>

using namespace mlir;

namespace blocks {

/// Words of a descriptor before its sizes.
static constexpr int32_t kAlignedWord = 1;
static constexpr int32_t kFirstSizeWord = 3;

static Value loadWord(OpBuilder &builder, Location loc, Value pointer,
                      int32_t word, Type type) {
  Value place = LLVM::GEPOp::create(builder, loc, pointer.getType(), type,
                                    pointer, ArrayRef<LLVM::GEPArg>{word});
  return LLVM::LoadOp::create(builder, loc, type, place);
}

/// Replaces one use of a memref argument by words of its descriptor. The user
/// stays: it may be where the builder stands.
static LogicalResult replaceUse(OpBuilder &builder, Operation *user,
                                Value descriptor) {
  Location loc = user->getLoc();
  int32_t word = kAlignedWord;
  if (auto dim = dyn_cast<memref::DimOp>(user)) {
    std::optional<int64_t> index = dim.getConstantIndex();
    if (!index)
      return user->emitOpError("internal error: the dimension is not constant");
    word = kFirstSizeWord + int32_t(*index);
  } else if (!isa<memref::ExtractAlignedPointerAsIndexOp>(user)) {
    return user->emitOpError("internal error: an entry's argument is used by "
                             "an operation that is not a kernel");
  }
  Value value = loadWord(builder, loc, descriptor, word, builder.getI64Type());
  value =
      arith::IndexCastOp::create(builder, loc, builder.getIndexType(), value);
  user->getResult(0).replaceAllUsesWith(value);
  return success();
}

LogicalResult wrapEntry(func::FuncOp function) {
  Block &body = function.getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  Location loc = function.getLoc();
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  unsigned count = body.getNumArguments();
  SmallVector<Operation *> replaced;
  Value args = body.addArgument(pointer, loc);
  for (unsigned i = 1; i < count; ++i) {
    BlockArgument argument = body.getArgument(i);
    if (argument.use_empty())
      continue;
    Value descriptor = loadWord(builder, loc, args, int32_t(i) - 1, pointer);
    for (Operation *user : argument.getUsers()) {
      if (failed(replaceUse(builder, user, descriptor)))
        return failure();
      replaced.push_back(user);
    }
  }
  for (Operation *user : replaced)
    user->erase();
  body.eraseArguments(1, count - 1);
  function.setType(builder.getFunctionType({pointer, pointer}, {}));
  function.removeArgAttrsAttr();
  function->removeAttr("blocks.entry");
  // An entry only prepares calls of kernels; with loops over time it is long,
  // and optimizing its addresses took as long as all kernels together.
  function->setAttr("passthrough",
                    builder.getStrArrayAttr({"noinline", "optnone"}));
  function.setName(("blocks_entry_" + function.getName()).str());
  return success();
}

} // namespace blocks
