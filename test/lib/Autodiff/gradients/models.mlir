// Gradients of whole models in f32, converted to f64: an MLP with softmax
// cross-entropy, dropout by hand with a fixed site and step, and a shared brick.
// RUN: blocks-gradcheck %s --shape batch=5
// RUN: blocks-gradcheck %s --shape batch=1

module @mlp {
  blocks.brick @mlp {
    blocks.parameter @W0 : tensor<4x5xf32> roles [weight] init #blocks.constant<0.0>
    blocks.parameter @b0 : tensor<5xf32> roles [bias] init #blocks.constant<0.0>
    blocks.parameter @W1 : tensor<5x3xf32> roles [weight] init #blocks.constant<0.0>
    blocks.parameter @b1 : tensor<3xf32> roles [bias] init #blocks.constant<0.0>
    blocks.application @apply(%x: tensor<?x4xf32>) -> tensor<?x3xf32> {
      %W0 = blocks.get @mlp::@W0 : tensor<4x5xf32>
      %b0 = blocks.get @mlp::@b0 : tensor<5xf32>
      %W1 = blocks.get @mlp::@W1 : tensor<5x3xf32>
      %b1 = blocks.get @mlp::@b1 : tensor<3xf32>
      %p0 = blocks.matmul %x, %W0 : tensor<?x4xf32>, tensor<4x5xf32> to tensor<?x5xf32>
      %c0 = blocks.broadcast %b0 like %p0 dims [1] : tensor<5xf32>, tensor<?x5xf32>
      %a0 = arith.addf %p0, %c0 : tensor<?x5xf32>
      %h = blocks.rectifier %a0 : tensor<?x5xf32>
      %p1 = blocks.matmul %h, %W1 : tensor<?x5xf32>, tensor<5x3xf32> to tensor<?x3xf32>
      %c1 = blocks.broadcast %b1 like %p1 dims [1] : tensor<3xf32>, tensor<?x3xf32>
      %y = arith.addf %p1, %c1 : tensor<?x3xf32>
      blocks.return %y : tensor<?x3xf32>
    }
  }
  blocks.graph @cost(%x: tensor<?x4xf32> {blocks.source = "features"}, %y: tensor<?xui8> {blocks.source = "targets", check.range = [0, 3]}) {
    %u = blocks.random uniform like %x site 9 : tensor<?x4xf32> to tensor<?x4xf32>
    %half1 = arith.constant dense<0.5> : tensor<f32>
    %half = blocks.broadcast %half1 like %x dims [] : tensor<f32>, tensor<?x4xf32>
    %keep = arith.cmpf oge, %u, %half : tensor<?x4xf32>
    %zero1 = arith.constant dense<0.0> : tensor<f32>
    %zero = blocks.broadcast %zero1 like %x dims [] : tensor<f32>, tensor<?x4xf32>
    %d = arith.select %keep, %x, %zero : tensor<?x4xi1>, tensor<?x4xf32>
    %logits = blocks.apply @mlp::@apply(%d) : (tensor<?x4xf32>) -> tensor<?x3xf32>
    %ce, %lp = blocks.softmax_cross_entropy %logits, %y : tensor<?x3xf32>, tensor<?xui8> to tensor<?xf32>, tensor<?x3xf32>
    %s = blocks.reduce sum %ce dims [0] : tensor<?xf32> to tensor<f32>
    %n = blocks.extent %ce dims [0] : tensor<?xf32> to tensor<f32>
    %mean = arith.divf %s, %n : tensor<f32>
    blocks.output %mean "cost" roles [cost] aggregate mean : tensor<f32>
  }
}

// -----

// One brick applied twice: its gradient is the sum over both paths.
module @shared {
  blocks.brick @sub {
    blocks.parameter @W : tensor<2x2xf32> roles [weight] init #blocks.constant<0.0>
    blocks.application @apply(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {
      %W = blocks.get @sub::@W : tensor<2x2xf32>
      %p = blocks.matmul %x, %W : tensor<?x2xf32>, tensor<2x2xf32> to tensor<?x2xf32>
      %y = math.tanh %p : tensor<?x2xf32>
      blocks.return %y : tensor<?x2xf32>
    }
  }
  blocks.graph @cost(%x: tensor<?x2xf32> {blocks.source = "x"}) {
    %a = blocks.apply @sub::@apply(%x) : (tensor<?x2xf32>) -> tensor<?x2xf32>
    %b = blocks.apply @sub::@apply(%a) : (tensor<?x2xf32>) -> tensor<?x2xf32>
    %s = arith.addf %a, %b : tensor<?x2xf32>
    %cost = blocks.reduce sum %s dims [0, 1] : tensor<?x2xf32> to tensor<f32>
    blocks.output %cost "cost" roles [cost] : tensor<f32>
  }
}
