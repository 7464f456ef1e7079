// Turns the operations of one dispatch into a kernel and its call. Rows per
// block depend on shapes alone: the runtime says how many for a product, the
// number of elements per row says it for the rest; little work stays in one
// block, which the runtime runs in the calling thread. Where a product's
// followers allow it the runtime may cut the product by columns instead: then
// each thread packs its part of the right operand once, and a layer's weights
// stay with the thread that uses and updates them.
#include "lib/Conversion/LinalgToCpu/Dispatch.h"
#include "lib/Conversion/LinalgToCpu/Access.h"
#include "lib/Conversion/LinalgToCpu/ImageCall.h"
#include "lib/Conversion/LinalgToCpu/LoopNest.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Arith/Utils/Utils.h>
#include <mlir/Dialect/LLVMIR/LLVMDialect.h>
#include <mlir/Dialect/Math/IR/Math.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/Dialect/SCF/IR/SCF.h>

using namespace mlir;

namespace blocks {

/// Elements of a block: 64 kB of f32, well within the cache of a core.
static constexpr int64_t kBlockElements = 16384;
/// Below this many elements waking a thread costs more than the work.
static constexpr int64_t kSerialElements = 32768;
/// Multiply-adds of a small product that take as long as one element.
static constexpr int64_t kMultiplyAdds = 4;
/// Rows of a block with products, which read their right operands once a block.
static constexpr int64_t kProductRows = 8;
/// Blocks of a batch of images: as many as shares of a filter's gradient, few
/// enough that the filters, packed for each block, cost little.
static constexpr int64_t kImageBlocks = 16;
/// Elements of a cache line, so that blocks of columns do not share lines.
static constexpr int64_t kLineElements = 16;

// --- The table of kernels ------------------------------------------------

func::FuncOp KernelTable::add(func::FuncOp kernel) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  kernel.print(stream, OpPrintingFlags().useLocalScope());
  auto [place, isNew] = kernels.try_emplace(text, kernel);
  if (!isNew) {
    kernel.erase();
    return place->second;
  }
  kernel.setName("kernel_" + std::to_string(kernels.size() - 1));
  module.getBody()->push_back(kernel);
  return kernel;
}

func::FuncOp KernelTable::declare(StringRef name, TypeRange arguments,
                                  TypeRange results) {
  if (auto known = module.lookupSymbol<func::FuncOp>(name))
    return known;
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto function =
      func::FuncOp::create(builder, module.getLoc(), name,
                           builder.getFunctionType(arguments, results));
  function.setPrivate();
  return function;
}

/// Fields of an environment are stored as LLVM types.
static Type getFieldType(Type type) { return getStoredType(type); }

static LLVM::LLVMStructType getEnvironmentType(MLIRContext *context,
                                               TypeRange fields) {
  return LLVM::LLVMStructType::getLiteral(
      context, llvm::map_to_vector(fields, getFieldType));
}

static Value getField(OpBuilder &builder, Location loc, Type environment,
                      Value pointer, unsigned field) {
  return LLVM::GEPOp::create(builder, loc, pointer.getType(), environment,
                             pointer,
                             ArrayRef<LLVM::GEPArg>{0, int32_t(field)});
}

func::FuncOp KernelTable::getThunk(func::FuncOp kernel) {
  func::FuncOp &thunk = thunks[kernel];
  if (thunk)
    return thunk;
  Location loc = kernel.getLoc();
  OpBuilder builder(kernel);
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Type index = builder.getIndexType();
  thunk = func::FuncOp::create(
      builder, loc, (kernel.getName() + "_blocks").str(),
      builder.getFunctionType({pointer, pointer, index, index}, {}));
  thunk.setPrivate();
  thunk->setAttr(
      "llvm.linkage",
      LLVM::LinkageAttr::get(builder.getContext(), LLVM::Linkage::Internal));
  Block *body = thunk.addEntryBlock();
  builder.setInsertionPointToStart(body);
  SmallVector<Value> operands{body->getArgument(0), body->getArgument(2),
                              body->getArgument(3)};
  ArrayRef<Type> fields = kernel.getArgumentTypes().drop_front(3);
  Type environment = getEnvironmentType(builder.getContext(), fields);
  for (auto [i, type] : llvm::enumerate(fields))
    operands.push_back(createLoad(
        builder, loc, type,
        getField(builder, loc, environment, body->getArgument(1), i)));
  func::CallOp::create(builder, loc, kernel, operands);
  func::ReturnOp::create(builder, loc);
  return thunk;
}

