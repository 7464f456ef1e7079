// MNIST with two operations of our own: 784 → 256 → 10, where the hidden layer
// is brought to unit size by @rms_norm and bent by @swish.
//
// Read mnist_mlp.mlir first; only what is new is explained here. On a GPU the
// two are CUDA C++, which NVRTC compiles when the program is loaded; everywhere
// else they are their bodies.
//
//   blocks-run train user_kernel.mlir --data mnist.hdf5 --valid-split test \
//     --batch-size 128 --epochs 5 --step-rule 'adam(learning_rate=0.001)' \
//     --regularize 'dropout(p=0.2, where="role:output brick:/activation")'

module @user_kernel {

  //===--- Kernels --------------------------------------------------------===//
  // What a kernel computes stands in its body. Its axes have names, and a `?` in
  // its types takes any extent. The source is a file beside the model; the
  // function has the kernel's name. One thread computes one element of the
  // result.
  blocks.kernel @swish(%x: tensor<?x?xf32> {blocks.axes = ["batch", "width"]})
      -> (tensor<?x?xf32> {blocks.axes = ["batch", "width"]})
      attributes {cuda_file = "user_kernel.cu", gradient = @swish_gradient} {
    %s = blocks.logistic %x : tensor<?x?xf32>
    %y = arith.mulf %x, %s : tensor<?x?xf32>
    blocks.return %y : tensor<?x?xf32>
  }

  // The gradient takes inputs, results, and the results' gradients; it gives
  // the inputs' gradients.
  blocks.kernel @swish_gradient(
      %x: tensor<?x?xf32> {blocks.axes = ["batch", "width"]},
      %y: tensor<?x?xf32> {blocks.axes = ["batch", "width"]},
      %dy: tensor<?x?xf32> {blocks.axes = ["batch", "width"]})
      -> (tensor<?x?xf32> {blocks.axes = ["batch", "width"]})
      attributes {cuda_file = "user_kernel.cu"} {
    %s = blocks.logistic %x : tensor<?x?xf32>
    %one = arith.constant dense<1.0> : tensor<f32>
    %ones = blocks.broadcast %one like %x dims [] : tensor<f32>, tensor<?x?xf32>
    %rest = arith.subf %ones, %s : tensor<?x?xf32>
    %bend = arith.mulf %y, %rest : tensor<?x?xf32>
    %slope = arith.addf %s, %bend : tensor<?x?xf32>
    %dx = arith.mulf %dy, %slope : tensor<?x?xf32>
    blocks.return %dx : tensor<?x?xf32>
  }

  // y = x / √(mean of x² over the row + 10⁻⁶). One block of 64 threads works on
  // each row (`grid`). No gradient is given: it is derived from the body.
  blocks.kernel @rms_norm(%x: tensor<?x?xf32> {blocks.axes = ["batch", "width"]})
      -> (tensor<?x?xf32> {blocks.axes = ["batch", "width"]})
      attributes {grid = ["batch"], block = 64, cuda = [
        "extern \"C\" __global__ void rms_norm(const float *x, float *y, long long batch, long long width) {",
        "  __shared__ float sums[64];",
        "  const float *row = x + blockIdx.x * width;",
        "  float sum = 0.0f;",
        "  for (long long i = threadIdx.x; i < width; i += blockDim.x)",
        "    sum += row[i] * row[i];",
        "  sums[threadIdx.x] = sum;",
        "  for (int half = 32; half > 0; half /= 2) {",
        "    __syncthreads();",
        "    if (threadIdx.x < half)",
        "      sums[threadIdx.x] += sums[threadIdx.x + half];",
        "  }",
        "  __syncthreads();",
        "  float scale = rsqrtf(sums[0] / width + 1e-6f);",
        "  for (long long i = threadIdx.x; i < width; i += blockDim.x)",
        "    y[blockIdx.x * width + i] = row[i] * scale;",
        "}"]} {
    %squares = arith.mulf %x, %x : tensor<?x?xf32>
    %sum = blocks.reduce sum %squares dims [1] : tensor<?x?xf32> to tensor<?xf32>
    %width = blocks.extent %x dims [1] : tensor<?x?xf32> to tensor<f32>
    %widths = blocks.broadcast %width like %sum dims [] : tensor<f32>, tensor<?xf32>
    %mean = arith.divf %sum, %widths : tensor<?xf32>
    %small = arith.constant dense<1.0e-6> : tensor<f32>
    %smalls = blocks.broadcast %small like %sum dims [] : tensor<f32>, tensor<?xf32>
    %above = arith.addf %mean, %smalls : tensor<?xf32>
    %scale = math.rsqrt %above : tensor<?xf32>
    %scales = blocks.broadcast %scale like %x dims [0] : tensor<?xf32>, tensor<?x?xf32>
    %y = arith.mulf %x, %scales : tensor<?x?xf32>
    blocks.return %y : tensor<?x?xf32>
  }

  //===--- Bricks ---------------------------------------------------------===//
  // A brick of our own gives the kernels' result a name, by which dropout and
  // monitoring find it: /activation.output.
  blocks.brick @activation {
    blocks.application @apply(%x: tensor<?x256xf32>) -> tensor<?x256xf32> {
      %n = blocks.call_kernel @rms_norm(%x) : (tensor<?x256xf32>) -> tensor<?x256xf32>
      %y = blocks.call_kernel @swish(%n) : (tensor<?x256xf32>) -> tensor<?x256xf32>
      blocks.return %y : tensor<?x256xf32>
    }
  }
  blocks.brick @hidden = "Linear" {input_dim = 784, output_dim = 256, weights_init = #blocks.glorot_uniform, biases_init = #blocks.constant<0.0>}
  blocks.brick @top = "Linear" {input_dim = 256, output_dim = 10, weights_init = #blocks.glorot_uniform, biases_init = #blocks.constant<0.0>}
  blocks.brick @flattener = "Flattener" {}
  blocks.brick @softmax = "Softmax" {}
  blocks.brick @misclassification = "MisclassificationRate" {}

  //===--- The graph to train on ------------------------------------------===//
  blocks.graph @cost(
      %features: tensor<?x1x28x28xui8> {blocks.source = "features", blocks.axes = ["batch", "channel", "height", "width"]},
      %targets: tensor<?x1xui8> {blocks.source = "targets", blocks.axes = ["batch", "index"]}) {
    %pixels = blocks.cast %features : tensor<?x1x28x28xui8> to tensor<?x1x28x28xf32>
    %white = arith.constant dense<255.0> : tensor<f32>
    %whites = blocks.broadcast %white like %pixels dims [] : tensor<f32>, tensor<?x1x28x28xf32>
    %images = arith.divf %pixels, %whites : tensor<?x1x28x28xf32>
    %x = blocks.apply @flattener::@apply(%images) : (tensor<?x1x28x28xf32>) -> tensor<?x784xf32>

    %h = blocks.apply @hidden::@apply(%x) : (tensor<?x784xf32>) -> tensor<?x256xf32>
    %a = blocks.apply @activation::@apply(%h) : (tensor<?x256xf32>) -> tensor<?x256xf32>
    %logits = blocks.apply @top::@apply(%a) : (tensor<?x256xf32>) -> tensor<?x10xf32>

    %losses = blocks.apply @softmax::@categorical_cross_entropy(%targets, %logits) : (tensor<?x1xui8>, tensor<?x10xf32>) -> tensor<?xf32>
    %sum = blocks.reduce sum %losses dims [0] : tensor<?xf32> to tensor<f32>
    %count = blocks.extent %losses dims [0] : tensor<?xf32> to tensor<f32>
    %cost = arith.divf %sum, %count : tensor<f32>
    %error_rate = blocks.apply @misclassification::@apply(%targets, %logits) : (tensor<?x1xui8>, tensor<?x10xf32>) -> tensor<f32>

    blocks.output %cost "cost" roles [cost] aggregate mean : tensor<f32>
    blocks.output %error_rate "error_rate" aggregate mean : tensor<f32>
  }
}
