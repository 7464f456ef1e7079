// The only question for an extent stands behind the first use of it: the sum is
// split by rows, and its partials have that extent.
// RUN: blocks-opt %s -blocks-group-dispatches | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#scalar = affine_map<(d0, d1) -> ()>

// CHECK-LABEL: func.func @sum
// CHECK: %[[N:.*]] = memref.dim %arg0, %{{.*}}
// CHECK: memref.alloc(%[[N]])
// CHECK: memref.alloc(%[[N]])
func.func @sum(%x: memref<?x4xf32>, %total: memref<f32> {blocks.output = "total"}, %copy: memref<?x4xf32> {blocks.output = "copy"}) attributes {blocks.entry} {
  linalg.generic {indexing_maps = [#id, #scalar], iterator_types = ["reduction", "reduction"]}
      ins(%x : memref<?x4xf32>) outs(%total : memref<f32>) {
  ^bb0(%a: f32, %out: f32):
    %s = arith.addf %a, %out : f32
    linalg.yield %s : f32
  }
  %zero = arith.constant 0 : index
  %n = memref.dim %x, %zero : memref<?x4xf32>
  %room = memref.alloc(%n) : memref<?x4xf32>
  memref.copy %x, %room : memref<?x4xf32> to memref<?x4xf32>
  memref.copy %room, %copy : memref<?x4xf32> to memref<?x4xf32>
  return
}
