// The driver's interface: devices, modules and their errors, memory, streams
// whose work is done late, events, graphs, injected failures. Each case that
// depends on the environment runs in a process of its own.
#include "Gpu.h"

#include <cmath>
#include <sys/wait.h>
#include <unistd.h>

namespace {

const char *addText =
    ".version 8.0\n.target sm_75\n.address_size 64\n"
    ".global .align 4 .u32 counter = 7;\n.const .align 4 .u32 step = 1;\n"
    ".visible .entry add(.param .u64 add_param_0, .param .u32 add_param_1)\n"
    "{\n.reg .b64 %p; .reg .b32 %v, %a, %t; .reg .b64 %o;\n"
    "ld.param.u64 %p, [add_param_0]; ld.param.u32 %a, [add_param_1];\n"
    "mov.u32 %t, %tid.x; mul.wide.u32 %o, %t, 4; add.u64 %p, %p, %o;\n"
    "ld.global.u32 %v, [%p]; add.u32 %v, %v, %a; st.global.u32 [%p], %v; "
    "ret;\n}\n"
    ".visible .entry big() .maxntid 64, 1, 1 { .shared .align 4 .b8 s[4096]; "
    "ret; }\n";

void device(const Gpu &gpu) {
  int value = 0;
  CHECK_EQ(gpu.cuDeviceGetCount(&value), 0);
  CHECK_EQ(value, 1);
  gpu.cuDeviceGetAttribute(&value, 75, 0);
  CHECK_EQ(value, 9);
  CHECK_EQ(gpu.cuDeviceGetAttribute(&value, 75, 3), CUDA_ERROR_INVALID_DEVICE);
  char name[64];
  gpu.cuDeviceGetName(name, 64, 0);
  CHECK_CONTAINS(std::string(name), "sm_90");
  void *address = nullptr;
  int status = -1;
  CHECK_EQ(gpu.cuGetProcAddress_v2("cuMemAlloc", &address, 12000, 0, &status),
           0);
  CHECK(address == reinterpret_cast<void *>(gpu.cuMemAlloc_v2));
  CHECK_EQ(gpu.cuGetProcAddress_v2("cuNothing", &address, 12000, 0, &status),
           CUDA_ERROR_NOT_FOUND);
}

void modules(const Gpu &gpu) {
  CUmodule module = gpu.load(addText);
  CUfunction function;
  CHECK_EQ(gpu.cuModuleGetFunction(&function, module, "sub"),
           CUDA_ERROR_NOT_FOUND);
  CUdeviceptr address;
  size_t size;
  CHECK_EQ(gpu.cuModuleGetGlobal_v2(&address, &size, module, "counter"), 0);
  CHECK_EQ(size, 4u);
  uint32_t value = 0;
  gpu.cuMemcpyDtoH_v2(&value, address, 4);
  CHECK_EQ(value, 7u);
  CUfunction big = gpu.function(module, "big");
  int attribute = 0;
  gpu.cuFuncGetAttribute(&attribute, 1, big);
  CHECK_EQ(attribute, 4096);
  CHECK_EQ(gpu.start(nullptr, big, 1, 64, 0), 0);
  // More threads than .maxntid, or dynamic memory without asking.
  CHECK_EQ(gpu.start(nullptr, big, 1, 128, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQ(gpu.start(nullptr, big, 1, 64, 60000), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQ(gpu.cuFuncSetAttribute(big, 8, 60000), 0);
  CHECK_EQ(gpu.start(nullptr, big, 1, 64, 60000), 0);
  CHECK_EQ(gpu.cuFuncSetAttribute(big, 8, 300000), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQ(gpu.cuModuleLoadData(&module, "nonsense"), CUDA_ERROR_INVALID_PTX);
  CHECK_EQ(gpu.cuModuleLoadData(&module, "\x7f"
                                         "ELF"),
           CUDA_ERROR_NO_BINARY_FOR_GPU);
  CHECK_EQ(gpu.cuModuleLoadData(&module, ".version 8.0\n.target sm_120\n"),
           CUDA_ERROR_NO_BINARY_FOR_GPU);
  CHECK_EQ(gpu.cuModuleLoadData(&module, ".version 9.9\n.target sm_80\n"),
           CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
}

/// Work is done when it is waited for, not before.
void lateWork(const Gpu &gpu) {
  CUfunction add = gpu.function(gpu.load(addText), "add");
  CUstream stream;
  gpu.check(gpu.cuStreamCreate(&stream, 1), "cuStreamCreate");
  void *pinned;
  gpu.check(gpu.cuMemHostAlloc(&pinned, 128, 0), "cuMemHostAlloc");
  auto *host = static_cast<uint32_t *>(pinned);
  std::fill(host, host + 32, 1u);
  Buffer<uint32_t> device(gpu, size_t(32));
  gpu.check(gpu.cuMemcpyHtoDAsync_v2(device.get(), host, 128, stream), "copy");
  gpu.check(gpu.start(stream, add, 1, 32, 0, device.get(), 5u), "launch");
  gpu.check(gpu.cuMemcpyDtoHAsync_v2(host, device.get(), 128, stream), "copy");
  CHECK_EQ(host[3], 1u); // too early
  CHECK_EQ(gpu.cuStreamQuery(stream), CUDA_ERROR_NOT_READY);
  CHECK_EQ(gpu.cuStreamQuery(stream), 0);
  CHECK_EQ(host[3], 6u);
  // A pinned source that is overwritten before the copy shows.
  gpu.check(gpu.cuMemcpyHtoDAsync_v2(device.get(), host, 128, stream), "copy");
  host[3] = 77;
  gpu.check(gpu.cuStreamSynchronize(stream), "cuStreamSynchronize");
  CHECK_EQ(device.read()[3], 77u);
  // A pageable one is read at once.
  std::vector<uint32_t> pageable(32, 9);
  gpu.check(
      gpu.cuMemcpyHtoDAsync_v2(device.get(), pageable.data(), 128, stream),
      "copy");
  pageable[3] = 0;
  gpu.check(gpu.cuStreamSynchronize(stream), "cuStreamSynchronize");
  CHECK_EQ(device.read()[3], 9u);
  gpu.check(gpu.cuMemFreeHost(pinned), "cuMemFreeHost");
  gpu.check(gpu.cuStreamDestroy_v2(stream), "cuStreamDestroy");
}

void events(const Gpu &gpu) {
  CUfunction add = gpu.function(gpu.load(addText), "add");
  CUstream one, two;
  gpu.cuStreamCreate(&one, 1);
  gpu.cuStreamCreate(&two, 1);
  CUevent begin, end;
  gpu.cuEventCreate(&begin, 0);
  gpu.cuEventCreate(&end, 0);
  Buffer<uint32_t> device(gpu, std::vector<uint32_t>(32, 1));
  gpu.cuEventRecord(begin, one);
  gpu.check(gpu.cuMemsetD32Async(device.get(), 10, 32, one), "fill");
  gpu.cuEventRecord(end, one);
  gpu.check(gpu.cuStreamWaitEvent(two, end, 0), "wait");
  gpu.check(gpu.start(two, add, 1, 32, 0, device.get(), 1u), "launch");
  CHECK_EQ(gpu.cuEventQuery(end), CUDA_ERROR_NOT_READY);
  gpu.check(gpu.cuStreamSynchronize(two), "cuStreamSynchronize");
  CHECK_EQ(device.read()[5], 11u);
  CHECK_EQ(gpu.cuEventQuery(end), 0);
  float milliseconds = -1;
  CHECK_EQ(gpu.cuEventElapsedTime(&milliseconds, begin, end), 0);
  CHECK(milliseconds >= 0);
  int called = 0;
  gpu.cuLaunchHostFunc(
      one, [](void *data) { ++*static_cast<int *>(data); }, &called);
  CHECK_EQ(called, 0);
  gpu.cuStreamSynchronize(one);
  CHECK_EQ(called, 1);
  gpu.cuStreamDestroy_v2(one);
  gpu.cuStreamDestroy_v2(two);
}

void graphs(const Gpu &gpu) {
  CUfunction add = gpu.function(gpu.load(addText), "add");
  CUstream stream, side;
  gpu.cuStreamCreate(&stream, 1);
  gpu.cuStreamCreate(&side, 1);
  CUevent fork, join;
  gpu.cuEventCreate(&fork, 2);
  gpu.cuEventCreate(&join, 2);
  Buffer<uint32_t> a(gpu, size_t(32)), b(gpu, size_t(32));
  gpu.check(gpu.cuStreamBeginCapture_v2(stream, 1), "begin");
  gpu.check(gpu.start(stream, add, 1, 32, 0, a.get(), 2u), "launch");
  gpu.cuEventRecord(fork, stream);
  gpu.cuStreamWaitEvent(side, fork, 0);
  gpu.check(gpu.start(side, add, 1, 32, 0, b.get(), 3u), "launch");
  gpu.cuEventRecord(join, side);
  gpu.cuStreamWaitEvent(stream, join, 0);
  gpu.check(gpu.start(stream, add, 1, 32, 0, a.get(), 1u), "launch");
  CUgraph graph;
  gpu.check(gpu.cuStreamEndCapture(stream, &graph), "end");
  CHECK_EQ(a.read()[0], 0u); // a capture runs nothing
  CUgraphExec executable;
  gpu.check(gpu.cuGraphInstantiateWithFlags(&executable, graph, 0),
            "instantiate");
  gpu.check(gpu.cuGraphUpload(executable, stream), "upload");
  for (int i = 0; i < 3; ++i)
    gpu.check(gpu.cuGraphLaunch(executable, stream), "launch");
  gpu.cuStreamSynchronize(stream);
  CHECK_EQ(a.read()[9], 9u);
  CHECK_EQ(b.read()[9], 9u);
  // New parameters for one node.
  CUgraphNode nodes[3];
  size_t count = 3;
  gpu.check(gpu.cuGraphGetNodes(graph, nodes, &count), "nodes");
  CHECK_EQ(count, 3u);
  CUDA_KERNEL_NODE_PARAMS params{};
  gpu.check(gpu.cuGraphKernelNodeGetParams_v2(nodes[0], &params), "params");
  uint32_t more = 100;
  void *changed[] = {params.kernelParams[0], &more};
  params.kernelParams = changed;
  gpu.check(
      gpu.cuGraphExecKernelNodeSetParams_v2(executable, nodes[0], &params),
      "set");
  gpu.check(gpu.cuGraphLaunch(executable, stream), "launch");
  gpu.cuStreamSynchronize(stream);
  CHECK_EQ(a.read()[9], 110u);
  // An update from a second capture of the same shape, and of another one.
  gpu.cuStreamBeginCapture_v2(stream, 1);
  gpu.start(stream, add, 1, 32, 0, a.get(), 5u);
  CUgraph other;
  gpu.check(gpu.cuStreamEndCapture(stream, &other), "end");
  CUgraphExecUpdateResultInfo info;
  CHECK_EQ(gpu.cuGraphExecUpdate_v2(executable, other, &info),
           CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
  CHECK_EQ(gpu.cuGraphExecUpdate_v2(executable, graph, &info), 0);
  gpu.check(gpu.cuGraphLaunch(executable, stream), "launch");
  gpu.cuStreamSynchronize(stream);
  CHECK_EQ(a.read()[9], 113u);
  gpu.check(gpu.cuGraphDestroy(graph), "destroy");
  gpu.check(gpu.cuGraphDestroy(other), "destroy");
  gpu.check(gpu.cuGraphExecDestroy(executable), "destroy");
}

void captureErrors(const Gpu &gpu) {
  CUfunction add = gpu.function(gpu.load(addText), "add");
  CUstream stream, side;
  gpu.cuStreamCreate(&stream, 1);
  gpu.cuStreamCreate(&side, 1);
  Buffer<uint32_t> a(gpu, size_t(32));
  CUgraph graph;
  CUevent event;
  gpu.cuEventCreate(&event, 2);
  gpu.cuStreamBeginCapture_v2(stream, 0);
  CHECK_EQ(gpu.cuStreamSynchronize(stream),
           CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  CHECK_EQ(gpu.cuStreamEndCapture(stream, &graph),
           CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  gpu.cuStreamBeginCapture_v2(stream, 0);
  CUdeviceptr address;
  CHECK_EQ(gpu.cuMemAlloc_v2(&address, 16),
           CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  CHECK_EQ(gpu.cuStreamEndCapture(stream, &graph),
           CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  // Work of a second stream that the first never waits for.
  gpu.cuStreamBeginCapture_v2(stream, 0);
  gpu.cuEventRecord(event, stream);
  gpu.cuStreamWaitEvent(side, event, 0);
  gpu.check(gpu.start(side, add, 1, 32, 0, a.get(), 1u), "launch");
  CHECK_EQ(gpu.cuStreamEndCapture(side, &graph),
           CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
  CHECK_EQ(gpu.cuStreamEndCapture(stream, &graph),
           CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
}

void memory(const Gpu &gpu) {
  size_t before, after, total;
  gpu.cuMemGetInfo_v2(&before, &total);
  CUdeviceptr address, late;
  gpu.check(gpu.cuMemAlloc_v2(&address, 1000), "cuMemAlloc");
  gpu.cuMemGetInfo_v2(&after, &total);
  CHECK_EQ(before - after, 1000u);
  CHECK_EQ(address % 256, 0u);
  // What was never written is no sensible number.
  float value = 0;
  gpu.cuMemcpyDtoH_v2(&value, address, 4);
  CHECK(std::isnan(value));
  CHECK_EQ(gpu.cuMemcpyDtoH_v2(&value, address + 998, 4),
           CUDA_ERROR_INVALID_VALUE);
  CHECK_EQ(gpu.cuMemFree_v2(address + 4), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQ(gpu.cuMemFree_v2(address), 0);
  CHECK_EQ(gpu.cuMemFree_v2(address), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQ(gpu.cuMemAlloc_v2(&address, size_t(1) << 40),
           CUDA_ERROR_OUT_OF_MEMORY);
  CUstream stream;
  gpu.cuStreamCreate(&stream, 1);
  CHECK_EQ(gpu.cuMemAllocAsync(&late, 64, stream), 0);
  CHECK_EQ(gpu.cuMemFreeAsync(late, stream), 0);
  gpu.cuStreamSynchronize(stream);
  CHECK_EQ(gpu.cuMemFree_v2(late), CUDA_ERROR_INVALID_VALUE);
  int here = 0;
  CHECK_EQ(gpu.cuMemHostUnregister(&here),
           CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
  CHECK_EQ(gpu.cuMemHostRegister_v2(&here, 4, 0), 0);
  CHECK_EQ(gpu.cuMemHostRegister_v2(&here, 4, 0),
           CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  CHECK_EQ(gpu.cuMemHostUnregister(&here), 0);
}

/// Runs f in a child process with variables set.
template <class F>
void withEnvironment(const char *name, const char *value, F f) {
  pid_t child = fork();
  if (child == 0) {
    setenv(name, value, 1);
    checkFailures() = 0;
    try {
      f();
    } catch (const std::exception &error) {
      checkFailed(__FILE__, __LINE__, error.what());
    }
    _exit(checkFailures() ? 1 : 0);
  }
  int status = 1;
  waitpid(child, &status, 0);
  if (status)
    checkFailed(__FILE__, __LINE__,
                std::string("failed with ") + name + "=" + value);
}

void environments(const std::string &path) {
  withEnvironment("BLOCKS_PTX_EMULATOR_ARCH", "sm_75", [&] {
    Gpu gpu(path);
    int major = 0, minor = 0;
    gpu.cuDeviceGetAttribute(&major, 75, 0);
    gpu.cuDeviceGetAttribute(&minor, 76, 0);
    CHECK_EQ(major * 10 + minor, 75);
    CUmodule module;
    CHECK_EQ(gpu.cuModuleLoadData(&module, ".version 8.0\n.target sm_80\n"),
             CUDA_ERROR_NO_BINARY_FOR_GPU);
  });
  withEnvironment("BLOCKS_PTX_EMULATOR_MEMORY", "16", [&] {
    Gpu gpu(path);
    CUdeviceptr address;
    CHECK_EQ(gpu.cuMemAlloc_v2(&address, 20 << 20), CUDA_ERROR_OUT_OF_MEMORY);
    CHECK_EQ(gpu.cuMemAlloc_v2(&address, 10 << 20), 0);
  });
  const char *variable = "BLOCKS_PTX_EMULATOR_FAIL";
  withEnvironment(variable, "driver-version:11080", [&] {
    Gpu gpu(path);
    int version = 0;
    gpu.cuDriverGetVersion(&version);
    CHECK_EQ(version, 11080);
    CUmodule module;
    CHECK_EQ(gpu.cuModuleLoadData(&module, ".version 8.0\n.target sm_75\n"),
             CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
  });
  withEnvironment(variable, "no-device", [&] {
    Gpu gpu(path, true);
    CHECK_EQ(gpu.cuInit(0), CUDA_ERROR_NO_DEVICE);
  });
  withEnvironment(variable, "alloc:2,launch:2,fault:2", [&] {
    Gpu gpu(path);
    CUfunction add = gpu.function(gpu.load(addText), "add");
    Buffer<uint32_t> first(gpu, size_t(32));
    CUdeviceptr address;
    CHECK_EQ(gpu.cuMemAlloc_v2(&address, 16), CUDA_ERROR_OUT_OF_MEMORY);
    CHECK_EQ(gpu.cuMemAlloc_v2(&address, 16), 0);
    CHECK_EQ(gpu.start(nullptr, add, 1, 32, 0, first.get(), 1u), 0);
    CHECK_EQ(gpu.start(nullptr, add, 1, 32, 0, first.get(), 1u),
             CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
    CHECK_EQ(gpu.start(nullptr, add, 1, 32, 0, first.get(), 1u), 0);
    CHECK_EQ(gpu.cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
  });
  withEnvironment("BLOCKS_PTX_EMULATOR_CHECKS", "global-races", [&] {
    Gpu gpu(path);
    CUfunction add = gpu.function(gpu.load(addText), "add");
    Buffer<uint32_t> a(gpu, size_t(32));
    gpu.start(nullptr, add, 2, 32, 0, a.get(), 1u);
    CHECK_EQ(gpu.cuCtxSynchronize(), CUDA_ERROR_LAUNCH_FAILED);
    CHECK_CONTAINS(std::string(gpu.ptxemuLastReport()), "race between blocks");
  });
}

} // namespace

int main(int, char **argv) {
  environments(argv[1]); // forks, so before this process opens the library
  Gpu gpu(argv[1]);
  device(gpu);
  modules(gpu);
  lateWork(gpu);
  events(gpu);
  graphs(gpu);
  captureErrors(gpu);
  memory(gpu);
  return checkSummary();
}
