// A recurrence with input, bias, mask and initial state, all of dynamic time
// and batch.
// RUN: blocks-opt %s --verify-annotations --blocks-hoist-scan-products --blocks-differentiate | FileCheck %s

blocks.brick @rnn {
  blocks.parameter @U : tensor<5x4xf32> roles [weight] init #blocks.isotropic_gaussian
  blocks.parameter @W : tensor<4x4xf32> roles [weight] init #blocks.isotropic_gaussian
  blocks.parameter @b : tensor<4xf32> roles [bias] init #blocks.constant<0.0>
  blocks.parameter @h0 : tensor<4xf32> roles [initial_state] init #blocks.constant<0.0>
}

// CHECK-LABEL: blocks.graph @train
// CHECK-SAME: (%[[XS:.*]]: tensor<?x?x5xf32> {{.*}}, %[[MASK:.*]]: tensor<?x?xf32> {{.*}},
blocks.graph @train(%xs: tensor<?x?x5xf32> {blocks.source = "features", blocks.axes = ["time", "batch", ""]},
                    %mask: tensor<?x?xf32> {blocks.source = "mask", blocks.axes = ["time", "batch"]},
                    %like: tensor<?x4xf32> {blocks.source = "start"}) attributes {variant = "train"} {
  %h0 = blocks.get @rnn::@h0 : tensor<4xf32>
  // CHECK: %[[START:.*]] = blocks.broadcast
  %start = blocks.broadcast %h0 like %like dims [1] : tensor<4xf32>, tensor<?x4xf32>
  // Parameters leave the loop; so does the product of all inputs.
  // CHECK-DAG: %[[U:.*]] = blocks.get @rnn::@U
  // CHECK-DAG: %[[W:.*]] = blocks.get @rnn::@W
  // CHECK: %[[ROWS:.*]] = tensor.collapse_shape %[[XS]] {{\[\[}}0, 1], [2]]
  // CHECK: blocks.matmul %[[ROWS]], %[[U]] : tensor<?x5xf32>, tensor<5x4xf32>
  // CHECK: %[[PROJECTED:.*]] = tensor.expand_shape
  // The state before each step and the activation are saved.
  // CHECK: %[[F:.*]]:3 = blocks.scan sequences(%[[MASK]], %[[PROJECTED]]) states(%[[START]])
  // CHECK-NEXT: ^bb0(%{{.*}}: index, %{{.*}}: tensor<?xf32>, %[[Z:.*]]: tensor<?x4xf32>, %[[H:.*]]: tensor<?x4xf32>):
  // CHECK-NEXT: blocks.matmul %[[H]], %[[W]]
  // CHECK-NOT: blocks.matmul
  // CHECK: %[[N:.*]] = math.tanh
  // CHECK: blocks.yield states(%{{.*}} : tensor<?x4xf32>) outputs(%[[H]], %[[N]] :
  %hs = blocks.scan sequences(%xs, %mask) states(%start) : (tensor<?x?x5xf32>, tensor<?x?xf32>, tensor<?x4xf32>) -> tensor<?x?x4xf32> {
  ^bb0(%t: index, %x: tensor<?x5xf32>, %m: tensor<?xf32>, %h: tensor<?x4xf32>):
    %U = blocks.get @rnn::@U : tensor<5x4xf32>
    %W = blocks.get @rnn::@W : tensor<4x4xf32>
    %b = blocks.get @rnn::@b : tensor<4xf32>
    %u = blocks.matmul %x, %U : tensor<?x5xf32>, tensor<5x4xf32> to tensor<?x4xf32>
    %p = blocks.matmul %h, %W : tensor<?x4xf32>, tensor<4x4xf32> to tensor<?x4xf32>
    %s = arith.addf %u, %p : tensor<?x4xf32>
    %bb = blocks.broadcast %b like %s dims [1] : tensor<4xf32>, tensor<?x4xf32>
    %z = arith.addf %s, %bb : tensor<?x4xf32>
    %n = math.tanh %z : tensor<?x4xf32>
    %mm = blocks.broadcast %m like %n dims [0] : tensor<?xf32>, tensor<?x4xf32>
    %d = arith.subf %n, %h : tensor<?x4xf32>
    %dm = arith.mulf %d, %mm : tensor<?x4xf32>
    %next = arith.addf %h, %dm : tensor<?x4xf32>
    blocks.yield states(%next : tensor<?x4xf32>)
  }
  // CHECK: blocks.output
  // The backward scan reads what was saved, runs in the other direction, and
  // carries the state's gradient; shapes come from the initial state.
  // CHECK: %[[B:.*]]:2 = blocks.scan reverse sequences(%{{.*}}, %[[MASK]], %[[F]]#2) states(
  // CHECK-NEXT: ^bb0(%{{.*}}: index, %[[DH:.*]]: tensor<?x4xf32>, %[[M:.*]]: tensor<?xf32>, %[[A:.*]]: tensor<?x4xf32>, %[[CARRY:.*]]: tensor<?x4xf32>):
  // CHECK-NEXT: blocks.broadcast %[[M]] like %[[START]]
  // CHECK-NEXT: arith.addf %[[DH]], %[[CARRY]]
  // CHECK: %[[DZ:.*]] = arith.mulf
  // One product in the loop, for the state; none for the weights.
  // CHECK: blocks.matmul %{{.*}}, %[[W]] transposed
  // CHECK-NOT: blocks.matmul
  // CHECK: blocks.yield states(%{{.*}} : tensor<?x4xf32>) outputs(%{{.*}} : tensor<?x4xf32>)
  // The initial state's gradient is that after the last step back.
  // CHECK: tensor.extract_slice %[[B]]#0[0, 0, 0]
  // Each weight's gradient is one product over all steps, the bias one sum.
  // CHECK: %[[DZS:.*]] = tensor.collapse_shape %[[B]]#1
  // CHECK: %[[HS:.*]] = tensor.collapse_shape %[[F]]#1
  // CHECK: blocks.matmul %[[HS]] transposed, %[[DZS]]
  // CHECK: blocks.reduce sum %[[B]]#1 dims [0, 1] : tensor<?x?x4xf32> to tensor<4xf32>
  // CHECK: blocks.matmul %[[ROWS]] transposed,
  // CHECK: blocks.step @rnn::@U
  // CHECK: blocks.step @rnn::@W
  // CHECK: blocks.step @rnn::@b
  // CHECK: blocks.step @rnn::@h0
  %sq = arith.mulf %hs, %hs : tensor<?x?x4xf32>
  %c = blocks.reduce sum %sq dims [0, 1, 2] : tensor<?x?x4xf32> to tensor<f32>
  blocks.output %c "cost" roles [cost] : tensor<f32>
}
