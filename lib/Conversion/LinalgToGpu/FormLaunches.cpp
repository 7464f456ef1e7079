// blocks-form-launches: an entry becomes host code that launches kernels.
// Stands between plan-memory and the conversion to the llvm dialect, where
// blocks-form-dispatches stands for the processor. Loops over time stay in the
// entry; branches that report and loops over places in memory become kernels,
// since the host does not see what is in the GPU's memory.
#include "lib/Conversion/LinalgToCpu/Access.h"
#include "lib/Conversion/LinalgToCpu/FinishEntry.h"
#include "lib/Conversion/LinalgToCpu/Place.h"
#include "lib/Conversion/LinalgToGpu/DeviceKernel.h"
#include "lib/Conversion/LinalgToGpu/LaunchDispatch.h"
#include "lib/Conversion/LinalgToGpu/Passes.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/LLVMIR/NVVMDialect.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/Dialect/SCF/IR/SCF.h>

using namespace mlir;

namespace blocks {
#define GEN_PASS_DEF_FORMLAUNCHES
#include "lib/Conversion/LinalgToGpu/Passes.h.inc"

// --- Reports -----------------------------------------------------------------

static Value getWord(DeviceKernel &kernel, Value record, int64_t word) {
  return createElementPointer(kernel.builder, kernel.loc,
                              kernel.builder.getI64Type(), record,
                              kernel.getConstant(word));
}

/// Keeps a report if there is none yet, or its (site, row) is smaller.
static void emitReport(DeviceKernel &kernel, Value record, ValueRange report) {
  OpBuilder &builder = kernel.builder;
  Location loc = kernel.loc;
  Type word = builder.getI64Type();
  auto load = [&](int64_t number) {
    return createLoad(builder, loc, word, getWord(kernel, record, number));
  };
  auto compare = [&](arith::CmpIPredicate predicate, Value a,
                     Value b) -> Value {
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  };
  Value zero = arith::ConstantOp::create(builder, loc,
                                         builder.getI64IntegerAttr(0)),
        one = arith::ConstantOp::create(builder, loc,
                                        builder.getI64IntegerAttr(1));
  Value site = load(1);
  Value isFirst = compare(arith::CmpIPredicate::eq, load(0), zero);
  Value sameSite = compare(arith::CmpIPredicate::eq, report[0], site);
  Value earlierRow = arith::AndIOp::create(
      builder, loc, sameSite,
      compare(arith::CmpIPredicate::slt, report[1], load(2)));
  Value isSmaller = arith::OrIOp::create(
      builder, loc, compare(arith::CmpIPredicate::slt, report[0], site),
      earlierRow);
  Value isKept = arith::OrIOp::create(builder, loc, isFirst, isSmaller);
  auto branch = scf::IfOp::create(builder, loc, isKept, false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  createStore(builder, loc, one, getWord(kernel, record, 0));
  for (auto [i, value] : llvm::enumerate(report))
    createStore(builder, loc, value, getWord(kernel, record, int64_t(i) + 1));
}

/// True for a branch without results whose only effect is a report.
static bool onlyReports(scf::IfOp branch) {
  if (branch.getNumResults() != 0 || !branch.getElseRegion().empty())
    return false;
  return llvm::all_of(*branch.thenBlock(), [](Operation &op) {
    auto call = dyn_cast<func::CallOp>(op);
    return isMemoryEffectFree(&op) || isa<memref::LoadOp, scf::YieldOp>(op) ||
           (call && call.getCallee() == "blocks_rt_report");
  });
}

LogicalResult launchReport(scf::IfOp branch, DeviceEntry &entry) {
  if (!onlyReports(branch))
    return emitNoForm(branch)
           << "a branch that does more than report has no form on a GPU"
           << noFormAdvice("run with --device cpu");
  OpBuilder host(branch);
  Type pointer = LLVM::LLVMPointerType::get(host.getContext());
  func::FuncOp status =
      entry.module.declareOnHost("blocks_rt_status", {pointer}, pointer);
  Value record = func::CallOp::create(host, branch.getLoc(), status,
                                      ValueRange{entry.getContext()})
                     .getResult(0);
  DeviceKernel kernel(branch, entry);
  Value place = kernel.getScalar(record);
  auto copy = scf::IfOp::create(kernel.builder, kernel.loc,
                                kernel.getScalar(branch.getCondition()), false);
  kernel.builder.setInsertionPointToStart(copy.thenBlock());
  for (Operation &op : branch.thenBlock()->without_terminator()) {
    auto call = dyn_cast<func::CallOp>(op);
    if (!call) {
      if (!op.hasTrait<OpTrait::ConstantLike>())
        kernel.cloneHere(&op);
      continue;
    }
    SmallVector<Value> report;
    for (Value operand : call.getOperands().drop_front())
      report.push_back(kernel.getScalar(operand));
    emitReport(kernel, place, report);
  }
  entry.launch(host, kernel, {entry.getConstant(host, 1)});
  branch.erase();
  entry.forgetScalars();
  return success();
}

// --- Entries -----------------------------------------------------------------

namespace {

/// A constant array goes into the arena once an entry, so that kernels and
/// products find it where other arrays are.
class ConstantArrays {
public:
  explicit ConstantArrays(DeviceEntry &entry) : entry(entry) {}

  void copyAll() {
    SmallVector<memref::GetGlobalOp> constants;
    entry.function.walk(
        [&](memref::GetGlobalOp constant) { constants.push_back(constant); });
    for (memref::GetGlobalOp constant : constants)
      replace(constant);
  }

private:
  void replace(memref::GetGlobalOp constant) {
    auto type = cast<MemRefType>(constant.getType());
    Value &copy = copies[constant.getNameAttr()];
    if (!copy) {
      Type stored = getStoredType(type.getElementType());
      int64_t bytes = type.getNumElements() *
                      std::max(1u, stored.getIntOrFloatBitWidth() / 8);
      copy = entry.reserve(bytes);
      launchCopy(constant, copy, type);
    }
    entry.addressing.setPointer(constant, copy);
  }

  void launchCopy(memref::GetGlobalOp constant, Value copy, MemRefType type) {
    constexpr int64_t kThreads = 256;
    Operation *global =
        SymbolTable::lookupNearestSymbolFrom(constant, constant.getNameAttr());
    entry.module.copyGlobal(global);
    DeviceKernel kernel(constant, entry);
    OpBuilder &builder = kernel.builder;
    Location loc = kernel.loc;
    Value start = arith::MulIOp::create(builder, loc, kernel.getBlock(),
                                        kernel.getConstant(kThreads));
    Value number =
        arith::AddIOp::create(builder, loc, start, kernel.getThreadX());
    int64_t count = type.getNumElements();
    Value isThere =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, number,
                              kernel.getConstant(count));
    auto branch = scf::IfOp::create(builder, loc, isThere, false);
    builder.setInsertionPointToStart(branch.thenBlock());
    Value address = memref::ExtractAlignedPointerAsIndexOp::create(
        builder, loc,
        memref::GetGlobalOp::create(builder, loc, type, constant.getName()));
    Value word =
        arith::IndexCastOp::create(builder, loc, builder.getI64Type(), address);
    Value from = LLVM::IntToPtrOp::create(
        builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), word);
    Type element = type.getElementType();
    Value value =
        createLoad(builder, loc, element,
                   createElementPointer(builder, loc, element, from, number));
    createStore(builder, loc, value,
                createElementPointer(builder, loc, element,
                                     kernel.getScalar(copy), number));
    OpBuilder host(copy.getContext());
    host.setInsertionPointAfterValue(copy);
    entry.launch(
        host, kernel,
        {entry.getConstant(host, (count + kThreads - 1) / kThreads), kThreads});
  }

  DeviceEntry &entry;
  llvm::DenseMap<Attribute, Value> copies;
};

class FormLaunches : public impl::FormLaunchesBase<FormLaunches> {
public:
  void runOnOperation() override {
    DeviceModule device(getOperation());
    for (auto function : llvm::to_vector(getOperation().getOps<func::FuncOp>()))
      if (!function.isExternal() && failed(lowerEntry(function, device)))
        return signalPassFailure();
    eraseReport();
  }

private:
  LogicalResult lowerEntry(func::FuncOp function, DeviceModule &device) {
    DeviceEntry entry(function, device);
    ConstantArrays(entry).copyAll();
    if (failed(launchReports(entry)) || failed(launchScatters(entry)))
      return failure();
    launchUserKernels(entry);
    for (SmallVector<Operation *> &ops : collectDispatches(function))
      if (failed(launchDispatch(ops, entry)))
        return failure();
    entry.finish();
    return finishEntry(function, entry.extents);
  }

