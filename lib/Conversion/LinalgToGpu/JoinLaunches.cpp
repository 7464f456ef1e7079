// Many small kernels that do not depend on each other, such as the updates of
// all parameters, become one launch. The blocks of the joined kernel are dealt
// out to segments, one for each launch that was joined. A table, the kernel's
// one argument, says at which block each segment starts, and has the arguments
// of all segments. Segments of one form share the code; a block finds its
// segment by bisection, and reads its arguments from the table.
#include "lib/Conversion/LinalgToGpu/JoinLaunches.h"
#include "lib/Conversion/LinalgToCpu/Addressing.h"

#include <limits>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/LLVMIR/LLVMDialect.h>
#include <mlir/Dialect/LLVMIR/NVVMDialect.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/IR/IRMapping.h>

using namespace mlir;

namespace blocks {

/// Words of a table: a kernel's arguments may have 4096 bytes on every driver.
static constexpr int64_t kTableWords = 500;

namespace {

/// Launches of one code, which are neighbours in the table.
struct Form {
  std::string text;
  SmallVector<Launch *> segments;
  int64_t firstSegment = 0, firstWord = 0;

  func::FuncOp kernel() { return *segments.front()->kernel; }
  int64_t words() { return int64_t(segments.front()->operands.size()); }
};

class Joining {
public:
  Joining(ArrayRef<Launch *> run)
      : place(run.back()->place), builder(place->getContext()),
        loc(builder.getUnknownLoc()) {
    for (Launch *launch : run)
      addSegment(launch);
    for (Form &form : forms) {
      form.firstSegment = segments;
      segments += int64_t(form.segments.size());
    }
    starts = int64_t(llvm::PowerOf2Ceil(uint64_t(segments)));
    words = starts;
    for (Form &form : forms) {
      form.firstWord = words;
      words += form.words() * int64_t(form.segments.size());
    }
  }

  std::unique_ptr<Launch> join() {
    auto joined = std::make_unique<Launch>();
    Launch *first = forms.front().segments.front();
    joined->shape = first->shape;
    for (Form &form : forms)
      for (Launch *segment : form.segments)
        joined->shape.sharedBytes =
            std::max(joined->shape.sharedBytes, segment->shape.sharedBytes);
    joined->place = place;
    fillTable(*joined);
    joined->kernel = createKernel();
    return joined;
  }

private:
  void addSegment(Launch *launch) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    launch->kernel->print(stream, OpPrintingFlags().useLocalScope());
    for (Form &form : forms)
      if (form.text == text) {
        form.segments.push_back(launch);
        return;
      }
    forms.emplace_back();
    forms.back().text = text;
    forms.back().segments.push_back(launch);
  }

  // --- The table, on the host ------------------------------------------------

  /// Starts of segments, in blocks; then the arguments, segment by segment.
  void fillTable(Launch &joined) {
    OpBuilder host(place);
    Value sum = arith::ConstantIndexOp::create(host, loc, 0);
    for (Form &form : forms)
      for (Launch *segment : form.segments) {
        joined.operands.push_back(sum);
        sum = host.createOrFold<arith::AddIOp>(loc, sum, segment->shape.blocks);
      }
    joined.shape.blocks = sum;
    Value never = arith::ConstantIndexOp::create(
        host, loc, std::numeric_limits<int64_t>::max());
    joined.operands.append(starts - segments, never);
    for (Form &form : forms)
      for (Launch *segment : form.segments)
        llvm::append_range(joined.operands, segment->operands);
  }

  // --- The kernel ------------------------------------------------------------

  func::FuncOp createKernel() {
    Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
    auto function = func::FuncOp::create(loc, "kernel",
                                         builder.getFunctionType(pointer, {}));
    auto table = LLVM::LLVMArrayType::get(builder.getI64Type(), words);
    function.setArgAttr(0, LLVM::LLVMDialect::getByValAttrName(),
                        TypeAttr::get(table));
    Block *body = function.addEntryBlock();
    builder.setInsertionPointToStart(body);
    emitBody(body->getArgument(0));
    builder.setInsertionPointToEnd(body);
    func::ReturnOp::create(builder, loc);
    return function;
  }

  void emitBody(Value table) {
    Value block = arith::IndexCastUIOp::create(
        builder, loc, builder.getIndexType(),
        NVVM::BlockIdXOp::create(builder, loc, builder.getI32Type()));
    Value segment = emitSearch(table, block);
    Value own = arith::SubIOp::create(
        builder, loc, block, loadWord(table, segment, builder.getIndexType()));
    Value number =
        arith::IndexCastUIOp::create(builder, loc, builder.getI32Type(), own);
    for (Form &form : forms)
      emitForm(form, table, segment, number);
  }

  /// The last segment that starts at the block or before it.
  Value emitSearch(Value table, Value block) {
    Value segment = constant(0);
    for (int64_t step = starts / 2; step > 0; step /= 2) {
      Value next = arith::AddIOp::create(builder, loc, segment, constant(step));
      Value start = loadWord(table, next, builder.getIndexType());
      Value isBehind = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::sge, block, start);
      segment = arith::SelectOp::create(builder, loc, isBehind, next, segment);
    }
    return segment;
  }

