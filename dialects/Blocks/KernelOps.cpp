//===- KernelOps.cpp - Syntax and verifiers of the user's kernels ---------===//
#include "dialects/Blocks/Blocks.h"
#include "dialects/Blocks/FunctionSyntax.h"

#include <llvm/ADT/StringMap.h>
#include <mlir/Interfaces/SideEffectInterfaces.h>

using namespace mlir;

namespace blocks {

/// The most threads that a block can have, on every GPU.
static constexpr int64_t kMostThreads = 1024;

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseLikeFunction<KernelOp>(parser, result);
}

void KernelOp::print(OpAsmPrinter &printer) {
  printLikeFunction(printer, *this);
}

//===--- Axes -------------------------------------------------------------===//

/// The names in `axes`, or "" for each axis of the type.
static SmallVector<StringRef> axisNames(Type type, Attribute axes) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  SmallVector<StringRef> names(tensor ? tensor.getRank() : 0, "");
  if (auto list = dyn_cast_or_null<ArrayAttr>(axes))
    for (auto [name, attribute] : llvm::zip(names, list))
      if (auto text = dyn_cast<StringAttr>(attribute))
        name = text.getValue();
  return names;
}

SmallVector<StringRef> KernelOp::getArgumentAxes(unsigned i) {
  return axisNames(getArgumentTypes()[i], getArgAttr(i, "blocks.axes"));
}
SmallVector<StringRef> KernelOp::getResultAxes(unsigned i) {
  return axisNames(getResultTypes()[i], getResultAttr(i, "blocks.axes"));
}

SmallVector<StringRef> KernelOp::getAxes() {
  SmallVector<StringRef> all;
  for (unsigned i = 0; i < getNumArguments(); ++i)
    for (StringRef name : getArgumentAxes(i))
      if (!name.empty() && !llvm::is_contained(all, name))
        all.push_back(name);
  return all;
}

SmallVector<StringRef> KernelOp::getGridAxes() {
  SmallVector<StringRef> axes;
  auto add = [&](StringRef name) {
    if (!name.empty() && !llvm::is_contained(axes, name))
      axes.push_back(name);
  };
  if (getGrid())
    for (StringRef name : getGridAttr().getAsValueRange<StringAttr>())
      add(name);
  else
    for (StringRef name : getResultAxes(0))
      add(name);
  return axes;
}

//===--- The kernel -------------------------------------------------------===//

namespace {

/// Checks a kernel's constraints, one method for each.
class KernelVerifier {
public:
  explicit KernelVerifier(KernelOp kernel) : kernel(kernel) {}

  LogicalResult run() {
    if (!isa_and_nonnull<ModuleOp>(kernel->getParentOp()))
      return kernel.emitOpError(
          "C1: stands at the module's top, beside bricks and graphs");
    if (kernel.getResultTypes().empty())
      return kernel.emitOpError("C2: has no result");
    for (unsigned i = 0; i < kernel.getNumArguments(); ++i)
      if (failed(checkType("argument " + Twine(i),
                           kernel.getArgumentTypes()[i])) ||
          failed(checkAxes("argument " + Twine(i), kernel.getArgumentTypes()[i],
                           kernel.getArgAttr(i, "blocks.axes"))))
        return failure();
    known = kernel.getAxes();
    for (unsigned i = 0; i < kernel.getResultTypes().size(); ++i)
      if (failed(checkType("result " + Twine(i), kernel.getResultTypes()[i])) ||
          failed(checkAxes("result " + Twine(i), kernel.getResultTypes()[i],
                           kernel.getResultAttr(i, "blocks.axes"))) ||
          failed(checkResultAxes(i)))
        return failure();
    if (failed(checkBody()) || failed(checkLaunch()))
      return failure();
    return checkSource();
  }

private:
  LogicalResult checkType(const Twine &what, Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    Type element = tensor ? tensor.getElementType() : Type();
    auto integer = dyn_cast_or_null<IntegerType>(element);
    bool isNumber =
        element && (element.isF32() || element.isF64() ||
                    (integer && llvm::is_contained({8u, 16u, 32u, 64u},
                                                   integer.getWidth())));
    if (isNumber)
      return success();
    return kernel.emitOpError("C2: ")
           << what << " is " << type
           << "; expected a tensor of f32, f64 or integers of 8 to 64 bits";
  }

