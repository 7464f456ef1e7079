//===- Kernel.cpp - Calls of the user's kernels, for a GPU ----------------===//
//
// A call becomes a blocks.kernel_launch in destination style. The extents of
// the kernel's axes, and the size of the grid, are known products of the
// entry's axes. The module attribute `blocks.cuda_kernels` has the source of
// each, with `#line` directives that say where the user wrote it.
//
//===----------------------------------------------------------------------===//
#include "lib/Conversion/BlocksToLinalg/Lowering.h"

using namespace mlir;

namespace blocks {

//===--- The source -------------------------------------------------------===//

/// `name` as it stands in a directive.
static std::string quoted(StringRef name) {
  std::string text = "\"";
  for (char c : name) {
    if (c == '"' || c == '\\')
      text += '\\';
    text += c;
  }
  return text + "\"";
}

/// What compilers shall call the place of the source: its file, the model's, or
/// the kernel where no place is known.
static std::string placeName(KernelOp kernel) {
  if (kernel.getCudaFile())
    return kernel.getCudaFile()->str();
  auto place = kernel.getLoc()->findInstanceOf<FileLineColLoc>();
  if (kernel.getCudaLines() && place)
    return place.getFilename().str();
  return "@" + kernel.getSymName().str();
}

/// The lines, with a directive wherever the next one is not the next of the
/// file.
static std::string sourceText(KernelOp kernel) {
  std::string file = quoted(placeName(kernel)), text;
  int64_t expected = 0;
  for (auto [i, line] :
       llvm::enumerate(kernel.getCudaAttr().getAsValueRange<StringAttr>())) {
    int64_t number =
        kernel.getCudaLines() ? (*kernel.getCudaLines())[i] : int64_t(i) + 1;
    if (number != expected)
      text += "#line " + std::to_string(number) + " " + file + "\n";
    text += line.str() + "\n";
    expected = number + 1 + int64_t(line.count('\n'));
  }
  return text;
}

int64_t CudaKernels::numberOf(KernelOp kernel) {
  auto known = llvm::find(kernels, kernel);
  if (known == kernels.end()) {
    kernels.push_back(kernel);
    return int64_t(kernels.size()) - 1;
  }
  return known - kernels.begin();
}

void CudaKernels::write() {
  if (kernels.empty())
    return;
  Builder builder(module.getContext());
  SmallVector<Attribute> entries;
  for (KernelOp kernel : kernels) {
    auto field = [&](StringRef name, const Twine &text) {
      return builder.getNamedAttr(name, builder.getStringAttr(text));
    };
    entries.push_back(builder.getDictionaryAttr(
        {field("name", kernel.getSymName()),
         field("entry", kernel.getEntryName()),
         field("file", placeName(kernel)), field("text", sourceText(kernel))}));
  }
  module->setAttr("blocks.cuda_kernels", builder.getArrayAttr(entries));
}

//===--- The call ---------------------------------------------------------===//

namespace {

class KernelCall {
public:
  KernelCall(CallKernelOp op, Lowering &lowering)
      : op(op), kernel(op.getCallee()), lowering(lowering),
        builder(lowering.builder), loc(op.getLoc()) {}

  LogicalResult lower() {
    if (failed(checkSource()) || failed(bindAxes()))
      return failure();
    SmallVector<Value> inputs, outputs, extents;
    std::vector<SymbolicShape> shapes;
    for (Value input : op.getInputs())
      inputs.push_back(lowering.get(input));
    for (unsigned i = 0; i < op.getNumResults(); ++i) {
      shapes.push_back(resultShape(i));
      outputs.push_back(createOutput(i, shapes.back()));
    }
    for (StringRef name : kernel.getAxes())
      extents.push_back(lowering.axes.value(extentOf(name)));
    auto launch = KernelLaunchOp::create(
        builder, loc, ValueRange(outputs).getTypes(),
        builder.getI64IntegerAttr(lowering.kernels.numberOf(kernel)),
        builder.getI64IntegerAttr(kernel.getThreads()), inputs, outputs,
        extents, createGrid(shapes.front()));
    for (unsigned i = 0; i < op.getNumResults(); ++i)
      lowering.set(op.getResult(i), launch.getResult(i), shapes[i]);
    return success();
  }

private:
  LogicalResult checkSource() {
    if (!kernel.hasSource())
      return op.emitOpError("of kernel @")
             << kernel.getSymName()
             << ", which has no CUDA C++ source, is still there; run "
                "blocks-inline-kernels first";
    if (!kernel.getCuda())
      return kernel.emitOpError("the file '")
             << *kernel.getCudaFile()
             << "' of its CUDA C++ source cannot be read; it is looked for in "
                "the model's folder";
    return success();
  }

  /// Each name gets the extent of the first input's axis that has it.
  LogicalResult bindAxes() {
    for (unsigned i = 0; i < kernel.getNumArguments(); ++i)
      for (auto [axis, name] : llvm::enumerate(kernel.getArgumentAxes(i))) {
        if (name.empty())
          continue;
        Value input = op.getInputs()[i];
        auto [place, isNew] = axes.try_emplace(name, input, unsigned(axis));
        if (!isNew &&
            failed(requireEqualAxes(op, lowering, place->second.first,
                                    place->second.second, input, axis)))
          return failure();
      }
    return success();
  }

  Extent extentOf(StringRef name) {
    auto [input, axis] = axes.lookup(name);
    return lowering.shape(input)[axis];
  }

  SymbolicShape resultShape(unsigned i) {
    auto type = cast<RankedTensorType>(kernel.getResultTypes()[i]);
    SymbolicShape shape;
    for (auto [extent, name] :
         llvm::zip(type.getShape(), kernel.getResultAxes(i)))
      shape.push_back(ShapedType::isDynamic(extent) ? extentOf(name)
                                                    : Extent(extent));
    return shape;
  }

  /// A result that lacks an axis of the grid starts with zeros.
  Value createOutput(unsigned i, const SymbolicShape &shape) {
    Type element = signless(getElementTypeOrSelf(op.getResult(i).getType()));
    SmallVector<StringRef> names = kernel.getResultAxes(i);
    bool spansGrid = llvm::all_of(kernel.getGridAxes(), [&](StringRef name) {
      return llvm::is_contained(names, name);
    });
    if (spansGrid)
      return lowering.empty(loc, shape, element);
    Value zero = arith::ConstantOp::create(builder, loc, element,
                                           builder.getZeroAttr(element));
    return lowering.filled(loc, shape, zero);
  }

  /// The number of blocks.
  Value createGrid(const SymbolicShape &first) {
    Extent positions(1);
    if (!kernel.getGrid()) {
      Value count = lowering.axes.value(volume(first));
      auto constant = [&](int64_t value) {
        return arith::ConstantIndexOp::create(builder, loc, value);
      };
      int64_t threads = kernel.getThreads();
      Value sum =
          arith::AddIOp::create(builder, loc, count, constant(threads - 1));
      return arith::DivUIOp::create(builder, loc, sum, constant(threads));
    }
    for (StringRef name : kernel.getGridAxes())
      positions = positions * extentOf(name);
    return lowering.axes.value(positions);
  }

  CallKernelOp op;
  KernelOp kernel;
  Lowering &lowering;
  OpBuilder &builder;
  Location loc;
  llvm::StringMap<std::pair<Value, unsigned>> axes;
};

} // namespace

LogicalResult lowerCallKernel(CallKernelOp op, Lowering &lowering) {
  return KernelCall(op, lowering).lower();
}

} // namespace blocks
