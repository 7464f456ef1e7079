// A parameter that is read twice gets the sum of both gradients, and one step.
// RUN: blocks-opt %s --blocks-differentiate='graph=g cost=c' | FileCheck %s
// RUN: blocks-interpret %s --passes='blocks-differentiate{graph=g cost=c}' | FileCheck %s --check-prefix=VALUE

blocks.brick @sub {
  blocks.parameter @W : tensor<2x2xf32> roles [weight] init #blocks.identity<mult = 0.5>
}

// CHECK-LABEL: blocks.graph @g
blocks.graph @g() {
  %x = arith.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %W0 = blocks.get @sub::@W : tensor<2x2xf32>
  %p0 = blocks.matmul %x, %W0 : tensor<1x2xf32>, tensor<2x2xf32> to tensor<1x2xf32>
  %a = math.tanh %p0 : tensor<1x2xf32>
  %W1 = blocks.get @sub::@W : tensor<2x2xf32>
  %p1 = blocks.matmul %x, %W1 : tensor<1x2xf32>, tensor<2x2xf32> to tensor<1x2xf32>
  %b = math.tanh %p1 : tensor<1x2xf32>
  %sum = arith.addf %a, %b : tensor<1x2xf32>
  %c = blocks.reduce sum %sum dims [0, 1] : tensor<1x2xf32> to tensor<f32>
  // CHECK: %[[SUM:.*]] = arith.addf %{{.*}}, %{{.*}} : tensor<2x2xf32>
  // CHECK: %[[TAG:.*]] = blocks.tag %[[SUM]]
  // CHECK: blocks.step @sub::@W, %[[TAG]]
  // CHECK-NOT: blocks.step
  blocks.output %c "c" : tensor<f32>
}
// VALUE: @g c = f32 2.44742
// VALUE: @g gradient of /sub.W = 2x2xf32 {{.*}}1.5728{{.*}}0.83994{{.*}}3.1457{{.*}}1.6798