// --- One dispatch --------------------------------------------------------

namespace {

class Dispatch {
public:
  Dispatch(ArrayRef<Operation *> ops, KernelTable &table, Extents &extents,
           Addressing &addressing)
      : ops(ops), table(table), extents(extents), addressing(addressing),
        builder(ops.front()), loc(ops.front()->getLoc()) {}

  void outline() {
    if (!hasRows(ops.front()))
      outlineSerial();
    else if (isProduct(ops.front()) && shareColumns(ops) && haveAsManyColumns())
      outlineGrid();
    else
      outlineRows();
    for (Operation *op : ops)
      op->erase();
  }

private:
  /// True if every member has the columns of the first.
  bool haveAsManyColumns() {
    auto columns = [&](Operation *op) {
      auto structured = cast<linalg::LinalgOp>(op);
      return extents.getLoop(structured, *getColumnLoop(structured));
    };
    OpFoldResult first = columns(ops.front());
    return llvm::all_of(ops, [&](Operation *op) {
      return isEqualConstantIntOrValue(columns(op), first);
    });
  }

  // --- Kernels ----------------------------------------------------------

  void emit(Operation *op, Kernel &kernel, const DispatchBlock &block) {
    if (auto call = dyn_cast<ImageCallOp>(op))
      return emitImageCall(call, kernel, *block.rows);
    auto structured = cast<linalg::LinalgOp>(op);
    if (isProduct(op))
      emitProductCall(structured, kernel, block);
    else if (isBatchProduct(op))
      emitBatchProductCalls(structured, kernel, block);
    else if (op->hasAttr(kPackedAttr))
      emitPackCall(structured, kernel, block);
    else
      emitLoopNest(structured, kernel, block);
  }

  /// kernel(context, operands...): all the work, in the calling thread.
  void outlineSerial() {
    Kernel kernel(ops.front(), extents, addressing, 0);
    for (Operation *op : ops)
      emit(op, kernel, {});
    SmallVector<Value> operands{getContext()};
    llvm::append_range(operands, kernel.getOperands());
    func::FuncOp function = table.add(kernel.finish(getAliased()));
    func::CallOp::create(builder, loc, function, operands);
  }

  /// kernel(context, begin, end, rows, rows per block, operands...).
  void outlineRows() {
    Kernel kernel(ops.front(), extents, addressing, 4);
    emitBlocks(kernel);
    Value rows = getRows();
    Value perBlock = getRowsPerBlock(rows);
    SmallVector<Value> fields{rows, perBlock};
    llvm::append_range(fields, kernel.getOperands());
    func::FuncOp function = table.add(kernel.finish(getAliased()));
    callInParallel(table.getThunk(function), fields, divideUp(rows, perBlock));
  }

  /// kernel(context, begin, end, rows, rows per block, columns, columns per
  /// block, blocks of rows, operands...).
  void outlineGrid() {
    Kernel kernel(ops.front(), extents, addressing, 7);
    emitGrid(kernel);
    auto product = cast<linalg::LinalgOp>(ops.front());
    Value rows = materialize(extents.getLoop(product, 0)),
          columns = materialize(extents.getLoop(product, 1));
    Value rowsPerBlock = askRuntime("blocks_rt_gemm_grid_rows", product),
          columnsPerBlock = askRuntime("blocks_rt_gemm_grid_columns", product);
    Value down = divideUp(rows, rowsPerBlock);
    Value count = builder.createOrFold<arith::MulIOp>(
        loc, down, divideUp(columns, columnsPerBlock));
    SmallVector<Value> fields{rows, rowsPerBlock, columns, columnsPerBlock,
                              down};
    llvm::append_range(fields, kernel.getOperands());
    func::FuncOp function = table.add(kernel.finish(getAliased()));
    callInParallel(table.getThunk(function), fields, count);
  }

