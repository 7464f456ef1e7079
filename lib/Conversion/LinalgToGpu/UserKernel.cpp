// Calls of the user's CUDA functions: how they become buffers without gaps, and
// their launches from the entry. A function gets pointers to inputs and
// results, then extents.
#include "lib/Conversion/LinalgToCpu/Contiguous.h"
#include "lib/Conversion/LinalgToGpu/LaunchDispatch.h"
#include "lib/Conversion/LinalgToGpu/Passes.h"

#include <mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h>
#include <mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>

using namespace mlir;

namespace blocks {

//===--- Bufferization ----------------------------------------------------===//

namespace {

struct KernelLaunchModel
    : bufferization::DstBufferizableOpInterfaceExternalModel<KernelLaunchModel,
                                                             KernelLaunchOp> {
  /// The grid may add into results that were filled before.
  bool bufferizesToMemoryRead(Operation *, OpOperand &,
                              const bufferization::AnalysisState &) const {
    return true;
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const bufferization::BufferizationOptions &options,
                          bufferization::BufferizationState &state) const {
    auto launch = cast<KernelLaunchOp>(op);
    rewriter.setInsertionPoint(op);
    SmallVector<Value> inputs, outputs, places;
    for (Value input : launch.getInputs()) {
      FailureOr<Value> buffer =
          bufferization::getBuffer(rewriter, input, options, state);
      if (failed(buffer))
        return failure();
      inputs.push_back(makeContiguous(rewriter, op->getLoc(), *buffer));
    }
    for (Value output : launch.getOutputs()) {
      FailureOr<Value> buffer =
          bufferization::getBuffer(rewriter, output, options, state);
      if (failed(buffer))
        return failure();
      places.push_back(*buffer);
      outputs.push_back(makeContiguous(rewriter, op->getLoc(), *buffer));
    }
    KernelLaunchOp::create(rewriter, op->getLoc(), TypeRange{},
                           launch.getKernelAttr(), launch.getThreadsAttr(),
                           inputs, outputs, launch.getExtents(),
                           launch.getBlocks());
    for (auto [output, place] : llvm::zip(outputs, places))
      if (output != place)
        memref::CopyOp::create(rewriter, op->getLoc(), output, place);
    bufferization::replaceOpWithBufferizedValues(rewriter, op, places);
    return success();
  }
};

} // namespace

void registerLinalgToGpuDialects(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, BlocksDialect *) {
    KernelLaunchOp::attachInterface<KernelLaunchModel>(*context);
  });
}

//===--- The launch -------------------------------------------------------===//

void launchUserKernel(KernelLaunchOp launch, DeviceEntry &entry) {
  OpBuilder host(launch);
  SmallVector<Value> operands;
  for (ValueRange buffers : {launch.getInputs(), launch.getOutputs()})
    for (Value buffer : buffers)
      operands.push_back(entry.addressing.getPointer(buffer));
  llvm::append_range(operands, launch.getExtents());
  entry.launch(host, int64_t(launch.getKernel()), operands,
               {launch.getBlocks(), int64_t(launch.getThreads())});
  launch.erase();
}

} // namespace blocks
