// A stack of products is one dispatch over its positions, each a call of the
// runtime's product; what follows row by row joins it.
// RUN: blocks-opt %s --blocks-to-linalg --blocks-fuse --blocks-bufferize --blocks-group-dispatches --blocks-plan-memory --blocks-form-dispatches | FileCheck %s

// CHECK-LABEL: func.func @stack
// CHECK-COUNT-1: call @blocks_rt_parallel_for
// CHECK: return
// CHECK: func.func private @kernel_0
// CHECK: scf.for
// CHECK: scf.for
// CHECK: func.call @blocks_rt_gemm_f32
func.func @stack(%a: tensor<?x4x3xf32> {blocks.source = "a"}, %b: tensor<?x5x3xf32> {blocks.source = "b"})
    -> (tensor<?x4x5xf32> {blocks.output = "y"}) attributes {blocks.entry} {
  %0 = blocks.batch_matmul %a, %b transposed : tensor<?x4x3xf32>, tensor<?x5x3xf32> to tensor<?x4x5xf32>
  %1 = math.tanh %0 : tensor<?x4x5xf32>
  return %1 : tensor<?x4x5xf32>
}