  LogicalResult checkAxes(const Twine &what, Type type, Attribute axes) {
    auto tensor = cast<RankedTensorType>(type);
    auto list = dyn_cast_or_null<ArrayAttr>(axes);
    if (axes && (!list || !llvm::all_of(list, llvm::IsaPred<StringAttr>) ||
                 int64_t(list.size()) != tensor.getRank()))
      return kernel.emitOpError("C3: blocks.axes of ")
             << what << " must be an array of " << tensor.getRank()
             << " strings, one for each axis of " << shapeText(type);
    for (auto [axis, name] : llvm::enumerate(axisNames(type, axes))) {
      if (name.empty() && tensor.isDynamicDim(axis))
        return kernel.emitOpError("C3: axis ")
               << axis << " of " << what << " (" << shapeText(type)
               << ") is dynamic and has no name; add {blocks.axes = [\"n\", "
                  "…]}";
      if (failed(checkExtent(what, name, tensor.getDimSize(axis))))
        return failure();
    }
    return success();
  }

  /// A name stands for one static extent.
  LogicalResult checkExtent(const Twine &what, StringRef name, int64_t extent) {
    if (name.empty() || ShapedType::isDynamic(extent))
      return success();
    auto [before, isNew] = extents.try_emplace(name, extent);
    if (isNew || before->second == extent)
      return success();
    return kernel.emitOpError("C4: axis '")
           << name << "' has extent " << extent << " in " << what << " and "
           << before->second << " before";
  }

  LogicalResult checkResultAxes(unsigned i) {
    auto type = cast<RankedTensorType>(kernel.getResultTypes()[i]);
    for (auto [axis, name] : llvm::enumerate(kernel.getResultAxes(i)))
      if (type.isDynamicDim(axis) && !llvm::is_contained(known, name))
        return kernel.emitOpError("C4: axis '")
               << name << "' of result " << i
               << " is none of the arguments', so its extent is not known";
    return success();
  }

  static bool isAllowed(Operation *op) {
    if (isa<ReturnOp>(op))
      return true;
    if (isa<GetOp, ApplyOp, CallKernelOp, RandomOp, TagOp>(op))
      return false;
    return isPure(op) || isa<ScanOp, YieldOp>(op);
  }

  LogicalResult checkBody() {
    Block &body = kernel.getBody().front();
    if (!isa_and_nonnull<ReturnOp>(body.empty() ? nullptr : &body.back()))
      return kernel.emitOpError("C5: the body must end with blocks.return");
    WalkResult result = kernel.getBody().walk([&](Operation *op) -> WalkResult {
      if (isAllowed(op))
        return WalkResult::advance();
      return op->emitOpError()
             << "C5: cannot stand in the body of kernel @"
             << kernel.getSymName()
             << ", which holds pure tensor operations; hand what it gives to "
                "the kernel as an argument";
    });
    return failure(result.wasInterrupted());
  }

  LogicalResult checkLaunch() {
    int64_t threads = kernel.getThreads();
    if (threads < 1 || threads > kMostThreads)
      return kernel.emitOpError("C6: blocks of ")
             << threads << " threads; expected 1 to " << kMostThreads;
    if (kernel.getGrid())
      for (StringRef name : kernel.getGridAttr().getAsValueRange<StringAttr>())
        if (!llvm::is_contained(known, name))
          return kernel.emitOpError("C6: the grid spans axis '")
                 << name << "', which no argument has";
    return success();
  }

  LogicalResult checkSource() {
    if (kernel.hasSource())
      return success();
    for (StringRef name : {"entry", "block", "grid"})
      if (kernel->getAttr(name))
        return kernel.emitOpError("C7: has '")
               << name
               << "', but no source; add cuda = [\"…\"] or cuda_file = "
                  "\"….cu\"";
    return success();
  }

  KernelOp kernel;
  SmallVector<StringRef> known;
  llvm::StringMap<int64_t> extents;
};

} // namespace

LogicalResult KernelOp::verify() { return KernelVerifier(*this).run(); }

static bool isFloat(Type type) {
  return isa<FloatType>(getElementTypeOrSelf(type));
}

/// C8: (inputs, results, gradients of float results) → gradients of inputs.
LogicalResult KernelOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (!getGradient())
    return success();
  auto gradient =
      symbols.lookupNearestSymbolFrom<KernelOp>(*this, getGradientAttr());
  if (!gradient)
    return emitOpError("C8: there is no kernel @")
           << *getGradient() << " for the gradient";
  SmallVector<Type> takes(getArgumentTypes()), gives;
  llvm::append_range(takes, getResultTypes());
  llvm::copy_if(getResultTypes(), std::back_inserter(takes), isFloat);
  llvm::copy_if(getArgumentTypes(), std::back_inserter(gives), isFloat);
  auto expected = FunctionType::get(getContext(), takes, gives);
  if (gradient.getFunctionType() == expected)
    return success();
  InFlightDiagnostic error =
      emitOpError("C8: the gradient @")
      << *getGradient() << " is " << gradient.getFunctionType()
      << "; expected inputs, results and gradients of floating-point results "
         "to gradients of floating-point inputs: "
      << expected;
  error.attachNote(gradient.getLoc()) << "the gradient is here";
  return error;
}

