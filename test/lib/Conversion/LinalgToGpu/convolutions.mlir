// Large convolutions are products of columns, in chunks of images; a kernel
// gathers the columns, or collects their gradients.
// RUN: blocks-opt %s -blocks-group-dispatches -blocks-plan-memory -blocks-form-launches | FileCheck %s

// Each image's result is filters (20 × 54) times columns (54 × 132); a chunk
// has 8388608 / (54 · 132) images.
// CHECK-LABEL: func.func @forward
// CHECK: %[[ARENA:.*]] = call @blocks_rt_arena
// CHECK: %[[SCRATCH:.*]] = llvm.getelementptr inbounds %[[ARENA]]
// CHECK: scf.for %{{.*}} to %{{.*}} step %c1176
// CHECK: func.call @blocks_rt_launch
// CHECK: func.call @blocks_rt_device_gemm_stack_f32({{.*}}%[[SCRATCH]]
// CHECK: return
func.func @forward(%ctx: !llvm.ptr, %x: memref<?x6x12x11xf32> {blocks.axes = ["batch", "", "", ""]}, %w: memref<20x6x3x3xf32>,
                   %y: memref<?x20x12x11xf32> {blocks.result_axes = ["batch", "", "", ""]}) {
  blocks.image_call convolution ins(%x, %w : memref<?x6x12x11xf32>, memref<20x6x3x3xf32>) outs(%y : memref<?x20x12x11xf32>)
      geometry [6, 12, 11, 20, 3, 3, 12, 11, 1, 1, 1, 1, 0]
  return
}

// CHECK-LABEL: func.func @input_gradient
// CHECK: func.call @blocks_rt_device_gemm_stack_f32
// CHECK: func.call @blocks_rt_launch
// CHECK: return
func.func @input_gradient(%ctx: !llvm.ptr, %g: memref<?x20x12x11xf32> {blocks.axes = ["batch", "", "", ""]}, %w: memref<20x6x3x3xf32>,
                          %y: memref<?x6x12x11xf32> {blocks.result_axes = ["batch", "", "", ""]}) {
  blocks.image_call convolution_input_grad ins(%g, %w : memref<?x20x12x11xf32>, memref<20x6x3x3xf32>) outs(%y : memref<?x6x12x11xf32>)
      geometry [6, 12, 11, 20, 3, 3, 12, 11, 1, 1, 1, 1, 0]
  return
}

// One product for all shares of the images, over all their pixels.
// CHECK-LABEL: func.func @filter_gradient
// CHECK: func.call @blocks_rt_launch
// CHECK: func.call @blocks_rt_launch
// CHECK: func.call @blocks_rt_device_gemm_stack_f32
// CHECK: return
func.func @filter_gradient(%ctx: !llvm.ptr, %x: memref<?x6x12x11xf32> {blocks.axes = ["batch", "", "", ""]}, %g: memref<?x20x12x11xf32> {blocks.axes = ["batch", "", "", ""]},
                           %y: memref<16x20x6x3x3xf32>) {
  blocks.image_call convolution_filter_grad ins(%x, %g : memref<?x6x12x11xf32>, memref<?x20x12x11xf32>) outs(%y : memref<16x20x6x3x3xf32>)
      geometry [6, 12, 11, 20, 3, 3, 12, 11, 1, 1, 1, 1, 0]
  return
}

// A small one needs no scratch memory.
// CHECK-LABEL: func.func @small
// CHECK-NOT: gemm
// CHECK: call @blocks_rt_launch
// CHECK-NOT: gemm
// CHECK: return
func.func @small(%ctx: !llvm.ptr, %x: memref<?x1x12x11xf32> {blocks.axes = ["batch", "", "", ""]}, %w: memref<4x1x3x3xf32>,
                 %y: memref<?x4x12x11xf32> {blocks.result_axes = ["batch", "", "", ""]}) {
  blocks.image_call convolution ins(%x, %w : memref<?x1x12x11xf32>, memref<4x1x3x3xf32>) outs(%y : memref<?x4x12x11xf32>)
      geometry [1, 12, 11, 4, 3, 3, 12, 11, 1, 1, 1, 1, 0]
  return
}

// Operands of bf16 stay so in their columns, and are multiplied as such.
// CHECK-LABEL: func.func @rounded
// CHECK: func.call @blocks_rt_launch
// CHECK: func.call @blocks_rt_device_gemm_stack_bf16
// CHECK: return
func.func @rounded(%ctx: !llvm.ptr, %x: memref<?x6x12x11xbf16> {blocks.axes = ["batch", "", "", ""]}, %w: memref<20x6x3x3xbf16>,
                   %y: memref<?x20x12x11xf32> {blocks.result_axes = ["batch", "", "", ""]}) {
  blocks.image_call convolution ins(%x, %w : memref<?x6x12x11xbf16>, memref<20x6x3x3xbf16>) outs(%y : memref<?x20x12x11xf32>)
      geometry [6, 12, 11, 20, 3, 3, 12, 11, 1, 1, 1, 1, 0]
  return
}

// CHECK-LABEL: func.func @rounded_filter_gradient
// CHECK: func.call @blocks_rt_launch
// CHECK: func.call @blocks_rt_launch
// CHECK: func.call @blocks_rt_device_gemm_stack_bf16
// CHECK: return
func.func @rounded_filter_gradient(%ctx: !llvm.ptr, %x: memref<?x6x12x11xbf16> {blocks.axes = ["batch", "", "", ""]}, %g: memref<?x20x12x11xbf16> {blocks.axes = ["batch", "", "", ""]},
                                   %y: memref<16x20x6x3x3xf32>) {
  blocks.image_call convolution_filter_grad ins(%x, %g : memref<?x6x12x11xbf16>, memref<?x20x12x11xbf16>) outs(%y : memref<16x20x6x3x3xf32>)
      geometry [6, 12, 11, 20, 3, 3, 12, 11, 1, 1, 1, 1, 0]
  return
}
