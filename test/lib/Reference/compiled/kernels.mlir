// Kernels of the user's: their bodies as machine code, and their CUDA C++ on the
// emulated GPU, against the reference interpreter, which runs the bodies.
//
// RUN: test-compiled-graphs %s --shape batch=17,time=3 --range i=-50:50 | FileCheck %s
// RUN: test-compiled-graphs %s --shape batch=0,time=2 --range i=-50:50 | FileCheck %s
// CHECK: kernels agrees
module @kernels {
  // One thread for each element of the result, for any extents.
  blocks.kernel @mix(%x: tensor<?x?xf32> {blocks.axes = ["n", "m"]}, %w: tensor<?xf32> {blocks.axes = ["m"]}, %a: tensor<f32>)
      -> (tensor<?x?xf32> {blocks.axes = ["n", "m"]})
      attributes {block = 32, cuda = [
        "template <typename T>",
        "__global__ void mix(const T *x, const T *w, const T *a, T *y, long long n, long long m) {",
        "  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;",
        "  if (i < n * m)",
        "    y[i] = x[i] * w[i % m] + *a;",
        "}"], entry = "mix<float>"} {
    %ws = blocks.broadcast %w like %x dims [1] : tensor<?xf32>, tensor<?x?xf32>
    %as = blocks.broadcast %a like %x dims [] : tensor<f32>, tensor<?x?xf32>
    %p = arith.mulf %x, %ws : tensor<?x?xf32>
    %y = arith.addf %p, %as : tensor<?x?xf32>
    blocks.return %y : tensor<?x?xf32>
  }

  // Two results: the second lacks the axis n, so it starts with zeros, also
  // where nothing is launched.
  blocks.kernel @rows_and_sum(%i: tensor<?x4xi32> {blocks.axes = ["n", ""]})
      -> (tensor<?xi32> {blocks.axes = ["n"]}, tensor<i32>)
      attributes {cuda = [
        "extern \"C\" __global__ void rows_and_sum(const int *i, int *rows, int *sum, long long n) {",
        "  long long row = blockIdx.x * (long long)blockDim.x + threadIdx.x;",
        "  if (row >= n)",
        "    return;",
        "  int total = 0;",
        "  for (int column = 0; column < 4; ++column)",
        "    total += i[row * 4 + column];",
        "  rows[row] = total;",
        "  atomicAdd(sum, total);",
        "}"]} {
    %f = blocks.cast %i : tensor<?x4xi32> to tensor<?x4xf32>
    %r = blocks.reduce sum %f dims [1] : tensor<?x4xf32> to tensor<?xf32>
    %s = blocks.reduce sum %r dims [0] : tensor<?xf32> to tensor<f32>
    %ri = blocks.cast %r : tensor<?xf32> to tensor<?xi32>
    %si = blocks.cast %s : tensor<f32> to tensor<i32>
    blocks.return %ri, %si : tensor<?xi32>, tensor<i32>
  }

  // One block for each row, threads that work together.
  blocks.kernel @row_sums(%x: tensor<?x?xf64> {blocks.axes = ["n", "m"]}) -> (tensor<?xf64> {blocks.axes = ["n"]})
      attributes {grid = ["n"], block = 32, cuda = [
        "extern \"C\" __global__ void row_sums(const double *x, double *y, long long n, long long m) {",
        "  double sum = 0;",
        "  for (long long i = threadIdx.x; i < m; i += 32)",
        "    sum += x[blockIdx.x * m + i];",
        "  for (int offset = 16; offset > 0; offset /= 2)",
        "    sum += __shfl_down_sync(0xffffffffu, sum, offset);",
        "  if (threadIdx.x == 0)",
        "    y[blockIdx.x] = sum;",
        "}"]} {
    %y = blocks.reduce sum %x dims [1] : tensor<?x?xf64> to tensor<?xf64>
    blocks.return %y : tensor<?xf64>
  }

  blocks.graph @g(
      %x: tensor<?x6xf32> {blocks.source = "x"}, %w: tensor<6xf32> {blocks.source = "w"}, %a: tensor<f32> {blocks.source = "a"},
      %i: tensor<?x4xi32> {blocks.source = "i"}, %d: tensor<?x40xf64> {blocks.source = "d"},
      %xs: tensor<?x?x6xf32> {blocks.source = "xs", blocks.axes = ["time", "batch", "feature"]}) {
    %c0 = arith.constant 0 : index
    %c = tensor.dim %x, %c0 : tensor<?x6xf32>
    // Twice, once of a slice of columns, which is copied.
    %m = blocks.call_kernel @mix(%x, %w, %a) : (tensor<?x6xf32>, tensor<6xf32>, tensor<f32>) -> tensor<?x6xf32>
    %left = tensor.extract_slice %m[0, 0] [%c, 3] [1, 1] : tensor<?x6xf32> to tensor<?x3xf32>
    %half = tensor.extract_slice %w[0] [3] [1] : tensor<6xf32> to tensor<3xf32>
    %again = blocks.call_kernel @mix(%left, %half, %a) : (tensor<?x3xf32>, tensor<3xf32>, tensor<f32>) -> tensor<?x3xf32>
    %rows, %sum = blocks.call_kernel @rows_and_sum(%i) : (tensor<?x4xi32>) -> (tensor<?xi32>, tensor<i32>)
    %sums = blocks.call_kernel @row_sums(%d) : (tensor<?x40xf64>) -> tensor<?xf64>
    // In a loop, on slices and on the state.
    %zeros = arith.subf %x, %x : tensor<?x6xf32>
    %hs = blocks.scan sequences(%xs) states(%zeros) : (tensor<?x?x6xf32>, tensor<?x6xf32>) -> tensor<?x?x6xf32> {
    ^bb0(%t: index, %slice: tensor<?x6xf32>, %h: tensor<?x6xf32>):
      %p = blocks.call_kernel @mix(%slice, %w, %a) : (tensor<?x6xf32>, tensor<6xf32>, tensor<f32>) -> tensor<?x6xf32>
      %q = arith.addf %p, %h : tensor<?x6xf32>
      %n = blocks.call_kernel @mix(%q, %w, %a) : (tensor<?x6xf32>, tensor<6xf32>, tensor<f32>) -> tensor<?x6xf32>
      blocks.yield states(%n : tensor<?x6xf32>)
    }
    blocks.output %again "again" : tensor<?x3xf32>
    blocks.output %rows "rows" : tensor<?xi32>
    blocks.output %sum "sum" : tensor<i32>
    blocks.output %sums "sums" : tensor<?xf64>
    blocks.output %hs "hs" : tensor<?x?x6xf32>
  }
}
