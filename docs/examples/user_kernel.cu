// The CUDA C++ of user_kernel.mlir. Each function gets pointers to the inputs,
// pointers to the results, and the extents of the kernel's axes.

extern "C" __global__ void swish(const float *x, float *y, long long batch,
                                 long long width) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < batch * width)
    y[i] = x[i] / (1.0f + expf(-x[i]));
}

// Of y = x·s(x): dy/dx = s + y·(1 - s).
extern "C" __global__ void swish_gradient(const float *x, const float *y,
                                          const float *dy, float *dx,
                                          long long batch, long long width) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i >= batch * width)
    return;
  float s = 1.0f / (1.0f + expf(-x[i]));
  dx[i] = dy[i] * (s + y[i] * (1.0f - s));
}
