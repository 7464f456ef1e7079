//===- Signature.cpp - From tensor functions to memref functions ----------===//
//
// The new function takes the step's context, then state and sources as
// memrefs, then one memref for each output; it returns nothing. State is
// written in place, through the argument that it was read from.
//
//===----------------------------------------------------------------------===//
#include "lib/Conversion/BlocksToLinalg/Lowering.h"

#include <mlir/Dialect/Bufferization/IR/Bufferization.h>
#include <mlir/Dialect/LLVMIR/LLVMDialect.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>

using namespace mlir;

namespace blocks {

namespace {

/// Rewrites one function.
class EntryLowering {
public:
  EntryLowering(func::FuncOp old, LabelSites &sites, CudaKernels &kernels,
                bool storesRounded)
      : old(old), sites(sites), kernels(kernels), storesRounded(storesRounded) {
  }
  LogicalResult lower();

private:
  LogicalResult checkForm();
  void createFunction();
  void moveArgumentAttributes();
  SymbolicShape argumentShape(Lowering &lowering, unsigned i);
  bool isUpdated(unsigned argument);
  void readArguments(Lowering &lowering);
  void readCounters(Lowering &lowering);
  LogicalResult writeResults(Lowering &lowering);
  void writeOutput(Lowering &lowering, Value value, unsigned argument);
  void writeRequirements(Lowering &lowering);
  LogicalResult writeState(Lowering &lowering, Value value, StringRef path);

  StringAttr statePath(unsigned argument) {
    return old.getArgAttrOfType<StringAttr>(argument, "blocks.state");
  }
  BlockArgument memref(unsigned argument) {
    return entry.getArgument(argument + 1); // after the context
  }

  func::FuncOp old, entry;
  LabelSites &sites;
  CudaKernels &kernels;
  bool storesRounded;
};

} // namespace

static MemRefType memrefType(Type tensor) {
  auto type = cast<RankedTensorType>(signless(tensor));
  return MemRefType::get(type.getShape(), type.getElementType());
}

LogicalResult EntryLowering::checkForm() {
  if (!llvm::hasSingleElement(old.getBody()))
    return old.emitOpError("an entry has one block");
  for (auto [i, type] : llvm::enumerate(old.getArgumentTypes())) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      return old.emitOpError("argument ")
             << i << " is " << type << ", expected a ranked tensor";
    if (statePath(i) && !tensor.hasStaticShape())
      return old.emitOpError("state ")
             << statePath(i) << " has shape " << shapeText(type)
             << "; state must have a static shape";
    if (!statePath(i) && !old.getArgAttr(i, "blocks.source"))
      return old.emitOpError("argument ")
             << i << " is neither state (blocks.state) nor a source "
             << "(blocks.source)";
  }
  return success();
}

void EntryLowering::createFunction() {
  MLIRContext *context = old.getContext();
  SmallVector<Type> types{LLVM::LLVMPointerType::get(context)};
  for (Type type : old.getArgumentTypes())
    types.push_back(memrefType(type));
  for (unsigned i = 0; i < old.getNumResults(); ++i)
    if (!old.getResultAttr(i, "blocks.state"))
      types.push_back(memrefType(old.getResultTypes()[i]));
  OpBuilder builder(old);
  entry = func::FuncOp::create(builder, old.getLoc(), old.getName(),
                               FunctionType::get(context, types, {}));
  entry->setDiscardableAttrs(old->getDiscardableAttrDictionary());
  entry.addEntryBlock();
  moveArgumentAttributes();
}

/// Keeps what the manifest needs: attributes, and the element type where
/// signedness is lost.
void EntryLowering::moveArgumentAttributes() {
  auto copy = [&](unsigned to, DictionaryAttr attributes, Type type) {
    entry.setArgAttrs(to, attributes);
    Type element = getElementTypeOrSelf(type);
    if (element != signless(element))
      entry.setArgAttr(to, "blocks.element_type", TypeAttr::get(element));
  };
  unsigned next = 1;
  for (unsigned i = 0; i < old.getNumArguments(); ++i)
    copy(next++, old.getArgAttrDict(i), old.getArgumentTypes()[i]);
  for (unsigned i = 0; i < old.getNumResults(); ++i)
    if (!old.getResultAttr(i, "blocks.state"))
      copy(next++, old.getResultAttrDict(i), old.getResultTypes()[i]);
}

/// The name of a dynamic axis; an unnamed one is equal to no other, except that
/// axis 0 is the batch.
static std::string axisName(func::FuncOp function, unsigned argument,
                            unsigned axis) {
  auto names = function.getArgAttrOfType<ArrayAttr>(argument, "blocks.axes");
  if (names && axis < names.size())
    if (auto name = dyn_cast<StringAttr>(names[axis]); name && !name.empty())
      return name.str();
  if (axis == 0)
    return "batch";
  auto source =
      function.getArgAttrOfType<StringAttr>(argument, "blocks.source");
  return (source ? source.str() : std::string("argument")) + "." +
         std::to_string(axis);
}

SymbolicShape EntryLowering::argumentShape(Lowering &lowering, unsigned i) {
  SymbolicShape shape;
  auto type = cast<RankedTensorType>(old.getArgumentTypes()[i]);
  for (auto [axis, extent] : llvm::enumerate(type.getShape())) {
    if (!ShapedType::isDynamic(extent)) {
      shape.push_back(extent);
      continue;
    }
    auto read = [&, axis = axis]() -> Value {
      return memref::DimOp::create(lowering.builder, entry.getLoc(), memref(i),
                                   axis);
    };
    shape.push_back(lowering.axes.named(axisName(old, i, axis), read));
  }
  return shape;
}