  LogicalResult launchReports(DeviceEntry &entry) {
    SmallVector<scf::IfOp> branches;
    entry.function.walk([&](scf::IfOp branch) {
      if (!branch->getParentOfType<linalg::LinalgOp>())
        branches.push_back(branch);
    });
    for (scf::IfOp branch : branches)
      if (failed(launchReport(branch, entry)))
        return failure();
    return success();
  }

  LogicalResult launchScatters(DeviceEntry &entry) {
    SmallVector<scf::ForOp> loops;
    entry.function.walk([&](scf::ForOp loop) {
      if (!loop->getParentOfType<linalg::LinalgOp>() &&
          isScatterLoop(loop, entry))
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops)
      if (failed(launchScatter(loop, entry)))
        return failure();
    return success();
  }

  void launchUserKernels(DeviceEntry &entry) {
    SmallVector<KernelLaunchOp> launches;
    entry.function.walk(
        [&](KernelLaunchOp launch) { launches.push_back(launch); });
    for (KernelLaunchOp launch : launches)
      launchUserKernel(launch, entry);
  }

  /// Nobody reports on the host.
  void eraseReport() {
    if (auto report =
            getOperation().lookupSymbol<func::FuncOp>("blocks_rt_report"))
      if (SymbolTable::symbolKnownUseEmpty(report, getOperation()))
        report.erase();
  }
};

} // namespace
} // namespace blocks
