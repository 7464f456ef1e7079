// An operation whose result is contiguous along one loop and an input along
// another one. A block of threads takes a tile: it reads the input's tile along
// the input's rows into shared memory, and computes and writes along those of
// the result. Rows of the tile are one element longer than it is wide, so that
// neither way do threads of a warp meet in one bank.
#include "lib/Conversion/LinalgToGpu/Transposition.h"
#include "lib/Conversion/LinalgToCpu/Element.h"
#include "lib/Conversion/LinalgToGpu/DeviceKernel.h"
#include "lib/Conversion/LinalgToGpu/MemberNest.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Arith/Utils/Utils.h>
#include <mlir/Dialect/SCF/IR/SCF.h>

using namespace mlir;

namespace blocks {

/// A tile is square; each thread takes elements that are `kTileRows` apart.
static constexpr int64_t kTile = 32;
static constexpr int64_t kTileRows = 8;
static constexpr int64_t kTileWords = kTile * (kTile + 1);
/// Narrower arrays leave most of a tile empty.
static constexpr int64_t kNarrow = 16;

// --- Which operations --------------------------------------------------------

/// The loop that indexes the last dimension, of an array of which each element
/// belongs to one iteration.
static std::optional<unsigned> getLastLoop(AffineMap map) {
  if (map.getNumResults() < 2 || !map.isPermutation())
    return std::nullopt;
  return map.getDimPosition(map.getNumResults() - 1);
}

std::optional<Transposition> findTransposition(linalg::LinalgOp op,
                                               Extents &extents) {
  if (op.getNumLoops() < 2 || op.getNumReductionLoops() != 0)
    return std::nullopt;
  std::optional<unsigned> inner;
  for (OpOperand &result : op.getDpsInitsMutable()) {
    std::optional<unsigned> last =
        getLastLoop(op.getMatchingIndexingMap(&result));
    if (!last || (inner && inner != last))
      return std::nullopt;
    inner = last;
  }
  Transposition found{*inner, *inner, {}};
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (!isa<MemRefType>(input->get().getType()) ||
        !op.payloadUsesValueFromOperand(input))
      continue;
    std::optional<unsigned> last =
        getLastLoop(op.getMatchingIndexingMap(input));
    if (!last || last == inner)
      continue;
    if (found.inputs.empty())
      found.other = *last;
    if (found.other == *last)
      found.inputs.push_back(input);
  }
  auto isNarrow = [&](unsigned loop) {
    std::optional<int64_t> extent =
        getConstantIntValue(extents.getLoop(op, loop));
    return extent && *extent < kNarrow;
  };
  if (found.inputs.empty() || isNarrow(found.inner) || isNarrow(found.other))
    return std::nullopt;
  return found;
}

// --- The kernel --------------------------------------------------------------

namespace {

class TileKernel {
public:
  TileKernel(linalg::LinalgOp op, const Transposition &tile, DeviceEntry &entry)
      : op(op), tile(tile), entry(entry), kernel(op, entry),
        builder(kernel.builder), loc(kernel.loc), element(op, kernel) {
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
      if (loop != tile.inner && loop != tile.other)
        rest.push_back(loop);
  }

  void launch() {
    x = kernel.getThreadX();
    y = kernel.getThreadY();
    placeTile();
    emitRows([&](Value row) { emitRead(row); }, firstInner, firstOther,
             tile.inner, tile.other);
    kernel.emitBarrier();
    emitRows([&](Value row) { emitWrite(row); }, firstOther, firstInner,
             tile.other, tile.inner);
    OpBuilder host(op);
    Value blocks = getValueOrCreateConstantIndexOp(
        host, loc, getIterations(op, entry.extents, rest));
    for (unsigned loop : {tile.inner, tile.other})
      blocks =
          host.createOrFold<arith::MulIOp>(loc, blocks, countTiles(host, loop));
    entry.launch(host, kernel,
                 {blocks, kTile, kTileRows,
                  int64_t(tile.inputs.size()) * kTileWords * 8},
                 getAccesses(op));
  }

private:
  Value constant(int64_t value) { return kernel.getConstant(value); }
  Value add(Value a, Value b) {
    return builder.createOrFold<arith::AddIOp>(loc, a, b);
  }
  Value getExtent(unsigned loop) {
    return kernel.getExtent(entry.extents.getLoop(op, loop));
  }

  Value countTiles(OpBuilder &host, unsigned loop) {
    return entry.divideUp(host,
                          getValueOrCreateConstantIndexOp(
                              host, loc, entry.extents.getLoop(op, loop)),
                          kTile);
  }

  /// Takes the block's number apart: tiles along `inner` come last.
  void placeTile() {
    Value number = kernel.getBlock();
    auto take = [&](Value count) -> Value {
      Value part = arith::RemUIOp::create(builder, loc, number, count);
      number = arith::DivUIOp::create(builder, loc, number, count);
      return part;
    };
    auto takeTile = [&](unsigned loop) -> Value {
      Value count = arith::DivUIOp::create(
          builder, loc, add(getExtent(loop), constant(kTile - 1)),
          constant(kTile));
      return arith::MulIOp::create(builder, loc, take(count), constant(kTile));
    };
    firstInner = takeTile(tile.inner);
    firstOther = takeTile(tile.other);
    for (unsigned loop : llvm::reverse(rest))
      element.indices[loop] =
          loop == rest.front() ? number : take(getExtent(loop));
  }

  /// The thread's elements of the tile: `down` is dealt out to the rows of
  /// threads, `across` to neighbours.
  void emitRows(function_ref<void(Value)> emit, Value firstDown,
                Value firstAcross, unsigned down, unsigned across) {
    element.indices[across] = add(firstAcross, x);
    Value isAcross =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                              element.indices[across], getExtent(across));
    for (int64_t step = 0; step < kTile; step += kTileRows) {
      Value row = add(y, constant(step));
      element.indices[down] = add(firstDown, row);
      Value isDown =
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                element.indices[down], getExtent(down));
      auto branch = scf::IfOp::create(
          builder, loc, arith::AndIOp::create(builder, loc, isAcross, isDown),
          false);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(branch.thenBlock());
      emit(row);
    }
  }

  Value getPlace(size_t input, Value row, Value column) {
    Type type = getElementTypeOrSelf(tile.inputs[input]->get().getType());
    Value base = kernel.getShared(constant(int64_t(input) * kTileWords));
    Value start = arith::MulIOp::create(builder, loc, row, constant(kTile + 1));
    return createElementPointer(builder, loc, type, base, add(start, column));
  }

  void emitRead(Value row) {
    for (auto [i, input] : llvm::enumerate(tile.inputs))
      createStore(builder, loc, element.load(input), getPlace(i, row, x));
  }

  void emitWrite(Value row) {
    SmallVector<Value> values;
    for (auto [i, input] : llvm::enumerate(tile.inputs))
      values.push_back(createLoad(builder, loc,
                                  getElementTypeOrSelf(input->get().getType()),
                                  getPlace(i, x, row)));
    element.emitBody(tile.inputs, values);
  }

  linalg::LinalgOp op;
  const Transposition &tile;
  DeviceEntry &entry;
  DeviceKernel kernel;
  OpBuilder &builder;
  Location loc;
  Element element;
  SmallVector<unsigned> rest;
  Value x, y, firstInner, firstOther;
};

} // namespace

void launchTransposition(linalg::LinalgOp op,
                         const Transposition &transposition,
                         DeviceEntry &entry) {
  TileKernel(op, transposition, entry).launch();
}

} // namespace blocks