  /// The code of a form, for blocks of its segments; the builder is then where
  /// the code of the next form goes.
  void emitForm(Form &form, Value table, Value segment, Value number) {
    bool isLast = &form == &forms.back();
    int64_t end = form.firstSegment + int64_t(form.segments.size());
    Block *other = nullptr;
    if (!isLast) {
      Value isHere = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::slt, segment, constant(end));
      auto branch = scf::IfOp::create(builder, loc, isHere,
                                      /*withElseRegion=*/true);
      builder.setInsertionPointToStart(branch.thenBlock());
      other = branch.elseBlock();
    }
    emitCode(form, table, segment, number);
    if (other)
      builder.setInsertionPointToStart(other);
  }

  void emitCode(Form &form, Value table, Value segment, Value number) {
    Value inForm = arith::SubIOp::create(builder, loc, segment,
                                         constant(form.firstSegment));
    Value base = arith::AddIOp::create(
        builder, loc,
        arith::MulIOp::create(builder, loc, inForm, constant(form.words())),
        constant(form.firstWord));
    IRMapping mapping;
    Block &code = form.kernel().getBody().front();
    for (BlockArgument argument : code.getArguments()) {
      Value word = arith::AddIOp::create(builder, loc, base,
                                         constant(argument.getArgNumber()));
      mapping.map(argument, loadWord(table, word, argument.getType()));
    }
    for (Operation &op : code.without_terminator()) {
      if (isa<NVVM::BlockIdXOp>(op))
        mapping.map(op.getResult(0), number);
      else
        builder.clone(op, mapping);
    }
  }

  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }

  Value loadWord(Value table, Value word, Type type) {
    return createLoad(
        builder, loc, type,
        createElementPointer(builder, loc, builder.getI64Type(), table, word));
  }

  Operation *place;
  OpBuilder builder;
  Location loc;
  std::vector<Form> forms;
  int64_t segments = 0;
  int64_t starts = 0; ///< Entries of the table that say where segments start.
  int64_t words = 0;
};

/// True if two buffers share a place of the arena, one after the other.
bool shareSlot(Value a, Value b) {
  auto first = getBuffer(a).getDefiningOp<memref::ViewOp>(),
       second = getBuffer(b).getDefiningOp<memref::ViewOp>();
  return first && second && first != second &&
         isEqualConstantIntOrValue(first.getByteShift(), second.getByteShift());
}

/// True if two launches must stay in order. Their dispatches may be different
/// ones, so buffers that are not live together count, too.
bool mustStayInOrder(const Launch &a, const Launch &b) {
  if (conflict(*a.accesses, *b.accesses))
    return true;
  for (const Access &first : *a.accesses)
    for (const Access &second : *b.accesses)
      if ((first.writes || second.writes) && shareSlot(first.view, second.view))
        return true;
  return false;
}

/// Finds the runs of launches that are joined.
class Runs {
public:
  explicit Runs(std::vector<std::unique_ptr<Launch>> &launches)
      : launches(launches) {
    for (auto &launch : launches)
      byPlace[launch->place] = launch.get();
  }

  void find(Region &region) {
    for (Block &block : region) {
      for (Operation &op : llvm::make_early_inc_range(block))
        visit(op);
      close();
    }
  }

private:
  void visit(Operation &op) {
    if (Launch *launch = byPlace.lookup(&op)) {
      if (!fits(*launch))
        close();
      if (launch->accesses) {
        run.push_back(launch);
        words += int64_t(launch->operands.size());
      }
      return;
    }
    if (isMemoryEffectFree(&op) || isa<memref::LoadOp>(op))
      return;
    close();
    for (Region &nested : op.getRegions())
      find(nested);
  }

  bool fits(const Launch &next) {
    if (run.empty() || !next.accesses)
      return run.empty() && next.accesses;
    // A table has at most twice as many starts as segments.
    if (words + int64_t(next.operands.size()) + 2 * int64_t(run.size() + 1) >
        kTableWords)
      return false;
    return next.shape.x == run.front()->shape.x &&
           next.shape.y == run.front()->shape.y &&
           llvm::none_of(run, [&](const Launch *launch) {
             return mustStayInOrder(*launch, next);
           });
  }

  void close() {
    if (run.size() > 1)
      replace();
    run.clear();
    words = 0;
  }

  void replace() {
    std::unique_ptr<Launch> joined = Joining(run).join();
    llvm::SmallPtrSet<Launch *, 8> gone(run.begin(), run.end());
    for (Launch *launch : run)
      if (launch->place != joined->place)
        launch->place->erase();
    llvm::erase_if(launches, [&](const std::unique_ptr<Launch> &launch) {
      return gone.contains(launch.get());
    });
    launches.push_back(std::move(joined));
  }

  std::vector<std::unique_ptr<Launch>> &launches;
  llvm::DenseMap<Operation *, Launch *> byPlace;
  SmallVector<Launch *> run;
  int64_t words = 0;
};

} // namespace

void joinLaunches(func::FuncOp function,
                  std::vector<std::unique_ptr<Launch>> &launches) {
  Runs(launches).find(function.getBody());
}

} // namespace blocks