  /// Opens the loop over the blocks from `begin` to `end`; returns its
  /// variable.
  static Value openBlocks(Kernel &kernel) {
    auto blocks =
        scf::ForOp::create(kernel.builder, kernel.loc, kernel.getLeading(0),
                           kernel.getLeading(1), kernel.getConstant(1));
    kernel.builder.setInsertionPointToStart(blocks.getBody());
    return blocks.getInductionVar();
  }

  /// Block `number` of those that have `perBlock` of `size`.
  static Range getRange(Kernel &kernel, Value number, Value size,
                        Value perBlock) {
    constexpr auto noWrap = arith::IntegerOverflowFlags::nsw;
    OpBuilder &inner = kernel.builder;
    Value low =
        arith::MulIOp::create(inner, kernel.loc, number, perBlock, noWrap);
    Value high =
        arith::AddIOp::create(inner, kernel.loc, low, perBlock, noWrap);
    return {low, arith::MinSIOp::create(inner, kernel.loc, high, size)};
  }

  void emitBlocks(Kernel &kernel) {
    OpBuilder::InsertionGuard guard(kernel.builder);
    Value number = openBlocks(kernel);
    DispatchBlock block;
    block.rows =
        getRange(kernel, number, kernel.getLeading(2), kernel.getLeading(3));
    for (Operation *op : ops)
      emit(op, kernel, block);
  }

  /// Neighbouring blocks have the same columns.
  void emitGrid(Kernel &kernel) {
    OpBuilder::InsertionGuard guard(kernel.builder);
    OpBuilder &inner = kernel.builder;
    Value number = openBlocks(kernel);
    Value down = kernel.getLeading(6);
    DispatchBlock block;
    block.rows = getRange(
        kernel, arith::RemUIOp::create(inner, kernel.loc, number, down),
        kernel.getLeading(2), kernel.getLeading(3));
    block.columns = getRange(
        kernel, arith::DivUIOp::create(inner, kernel.loc, number, down),
        kernel.getLeading(4), kernel.getLeading(5));
    for (Operation *op : ops)
      emit(op, kernel, block);
  }

  /// Memrefs that overlap another one in this dispatch while one is written.
  SmallVector<Value> getAliased() {
    SmallVector<Access> accesses;
    for (Operation *op : ops)
      llvm::append_range(accesses, getAccesses(op));
    SmallVector<Value> aliased;
    for (const Access &a : accesses)
      for (const Access &b : accesses)
        if (a.view != b.view && (a.writes || b.writes) &&
            getBuffer(a.view) == getBuffer(b.view) &&
            !areDisjoint(a.view, b.view))
          aliased.push_back(a.view);
    return aliased;
  }

  // --- Sizes ------------------------------------------------------------

  Value getContext() {
    return ops.front()->getParentOfType<func::FuncOp>().getArgument(0);
  }

  Value getConstant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }

  Value materialize(OpFoldResult size) {
    return getValueOrCreateConstantIndexOp(builder, loc, size);
  }

  unsigned getRowLoopOf(Operation *op) {
    return *getRowLoop(cast<linalg::LinalgOp>(op));
  }

  Value getRows() { return materialize(getRowCount(ops.front(), extents)); }

  Value divideUp(Value size, Value by) {
    Value one = getConstant(1);
    Value sum = builder.createOrFold<arith::AddIOp>(loc, size, by);
    sum = builder.createOrFold<arith::SubIOp>(loc, sum, one);
    return builder.createOrFold<arith::DivUIOp>(loc, sum, by);
  }

  /// True if the product that comes first is more work than what follows.
  bool doesProductDecide() {
    if (!isSmallProduct(ops.front()))
      return isProduct(ops.front());
    std::optional<int64_t> own =
        getConstantIntValue(getElementsPerRow(ops.take_front()));
    std::optional<int64_t> all = getConstantIntValue(getElementsPerRow(ops));
    return !own || !all || 2 * *own >= *all;
  }

