// What is said of NVIDIA's libraries, found or not, machine code of NVRTC's,
// and the names of architectures.
#include "test/Check.h"
#include "test/runtime/CudaTestProgram.h"

#include "runtime/Device/Cuda/CompilerLibraries.h"
#include "runtime/Device/Cuda/Cublas.h"
#include "runtime/Device/Cuda/CublasLt.h"
#include "runtime/Device/Cuda/CudaArch.h"
#include "runtime/Device/Cuda/CudaDevice.h"
#include "runtime/Device/Cuda/UserSource.h"

#include <algorithm>

using namespace blocks;
using namespace blocks::cuda;

static void checkMissing() {
  WithEnvironment none("BLOCKS_CUDA_DRIVER", "/nowhere/libcuda.so");
  CudaDriver driver;
  CHECK(!driver.usable());
  CHECK_CONTAINS(driver.problem(), "$BLOCKS_CUDA_DRIVER names /nowhere");
  CHECK_CONTAINS(driver.problem(), "cannot be opened");
  CHECK(listDevices(driver).empty());
  CHECK_THROWS(CudaDevice(0), "no GPU can be used: $BLOCKS_CUDA_DRIVER");
  CHECK_THROWS(CudaDevice(0), "run with --device cpu");

  WithEnvironment noBlas("BLOCKS_CUDA_CUBLAS", "/nowhere/libcublas.so");
  CHECK(!Cublas().usable());
  WithEnvironment noLt("BLOCKS_CUDA_CUBLASLT", "/nowhere/libcublasLt.so");
  CHECK_CONTAINS(CublasLt().library().problem(), "BLOCKS_CUDA_CUBLASLT");
  WithEnvironment noNvrtc("BLOCKS_CUDA_NVRTC", "/nowhere/libnvrtc.so");
  CHECK(!Nvrtc().usable());
  CHECK(Nvrtc().architectures().empty());
  WithEnvironment noLink("BLOCKS_CUDA_NVJITLINK", "/nowhere/libnvJitLink.so");
  CHECK_CONTAINS(NvJitLink().library().problem(), "BLOCKS_CUDA_NVJITLINK");
}

static void checkSearched() {
  const char *const names[] = {"libblocks-none.so.2", "libblocks-none.so.1"};
  DynamicLibrary library("None", "BLOCKS_NONE_SUCH", names);
  CHECK(!library.found());
  CHECK_CONTAINS(library.problem(),
                 "none of libblocks-none.so.2, libblocks-none.so.1 can be");
  CHECK_CONTAINS(library.problem(), "$BLOCKS_NONE_SUCH may name another file");
  DynamicLibrary one("None", "BLOCKS_NONE_SUCH", {names, 1});
  CHECK_CONTAINS(one.problem(), "libblocks-none.so.2 cannot be opened (cannot");
}

/// A library that lacks a function is none.
static void checkOld() {
  WithEnvironment libc("BLOCKS_CUDA_DRIVER", "libc.so.6");
  CudaDriver driver;
  CHECK(!driver.usable());
  CHECK_CONTAINS(driver.problem(), "libc.so.6 has no function cuInit");
}

static void checkFound() {
  CudaDriver driver;
  CHECK(driver.usable());
  CHECK_EQ(formatCudaVersion(13010), "13.1");
  CHECK(driver.version() >= 11040);
  CHECK_CONTAINS(driver.describe(OutOfMemory), "CUDA_ERROR_OUT_OF_MEMORY");
  auto gpus = listDevices(driver);
  CHECK_EQ(gpus.size(), size_t(1));
  CHECK(gpus.at(0).bytes > 0);
  CHECK(gpus.at(0).capability >= 75);
  CHECK_THROWS(CudaDevice(3), "there is no GPU number 3: this machine has 1");
  CudaDevice device(0);
  CHECK_EQ(device.info().name, gpus[0].name);
  CHECK(Cublas().usable());
  CHECK(CublasLt().usable());
  CHECK_EQ(CublasLt().version(), "13.0.0");
}

/// NVRTC makes machine code, which drivers take that are older than its PTX,
/// for every architecture; where it is installed.
static void checkMachineCode() {
  Nvrtc nvrtc;
  if (!nvrtc.usable())
    return;
  UserSource source{"scale.cu",
                    "extern \"C\" __global__ void scale(float *x, float by) {\n"
                    "  x[threadIdx.x] *= by;\n}\n"
                    "template <typename T> __global__ void add(T *x, T y) {\n"
                    "  x[threadIdx.x] += y;\n}\n",
                    {"scale", "add"},
                    {"scale", "add<float>"}};
  std::vector<int> known = nvrtc.architectures();
  for (int arch : {75, 80, 86, 90, 100, 120}) {
    if (std::find(known.begin(), known.end(), arch) == known.end())
      continue; // Of an older NVRTC.
    UserImage image = compileSource(
        nvrtc, source, "--gpu-architecture=sm_" + std::to_string(arch));
    CHECK_EQ(image.image.substr(0, 4), "\x7f"
                                       "ELF");
    CHECK_EQ(image.functions.at(0), "scale");
    CHECK(image.image.find(image.functions.at(1)) != std::string::npos);
  }
  source.text += "extern \"C\" __global__ void wrong() { nothing(); }\n";
  CHECK_THROWS(compileSource(nvrtc, source, "--gpu-architecture=sm_90"),
               "scale.cu(7): error: identifier \"nothing\" is undefined");
}

static void checkArchs() {
  CHECK_EQ(parseArch("sm_90"), 90);
  CHECK_THROWS(parseArch("sm_91"), "'sm_91' is no GPU architecture; known are "
                                   "sm_75, sm_80");
  CHECK_THROWS(parseArch("90"), "'90' is no GPU architecture");
  CHECK_EQ(archForCapability(90), 90);
  CHECK_EQ(archForCapability(101), 100);
  CHECK_EQ(archForCapability(150), 121);
  CHECK_EQ(archForCapability(70), 0);
}

int main(int argc, char **argv) {
  checkMissing();
  checkSearched();
  checkOld();
  checkFound();
  checkMachineCode();
  checkArchs();
  return checkSummary();
}
