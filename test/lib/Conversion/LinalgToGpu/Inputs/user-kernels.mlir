// A recurrence whose steps are kernels of the user's, one with a gradient that
// is a kernel with a sum over the batch, one without.
module @user_kernels {
  blocks.kernel @bend(%x: tensor<?x?xf32> {blocks.axes = ["n", "m"]}, %w: tensor<?xf32> {blocks.axes = ["m"]})
      -> (tensor<?x?xf32> {blocks.axes = ["n", "m"]})
      attributes {gradient = @bend_gradient, cuda = [
        "extern \"C\" __global__ void bend(const float *x, const float *w, float *y, long long n, long long m) {",
        "  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;",
        "  if (i < n * m)",
        "    y[i] = tanhf(x[i] * w[i % m]);",
        "}"]} {
    %ws = blocks.broadcast %w like %x dims [1] : tensor<?xf32>, tensor<?x?xf32>
    %p = arith.mulf %x, %ws : tensor<?x?xf32>
    %y = math.tanh %p : tensor<?x?xf32>
    blocks.return %y : tensor<?x?xf32>
  }
  blocks.kernel @bend_gradient(
      %x: tensor<?x?xf32> {blocks.axes = ["n", "m"]}, %w: tensor<?xf32> {blocks.axes = ["m"]},
      %y: tensor<?x?xf32> {blocks.axes = ["n", "m"]}, %dy: tensor<?x?xf32> {blocks.axes = ["n", "m"]})
      -> (tensor<?x?xf32> {blocks.axes = ["n", "m"]}, tensor<?xf32> {blocks.axes = ["m"]})
      attributes {grid = ["m"], block = 1, cuda = [
        "extern \"C\" __global__ void bend_gradient(const float *x, const float *w, const float *y, const float *dy, float *dx, float *dw, long long n, long long m) {",
        "  long long column = blockIdx.x;",
        "  float sum = 0;",
        "  for (long long row = 0; row < n; ++row) {",
        "    long long i = row * m + column;",
        "    float g = dy[i] * (1 - y[i] * y[i]);",
        "    dx[i] = g * w[column];",
        "    sum += g * x[i];",
        "  }",
        "  dw[column] = sum;",
        "}"]} {
    %one = arith.constant dense<1.0> : tensor<f32>
    %ones = blocks.broadcast %one like %x dims [] : tensor<f32>, tensor<?x?xf32>
    %yy = arith.mulf %y, %y : tensor<?x?xf32>
    %r = arith.subf %ones, %yy : tensor<?x?xf32>
    %g = arith.mulf %dy, %r : tensor<?x?xf32>
    %ws = blocks.broadcast %w like %x dims [1] : tensor<?xf32>, tensor<?x?xf32>
    %dx = arith.mulf %g, %ws : tensor<?x?xf32>
    %gx = arith.mulf %g, %x : tensor<?x?xf32>
    %dw = blocks.reduce sum %gx dims [0] : tensor<?x?xf32> to tensor<?xf32>
    blocks.return %dx, %dw : tensor<?x?xf32>, tensor<?xf32>
  }
  blocks.kernel @add(%a: tensor<?x?xf32> {blocks.axes = ["n", "m"]}, %b: tensor<?x?xf32> {blocks.axes = ["n", "m"]})
      -> (tensor<?x?xf32> {blocks.axes = ["n", "m"]})
      attributes {cuda = [
        "extern \"C\" __global__ void add(const float *a, const float *b, float *y, long long n, long long m) {",
        "  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;",
        "  if (i < n * m)",
        "    y[i] = a[i] + b[i] * b[i];",
        "}"]} {
    %bb = arith.mulf %b, %b : tensor<?x?xf32>
    %y = arith.addf %a, %bb : tensor<?x?xf32>
    blocks.return %y : tensor<?x?xf32>
  }

  blocks.brick @bend_brick {
    blocks.parameter @w : tensor<7xf32> roles [weight] init #blocks.uniform<width = 1.0>
    blocks.application @apply(%x: tensor<?x7xf32>) -> tensor<?x7xf32> {
      %w = blocks.get @bend_brick::@w : tensor<7xf32>
      %y = blocks.call_kernel @bend(%x, %w) : (tensor<?x7xf32>, tensor<7xf32>) -> tensor<?x7xf32>
      blocks.return %y : tensor<?x7xf32>
    }
  }
  blocks.graph @cost(%xs: tensor<?x?x7xf32> {blocks.source = "xs", blocks.axes = ["time", "batch", "feature"]},
                     %h0: tensor<?x7xf32> {blocks.source = "h0"}) {
    %hs = blocks.scan sequences(%xs) states(%h0) : (tensor<?x?x7xf32>, tensor<?x7xf32>) -> tensor<?x?x7xf32> {
    ^bb0(%t: index, %x: tensor<?x7xf32>, %h: tensor<?x7xf32>):
      %a = blocks.apply @bend_brick::@apply(%x) : (tensor<?x7xf32>) -> tensor<?x7xf32>
      %s = blocks.call_kernel @add(%h, %a) : (tensor<?x7xf32>, tensor<?x7xf32>) -> tensor<?x7xf32>
      %n = blocks.apply @bend_brick::@apply(%s) : (tensor<?x7xf32>) -> tensor<?x7xf32>
      blocks.yield states(%n : tensor<?x7xf32>)
    }
    %q = arith.mulf %hs, %hs : tensor<?x?x7xf32>
    %c = blocks.reduce sum %q dims [0, 1, 2] : tensor<?x?x7xf32> to tensor<f32>
    blocks.output %c "cost" roles [cost] : tensor<f32>
  }
}