/// Only what the entry updates may be written.
bool EntryLowering::isUpdated(unsigned argument) {
  StringAttr path = statePath(argument);
  for (unsigned i = 0; path && i < old.getNumResults(); ++i)
    if (old.getResultAttr(i, "blocks.state") == path)
      return true;
  return false;
}

void EntryLowering::readArguments(Lowering &lowering) {
  SmallVector<SymbolicShape> shapes;
  for (unsigned i = 0; i < old.getNumArguments(); ++i)
    shapes.push_back(argumentShape(lowering, i));
  for (unsigned i = 0; i < old.getNumArguments(); ++i) {
    bool writable = isUpdated(i);
    auto tensor = bufferization::ToTensorOp::create(
        lowering.builder, old.getArgument(i).getLoc(),
        signless(old.getArgumentTypes()[i]), memref(i), /*restrict=*/true,
        writable);
    lowering.set(old.getArgument(i), tensor, shapes[i]);
  }
  // Extents are computed before this operation, which keeps their place when
  // the first use is in a loop; behind the last operation so far they would
  // come after the loop.
  auto mark =
      arith::ConstantIndexOp::create(lowering.builder, entry.getLoc(), 0);
  if (Operation *last = mark->getPrevNode())
    lowering.axes.placeAfter(last);
}

/// Seed and step are read once, before any update.
void EntryLowering::readCounters(Lowering &lowering) {
  bool isUsed = false;
  old.walk([&](RandomOp) { isUsed = true; });
  for (unsigned i = 0; isUsed && i < old.getNumArguments(); ++i) {
    StringAttr path = statePath(i);
    bool isSeed = path && path == "/algorithm.seed",
         isStep = path && path == "/algorithm.step";
    if (!isSeed && !isStep)
      continue;
    (isSeed ? lowering.seed : lowering.step) = tensor::ExtractOp::create(
        lowering.builder, entry.getLoc(), lowering.get(old.getArgument(i)),
        ValueRange{});
  }
}

static void materialize(Lowering &lowering, Location loc, Value value,
                        Value memref) {
  bufferization::MaterializeInDestinationOp::create(
      lowering.builder, loc, Type(), value, memref, /*restrict=*/true,
      /*writable=*/true);
}

void EntryLowering::writeOutput(Lowering &lowering, Value value,
                                unsigned argument) {
  SmallVector<Attribute> names;
  Builder &builder = lowering.builder;
  for (const Extent &extent : lowering.shape(value))
    names.push_back(builder.getStringAttr(
        extent.constant() ? "" : lowering.axes.describe(extent)));
  entry.setArgAttr(argument, "blocks.result_axes", builder.getArrayAttr(names));
  materialize(lowering, value.getLoc(), lowering.get(value),
              entry.getArgument(argument));
}

LogicalResult EntryLowering::writeState(Lowering &lowering, Value value,
                                        StringRef path) {
  for (unsigned i = 0; i < old.getNumArguments(); ++i) {
    if (!statePath(i) || statePath(i) != path)
      continue;
    if (value.getType() != old.getArgumentTypes()[i])
      return old.emitOpError("gives state \"")
             << path << "\" the type " << value.getType() << ", expected "
             << old.getArgumentTypes()[i];
    if (value != old.getArgument(i))
      materialize(lowering, value.getLoc(), lowering.get(value), memref(i));
    return success();
  }
  return old.emitOpError("updates state \"")
         << path << "\", which is none of its arguments";
}

LogicalResult EntryLowering::writeResults(Lowering &lowering) {
  Operation *terminator = old.getBody().front().getTerminator();
  unsigned output = 1 + old.getNumArguments();
  for (auto [i, value] : llvm::enumerate(terminator->getOperands()))
    if (!old.getResultAttr(i, "blocks.state"))
      writeOutput(lowering, value, output++);
  for (auto [i, value] : llvm::enumerate(terminator->getOperands()))
    if (auto path = old.getResultAttrOfType<StringAttr>(i, "blocks.state"))
      if (failed(writeState(lowering, value, path)))
        return failure();
  return success();
}

/// The runtime refuses extents for which one of these is negative.
void EntryLowering::writeRequirements(Lowering &lowering) {
  Builder &builder = lowering.builder;
  SmallVector<Attribute> all;
  for (const Requirement &requirement : lowering.requirements)
    all.push_back(builder.getDictionaryAttr(
        {builder.getNamedAttr("formula",
                              builder.getStringAttr(requirement.formula)),
         builder.getNamedAttr("text",
                              builder.getStringAttr(requirement.text))}));
  if (!all.empty())
    entry->setAttr("blocks.requirements", builder.getArrayAttr(all));
}

LogicalResult EntryLowering::lower() {
  if (failed(checkForm()))
    return failure();
  createFunction();
  Lowering lowering(entry.getBody().front(), sites, kernels);
  lowering.storesRounded = storesRounded;
  readArguments(lowering);
  readCounters(lowering);
  if (failed(lowering.lowerBlock(old.getBody().front())) ||
      failed(writeResults(lowering)))
    return failure();
  func::ReturnOp::create(lowering.builder, old.getLoc());
  writeRequirements(lowering);
  old.erase();
  orderUpdates(entry);
  return success();
}

LogicalResult lowerEntry(func::FuncOp function, LabelSites &sites,
                         CudaKernels &kernels, bool storesRounded) {
  return EntryLowering(function, sites, kernels, storesRounded).lower();
}

} // namespace blocks