//===--- The call ---------------------------------------------------------===//

KernelOp CallKernelOp::getCallee() {
  return SymbolTable::lookupNearestSymbolFrom<KernelOp>(
      (*this)->getParentOfType<ModuleOp>(), getKernelAttr());
}

namespace {

/// Compares a call with the kernel that it names.
class CallVerifier {
public:
  CallVerifier(CallKernelOp call, KernelOp kernel)
      : call(call), kernel(kernel) {}

  LogicalResult run() {
    if (call.getInputs().size() != kernel.getNumArguments())
      return note(call.emitOpError("C2: hands ")
                  << call.getInputs().size() << " inputs to kernel @"
                  << kernel.getSymName() << ", which takes "
                  << kernel.getNumArguments());
    for (unsigned i = 0; i < kernel.getNumArguments(); ++i)
      if (failed(checkInput(i)) || failed(bindAxes(i)))
        return failure();
    if (call.getNumResults() != kernel.getResultTypes().size())
      return note(call.emitOpError("C4: has ")
                  << call.getNumResults() << " results, but kernel @"
                  << kernel.getSymName() << " has "
                  << kernel.getResultTypes().size());
    for (unsigned i = 0; i < call.getNumResults(); ++i)
      if (failed(checkResult(i)))
        return failure();
    return success();
  }

private:
  LogicalResult note(InFlightDiagnostic error) {
    error.attachNote(kernel.getLoc()) << "the kernel is here";
    return error;
  }

  LogicalResult checkInput(unsigned i) {
    auto found = cast<RankedTensorType>(call.getInputs()[i].getType());
    auto expected = cast<RankedTensorType>(kernel.getArgumentTypes()[i]);
    bool fits = found.getElementType() == expected.getElementType() &&
                found.getRank() == expected.getRank();
    for (int64_t axis = 0; fits && axis < found.getRank(); ++axis)
      fits = expected.isDynamicDim(axis) ||
             expected.getDimSize(axis) == found.getDimSize(axis);
    if (fits)
      return success();
    return note(call.emitOpError("C2: input ")
                << i << " is " << found << ", but kernel @"
                << kernel.getSymName() << " takes " << expected);
  }

  LogicalResult bindAxes(unsigned i) {
    auto type = cast<RankedTensorType>(call.getInputs()[i].getType());
    for (auto [axis, name] : llvm::enumerate(kernel.getArgumentAxes(i))) {
      if (name.empty())
        continue;
      int64_t extent = type.getDimSize(axis);
      auto [bound, isNew] = extents.try_emplace(name, extent);
      if (ShapedType::isDynamic(bound->second))
        bound->second = extent;
      if (!extentsFit(bound->second, extent))
        return note(call.emitOpError("C3: axis '")
                    << name << "' of kernel @" << kernel.getSymName()
                    << " has extent " << extent << " in input " << i << " ("
                    << shapeText(type) << ") and " << bound->second
                    << " in another");
    }
    return success();
  }

  LogicalResult checkResult(unsigned i) {
    auto declared = cast<RankedTensorType>(kernel.getResultTypes()[i]);
    SmallVector<int64_t> shape(declared.getShape());
    for (auto [extent, name] : llvm::zip(shape, kernel.getResultAxes(i)))
      if (ShapedType::isDynamic(extent))
        extent = extents.lookup(name);
    auto expected = RankedTensorType::get(shape, declared.getElementType());
    if (call.getResult(i).getType() == expected)
      return success();
    return note(call.emitOpError("C4: result ")
                << i << " of kernel @" << kernel.getSymName() << " is "
                << expected << " here, found " << call.getResult(i).getType());
  }

  CallKernelOp call;
  KernelOp kernel;
  llvm::StringMap<int64_t> extents;
};

} // namespace

LogicalResult CallKernelOp::verifySymbolUses(SymbolTableCollection &symbols) {
  Operation *module = (*this)->getParentOfType<ModuleOp>();
  auto kernel = dyn_cast_or_null<KernelOp>(
      symbols.lookupSymbolIn(module, getKernelAttr()));
  if (!kernel)
    return emitOpError("C1: there is no kernel @") << getKernel();
  return CallVerifier(*this, kernel).run();
}

//===--- After to-linalg --------------------------------------------------===//

void KernelLaunchOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &input : getInputsMutable())
    if (isa<MemRefType>(input.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &input);
  for (OpOperand &output : getOutputsMutable())
    if (isa<MemRefType>(output.get().getType())) {
      effects.emplace_back(MemoryEffects::Read::get(), &output);
      effects.emplace_back(MemoryEffects::Write::get(), &output);
    }
}

} // namespace blocks