  Value getRowsPerBlock(Value rows) {
    if (doesProductDecide())
      return askRuntime("blocks_rt_gemm_rows",
                        cast<linalg::LinalgOp>(ops.front()));
    if (hasRoutine({ImageRoutine::ConvolutionFilterGrad}))
      return getConstant(1);
    if (hasRoutine(
            {ImageRoutine::Convolution, ImageRoutine::ConvolutionInputGrad}))
      return builder.createOrFold<arith::MaxUIOp>(
          loc, divideUp(rows, getConstant(kImageBlocks)), getConstant(1));
    Value perRow = materialize(getElementsPerRow(ops));
    Value total = builder.createOrFold<arith::MulIOp>(loc, rows, perRow);
    Value block = builder.createOrFold<arith::DivUIOp>(
        loc, getConstant(kBlockElements),
        builder.createOrFold<arith::MaxUIOp>(loc, perRow, getConstant(1)));
    bool hasProduct = llvm::any_of(ops, isProduct);
    block = builder.createOrFold<arith::MaxUIOp>(
        loc, block, getConstant(hasProduct ? kProductRows : 1));
    if (areRowsContiguous())
      block = wholeLines(block, perRow);
    else if (!hasProduct)
      block = evenBlocks(block, rows);
    Value isLittle = builder.createOrFold<arith::CmpIOp>(
        loc, arith::CmpIPredicate::ule, total, getConstant(kSerialElements));
    Value all = builder.createOrFold<arith::MaxUIOp>(loc, rows, getConstant(1));
    return builder.createOrFold<arith::SelectOp>(loc, isLittle, all, block);
  }

  /// True if one of the routines is called in this dispatch.
  bool hasRoutine(ArrayRef<ImageRoutine> routines) {
    return llvm::any_of(ops, [&](Operation *op) {
      auto call = dyn_cast<ImageCallOp>(op);
      return call && llvm::is_contained(routines, call.getRoutine());
    });
  }

  /// An even number of blocks of about that many rows, so that two threads get
  /// equal shares; but one if that is all.
  Value evenBlocks(Value block, Value rows) {
    Value two = getConstant(2), one = getConstant(1);
    Value pairs =
        divideUp(rows, builder.createOrFold<arith::MulIOp>(loc, block, two));
    Value even = divideUp(
        rows,
        builder.createOrFold<arith::MaxUIOp>(
            loc, one, builder.createOrFold<arith::MulIOp>(loc, pairs, two)));
    return builder.createOrFold<arith::MaxUIOp>(loc, even, one);
  }

  /// Rounds up to rows of whole cache lines, unless a row is so long that
  /// sharing a line is nothing and losing the cache is much.
  Value wholeLines(Value block, Value perRow) {
    Value lines = builder.createOrFold<arith::MulIOp>(
        loc, divideUp(block, getConstant(kLineElements)),
        getConstant(kLineElements));
    Value isLong = builder.createOrFold<arith::CmpIOp>(
        loc, arith::CmpIPredicate::ugt, perRow, getConstant(kBlockElements));
    return builder.createOrFold<arith::SelectOp>(loc, isLong, block, lines);
  }

  /// How the runtime cuts a product.
  Value askRuntime(StringRef name, linalg::LinalgOp product) {
    SmallVector<Value> sizes;
    for (unsigned loop = 0; loop < 3; ++loop)
      sizes.push_back(materialize(extents.getLoop(product, loop)));
    Type index = builder.getIndexType();
    func::FuncOp function = table.declare(name, {index, index, index}, index);
    return func::CallOp::create(builder, loc, function, sizes).getResult(0);
  }

  /// Iterations of the members for one row, counted as simple ones.
  OpFoldResult getElementsPerRow(ArrayRef<Operation *> members) {
    OpFoldResult sum = builder.getIndexAttr(0);
    for (Operation *op : members) {
      if (auto call = dyn_cast<ImageCallOp>(op)) {
        sum = add(sum, builder.getIndexAttr(getImageElements(call)));
        continue;
      }
      auto structured = cast<linalg::LinalgOp>(op);
      OpFoldResult product = builder.getIndexAttr(getWeight(structured));
      for (unsigned loop = 0; loop < structured.getNumLoops(); ++loop)
        if (loop != getRowLoopOf(op))
          product =
              extents.multiply(product, extents.getLoop(structured, loop));
      if (isProduct(op) || isBatchProduct(op))
        product = divideUp(product, kMultiplyAdds);
      sum = add(sum, product);
    }
    return sum;
  }

