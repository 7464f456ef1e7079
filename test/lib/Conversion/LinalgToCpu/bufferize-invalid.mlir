// What the stages before must not hand over.
// RUN: blocks-opt %s -blocks-bufferize -split-input-file -verify-diagnostics

#id = affine_map<(d0) -> (d0)>

// The old value of a parameter is read after its update.
func.func @read_after_update(%w: memref<5xf32> {blocks.state = "/linear.b"}, %out: memref<5xf32> {blocks.output = "old"}) attributes {blocks.entry} {
  %tw = bufferization.to_tensor %w restrict writable : memref<5xf32> to tensor<5xf32>
  %new = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%tw : tensor<5xf32>) outs(%tw : tensor<5xf32>) {
  ^bb0(%a: f32, %o: f32):
    %d = arith.addf %a, %a : f32
    linalg.yield %d : f32
  } -> tensor<5xf32>
  // expected-error @+1 {{internal error: bufferization copies the state '/linear.b' instead of updating it in place}}
  bufferization.materialize_in_destination %new in restrict writable %w : (tensor<5xf32>, memref<5xf32>) -> ()
  bufferization.materialize_in_destination %tw in restrict writable %out : (tensor<5xf32>, memref<5xf32>) -> ()
  return
}
