// Calls of the runtime's routines over images: how they become buffers, and a
// block of rows of one as a call in a kernel (see StepABI.h).
#include "lib/Conversion/LinalgToCpu/ImageCall.h"
#include "lib/Conversion/LinalgToCpu/Contiguous.h"
#include "lib/Conversion/LinalgToCpu/LoopNest.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h>
#include <mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h>
#include <mlir/Dialect/LLVMIR/LLVMDialect.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>

using namespace mlir;

namespace blocks {

//===--- Bufferization ----------------------------------------------------===//

namespace {

struct ImageCallModel
    : bufferization::DstBufferizableOpInterfaceExternalModel<ImageCallModel,
                                                             ImageCallOp> {
  /// The output is written whole; what was in it does not matter.
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const bufferization::AnalysisState &) const {
    return !cast<DestinationStyleOpInterface>(op).isDpsInit(&operand);
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const bufferization::BufferizationOptions &options,
                          bufferization::BufferizationState &state) const {
    auto call = cast<ImageCallOp>(op);
    rewriter.setInsertionPoint(op);
    SmallVector<Value> inputs;
    for (Value input : call.getInputs()) {
      FailureOr<Value> buffer =
          bufferization::getBuffer(rewriter, input, options, state);
      if (failed(buffer))
        return failure();
      inputs.push_back(makeContiguous(rewriter, op->getLoc(), *buffer));
    }
    FailureOr<Value> output =
        bufferization::getBuffer(rewriter, call.getOutput(), options, state);
    if (failed(output))
      return failure();
    Value target = makeContiguous(rewriter, op->getLoc(), *output);
    ImageCallOp::create(rewriter, op->getLoc(), TypeRange{}, call.getRoutine(),
                        inputs, target, call.getGeometry());
    if (target != *output)
      memref::CopyOp::create(rewriter, op->getLoc(), target, *output);
    bufferization::replaceOpWithBufferizedValues(rewriter, op, *output);
    return success();
  }
};

} // namespace

void registerImageCallBufferization(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, BlocksDialect *) {
    ImageCallOp::attachInterface<ImageCallModel>(*context);
  });
}

//===--- Rows -------------------------------------------------------------===//

bool readsByRow(ImageCallOp call, unsigned input) {
  switch (call.getRoutine()) {
  case ImageRoutine::Convolution:
  case ImageRoutine::ConvolutionInputGrad:
    return input == 0; // The filters are the same for all images.
  case ImageRoutine::ConvolutionFilterGrad:
    return false;
  case ImageRoutine::Pool:
  case ImageRoutine::PoolGrad:
    return true;
  }
  llvm_unreachable("a routine that is not in the enum");
}

//===--- The call ---------------------------------------------------------===//

/// "blocks_rt_pool_grad_f32".
static std::string functionName(ImageCallOp call) {
  bool isSingle = getElementTypeOrSelf(call.getOutput().getType()).isF32();
  return ("blocks_rt_" + stringifyImageRoutine(call.getRoutine()) +
          (isSingle ? "_f32" : "_f64"))
      .str();
}

void declareImageFunctions(KernelTable &table, ModuleOp module) {
  Builder builder(module.getContext());
  SmallVector<Type> types{LLVM::LLVMPointerType::get(module.getContext())};
  Type pointer = types.front(), index = builder.getIndexType();
  types.append(4, index); // begin, end, rows, batch
  types.append(3, pointer);
  types.append(13, index);
  SmallVector<std::string> needed;
  module.walk([&](ImageCallOp call) { needed.push_back(functionName(call)); });
  for (const std::string &name : needed)
    table.declare(name, types);
}

void emitImageCall(ImageCallOp call, Kernel &kernel, Range rows) {
  Extents &extents = kernel.getExtents();
  Value first = call.getInputs().front(), second = call.getInputs().back();
  SmallVector<Value> operands{
      kernel.getContext(),
      rows.low,
      rows.high,
      kernel.getExtent(extents.get(call.getOutput(), 0)),
      kernel.getExtent(extents.get(first, 0)),
      kernel.getPointer(first),
      kernel.getPointer(second),
      kernel.getPointer(call.getOutput())};
  for (int64_t number : call.getGeometry())
    operands.push_back(kernel.getConstant(number));
  func::CallOp::create(kernel.builder, kernel.loc, functionName(call),
                       TypeRange{}, operands);
}

} // namespace blocks