  /// How many simple iterations one takes: a function such as exp takes as long
  /// as loading and storing eight elements, and many operands as long as many
  /// operations on two.
  static int64_t getWeight(linalg::LinalgOp op) {
    constexpr int64_t perFunction = 8;
    int64_t weight = std::max<int64_t>(1, op->getNumOperands() / 2);
    op.getBlock()->walk([&](Operation *inner) {
      bool isFunction = isa_and_nonnull<math::MathDialect>(inner->getDialect());
      bool isInstruction =
          isa<math::AbsFOp, math::FmaOp, math::FloorOp, math::CeilOp,
              math::CopySignOp, math::SqrtOp>(inner);
      weight += isFunction && !isInstruction ? perFunction : 0;
    });
    return weight;
  }

  OpFoldResult divideUp(OpFoldResult size, int64_t by) {
    if (std::optional<int64_t> constant = getConstantIntValue(size))
      return builder.getIndexAttr((*constant + by - 1) / by);
    return divideUp(materialize(size), getConstant(by));
  }

  /// Of a pool's image.
  static int64_t getImageElements(ImageCallOp call) {
    ArrayRef<int64_t> geometry = call.getGeometry();
    return geometry[0] * geometry[1] * geometry[2];
  }

  OpFoldResult add(OpFoldResult a, OpFoldResult b) {
    std::optional<int64_t> x = getConstantIntValue(a),
                           y = getConstantIntValue(b);
    if (x && y)
      return builder.getIndexAttr(*x + *y);
    return builder.createOrFold<arith::AddIOp>(loc, materialize(a),
                                               materialize(b));
  }

  /// True if neighbouring rows share cache lines in a member that does more
  /// than one number for each row.
  bool areRowsContiguous() {
    return llvm::any_of(ops, [&](Operation *op) {
      auto structured = dyn_cast<linalg::LinalgOp>(op);
      return structured && structured.getNumLoops() > 1 &&
             getInnermostLoop(structured, extents) == getRowLoopOf(op);
    });
  }

  // --- The call ---------------------------------------------------------

  void callInParallel(func::FuncOp thunk, ArrayRef<Value> fields, Value count) {
    Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
    Type environment =
        getEnvironmentType(builder.getContext(), ValueRange(fields).getTypes());
    Value storage = createStorage(environment);
    for (auto [i, value] : llvm::enumerate(fields))
      createStore(builder, loc, value,
                  getField(builder, loc, environment, storage, i));
    Value address = func::ConstantOp::create(
        builder, loc, thunk.getFunctionType(),
        FlatSymbolRefAttr::get(thunk.getSymNameAttr()));
    address = UnrealizedConversionCastOp::create(builder, loc, pointer, address)
                  .getResult(0);
    func::FuncOp parallel =
        table.declare("blocks_rt_parallel_for",
                      {pointer, pointer, pointer, builder.getIndexType()});
    func::CallOp::create(builder, loc, parallel,
                         ValueRange{getContext(), address, storage, count});
  }

  /// Room for an environment in the entry's frame, outside of loops.
  Value createStorage(Type environment) {
    auto entry = ops.front()->getParentOfType<func::FuncOp>();
    OpBuilder start = OpBuilder::atBlockBegin(&entry.getBody().front());
    Value one = LLVM::ConstantOp::create(start, loc, start.getI64Type(),
                                         start.getI64IntegerAttr(1));
    return LLVM::AllocaOp::create(
        start, loc, LLVM::LLVMPointerType::get(start.getContext()), environment,
        one);
  }

  ArrayRef<Operation *> ops;
  KernelTable &table;
  Extents &extents;
  Addressing &addressing;
  OpBuilder builder;
  Location loc;
};

} // namespace

void outlineDispatch(ArrayRef<Operation *> ops, KernelTable &table,
                     Extents &extents, Addressing &addressing) {
  Dispatch(ops, table, extents, addressing).outline();
}

} // namespace blocks
