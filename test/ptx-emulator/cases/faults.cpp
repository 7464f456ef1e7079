// Kernels with planted bugs, which the emulator must report, and their right
// twins, which it must let pass.
#include "Gpu.h"

#include <functional>

namespace {

/// A kernel of one block of 64 threads; %tid is in %t, shared memory is `sh`
/// (1 KiB), %g the address of 64 words, %s that of the thread's own in sh.
std::string kernel(std::string body) {
  // An instruction a line, so that reports tell them apart.
  for (size_t at = 0; (at = body.find("; ", at)) != std::string::npos;)
    body[++at] = '\n';
  return ".version 8.0\n.target sm_80\n.address_size 64\n"
         ".visible .entry test(.param .u64 test_param_0)\n{\n"
         ".reg .pred %p<4>; .reg .b32 %t, %r<8>; .reg .f32 %f<8>;\n"
         ".reg .b64 %g, %s, %o, %q<4>;\n"
         ".shared .align 16 .b8 sh[1024];\n.local .align 8 .b8 depot[16];\n"
         "ld.param.u64 %g, [test_param_0]; mov.u32 %t, %tid.x;\n"
         "mul.wide.u32 %o, %t, 4; mov.u64 %s, sh; add.u64 %s, %s, %o;\n" +
         body + "\nret;\n}\n";
}

class FaultTest {
public:
  explicit FaultTest(const Gpu &gpu) : gpu(gpu), memory(gpu, size_t(64)) {}

  /// The kernel must fail with `code`, and the report must contain `part`.
  void bad(const char *name, const std::string &body, CUresult code,
           const std::string &part) {
    CUresult result = runBody(body);
    if (result != code)
      checkFailed(__FILE__, __LINE__,
                  std::string(name) + ": the result is " +
                      std::to_string(result) + ", expected " +
                      std::to_string(code));
    CHECK_CONTAINS(std::string(gpu.ptxemuLastReport()), part);
    // The error stays until the context is reset.
    if (result)
      CHECK_EQ(gpu.cuCtxSynchronize(), result);
    gpu.cuDevicePrimaryCtxReset_v2(0);
    CHECK_EQ(gpu.cuCtxSynchronize(), 0);
  }

  void good(const char *name, const std::string &body) {
    if (CUresult result = runBody(body)) {
      checkFailed(__FILE__, __LINE__,
                  std::string(name) + " should run: " + std::to_string(result) +
                      " " + gpu.ptxemuLastReport());
      gpu.cuDevicePrimaryCtxReset_v2(0);
    }
  }

private:
  const Gpu &gpu;
  Buffer<uint32_t> memory;

  CUresult runBody(const std::string &body) {
    CUmodule module = gpu.load(kernel(body));
    CUdeviceptr address = memory.get();
    void *args[] = {&address};
    gpu.check(gpu.cuLaunchKernel(gpu.function(module, "test"), 1, 1, 1, 64, 1,
                                 1, 0, nullptr, args, nullptr),
              "launch");
    CUresult result = gpu.cuCtxSynchronize();
    if (!result)
      gpu.cuModuleUnload(module);
    return result;
  }
};

constexpr CUresult illegal = CUDA_ERROR_ILLEGAL_ADDRESS,
                   launchFailed = CUDA_ERROR_LAUNCH_FAILED;

void addresses(FaultTest &t) {
  t.good("global store", "add.u64 %q0, %g, %o; st.global.u32 [%q0], %t;");
  t.bad("past the end", "add.u64 %q0, %g, %o; st.global.u32 [%q0+4], %t;",
        illegal, "past the end of");
  t.bad("over the end", "st.global.u64 [%g+252], %o;",
        CUDA_ERROR_MISALIGNED_ADDRESS, "not aligned to 8 bytes");
  t.bad("far away", "st.global.u32 [%g+4096], %t;", illegal, "past the end of");
  t.bad("before the start", "st.global.u32 [%g+-4], %t;", illegal,
        "before the");
  t.bad("null", "mov.u64 %q0, 0; ld.global.u32 %r0, [%q0+16];", illegal,
        "a null pointer");
  t.bad("host address", "mov.u64 %q0, 0x7f0012345678; ld.u32 %r0, [%q0];",
        illegal, "no allocation is near");
  t.bad("misaligned", "ld.global.u32 %r0, [%g+2];",
        CUDA_ERROR_MISALIGNED_ADDRESS, "not aligned to 4 bytes");
  t.bad("misaligned vector", "ld.global.v4.u32 {%r0,%r1,%r2,%r3}, [%g+8];",
        CUDA_ERROR_MISALIGNED_ADDRESS, "not aligned to 16 bytes");
  t.good("vector", "ld.global.v4.u32 {%r0,%r1,%r2,%r3}, [%g+16];");
  t.bad("undefined register", "ld.global.u32 %r0, [%q3];", illegal,
        "undefined register");
  t.bad("shared bounds", "st.shared.u32 [sh+1024], %t;", illegal,
        "the block has shared memory");
  t.bad("shared null", "mov.u32 %r0, 0; st.shared.u32 [%r0], %t;", illegal,
        "shared address 0");
  t.bad("local bounds", "st.local.u32 [depot+16], %t;", illegal,
        "16 bytes of local memory");
  t.good("local", "st.local.u32 [depot+12], %t; ld.local.u32 %r0, [depot+12];");
  t.bad("generic to shared", "cvta.shared.u64 %q0, %s; st.u32 [%q0+1020], %t;",
        illegal, "shared address");
  t.good("generic to shared, inside",
         "cvta.shared.u64 %q0, %s; st.u32 [%q0], %t;");
}

void barriers(FaultTest &t) {
  const std::string write = "st.shared.u32 [%s], %t; ", sync = "bar.sync 0; ",
                    readOther =
                        "xor.b32 %r0, %t, 33; mul.wide.u32 %q0, %r0, 4; "
                        "mov.u64 %q1, sh; add.u64 %q0, %q0, %q1; "
                        "ld.shared.u32 %r1, [%q0]; ";
  t.good("with a barrier", write + sync + readOther);
  t.bad("missing barrier", write + readOther, launchFailed,
        "uninitialised shared memory is read");
  t.bad("missing second barrier", write + sync + readOther + write,
        launchFailed, "race (write after read without a barrier)");
  t.good("second barrier", write + sync + readOther + sync + write);
  t.bad("read after write", write + sync + write + readOther, launchFailed,
        "race (");
  t.bad("two writers", "st.shared.u32 [sh], %t;", launchFailed,
        "race (write after write without a barrier)");
  t.good("atomics do not race",
         "setp.ne.u32 %p0, %t, 0; @!%p0 st.shared.u32 [sh], 0; bar.sync 0; "
         "atom.shared.add.u32 %r0, [sh], 1;");
  t.bad("an atomic and a plain write",
        "setp.ne.u32 %p0, %t, 0; @!%p0 st.shared.u32 [sh], 0; bar.sync 0; "
        "atom.shared.add.u32 %r0, [sh], 1; setp.eq.u32 %p1, %t, 40; "
        "@%p1 st.shared.u32 [sh], 5;",
        launchFailed, "race (write after write");
  t.bad("uninitialised read", "ld.shared.u32 %r0, [%s+512];", launchFailed,
        "uninitialised shared memory is read");
  t.bad("halves of one word do not race, its bytes do",
        "cvt.u64.u32 %q0, %t; mov.u64 %q1, sh; add.u64 %q0, %q0, %q1; "
        "st.shared.u8 [%q0], %t; st.shared.u8 [%q1+100], %t;",
        launchFailed, "shared address 1124");
  t.good("neighbouring bytes of two warps",
         "cvt.u64.u32 %q0, %t; mov.u64 %q1, sh; add.u64 %q0, %q0, %q1; "
         "st.shared.u8 [%q0+2], %t;");
  t.bad("deadlock", "setp.lt.u32 %p0, %t, 32; @%p0 bar.sync 0;", launchFailed,
        "deadlock: barrier 0 was reached by 32 of 64 threads; 32 threads have "
        "exited");
  t.bad("half a warp at the barrier",
        "setp.lt.u32 %p0, %t, 40; @%p0 bar.sync 0;", launchFailed, "deadlock");
  t.bad("two barriers for one warp",
        "setp.lt.u32 %p0, %t, 40; @%p0 bra A; bar.sync 0; bra B; A: bar.sync "
        "0; B:",
        launchFailed, "divergent barrier");
  t.good("named barriers between two warps",
         "st.shared.u32 [%s], %t; bar.sync 3, 64; " + readOther);
  t.good("arrive and sync",
         "setp.lt.u32 %p0, %t, 32; @%p0 bra A; bar.sync 1, 64; bra B; "
         "A: st.shared.u32 [%s], %t; bar.arrive 1, 64; B:");
  t.bad("a count that is no multiple of 32", "bar.sync 1, 40;", launchFailed,
        "multiple of the warp size");
  t.good("bar.red", "setp.lt.u32 %p0, %t, 40; bar.red.popc.u32 %r0, 0, %p0; "
                    "setp.eq.u32 %p1, %r0, 40; @%p1 bra OK; trap; OK: "
                    "bar.red.and.pred %p2, 0, %p0; @!%p2 bra OK2; trap; OK2: "
                    "bar.red.or.pred %p3, 0, %p0; @%p3 bra OK3; trap; OK3:");
}

void collectives(FaultTest &t) {
  t.good("shuffle", "shfl.sync.bfly.b32 %r0, %t, 1, 31, -1;");
  t.bad("divergent shuffle",
        "and.b32 %r1, %t, 31; setp.lt.u32 %p0, %r1, 16; @!%p0 bra A; "
        "shfl.sync.bfly.b32 %r0, %t, 1, 31, -1; bra B; "
        "A: add.u32 %r0, %t, 1; bar.warp.sync -1; B:",
        launchFailed, "divergent shuffle");
  t.good("shuffle of half a warp",
         "and.b32 %r1, %t, 31; setp.lt.u32 %p0, %r1, 16; @!%p0 bra A; "
         "shfl.sync.bfly.b32 %r0, %t, 1, 31, 0xFFFF; A:");
  t.bad("not in its own mask", "vote.sync.all.pred %p1, %p0, 0xFFFF;",
        launchFailed, "without being in its own member mask");
  t.good("shuffle in a loop of different lengths, by those that stay",
         "and.b32 %r1, %t, 7; L: activemask.b32 %r3; shfl.sync.idx.b32 %r2, "
         "%t, 0, 31, %r3; setp.gt.u32 %p0, %r1, 0; sub.u32 %r1, %r1, 1; "
         "@%p0 bra L;");
  t.bad("mma by half a warp",
        "and.b32 %r7, %t, 31; setp.lt.u32 %p0, %r7, 16; @!%p0 bra A; "
        "mov.f32 %f0, 0f00000000; "
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f0,%f0,%f0,%f0}, "
        "{%t,%t,%t,%t}, {%t,%t}, {%f0,%f0,%f0,%f0}; A:",
        launchFailed, "all 32 lanes must execute this together");
}

void copies(FaultTest &t) {
  const std::string start = "mov.u64 %q0, %g; add.u64 %q0, %q0, %o; "
                            "cp.async.ca.shared.global [%s], [%q0], 4; ",
                    commit = "cp.async.commit_group; ",
                    read = "ld.shared.u32 %r0, [%s]; ";
  t.good("waited for", start + commit + "cp.async.wait_group 0; " + read);
  t.bad("not waited for", start + commit + read, launchFailed,
        "before the cp.async");
  t.bad("waited for the wrong group",
        start + commit + "cp.async.ca.shared.global [%s+256], [%q0], 4; " +
            commit + "cp.async.wait_group 1; ld.shared.u32 %r0, [%s+256];",
        launchFailed, "before the cp.async");
  t.good("two stages", start + commit +
                           "cp.async.ca.shared.global [%s+256], [%q0], 4; " +
                           commit + "cp.async.wait_group 1; " + read +
                           "cp.async.wait_all; ld.shared.u32 %r0, [%s+256];");
  t.bad("other warps need a barrier",
        start +
            "cp.async.wait_all; xor.b32 %r0, %t, 33; mul.wide.u32 %q1, "
            "%r0, 4; mov.u64 %q2, sh; add.u64 %q1, %q1, %q2; bar.sync 0; "
            "ld.shared.u32 %r1, [%q1]; " +
            start,
        launchFailed, "write after read");
  t.bad("past the source",
        "cp.async.ca.shared.global [%s], [%g+256], 4; cp.async.wait_all;",
        illegal, "past the end");
}

void others(FaultTest &t) {
  t.bad("trap", "setp.eq.u32 %p0, %t, 3; @%p0 trap;",
        CUDA_ERROR_ILLEGAL_INSTRUCTION, "thread (3,0,0)");
  t.good("exit of some threads",
         "setp.eq.u32 %p0, %t, 3; @%p0 exit; add.u64 %q0, %g, %o; "
         "st.global.u32 [%q0], %t;");
}

/// Freed memory is reported as such.
void useAfterFree(const Gpu &gpu) {
  CUmodule module = gpu.load(kernel("st.global.u32 [%g], %t;"));
  CUdeviceptr address;
  gpu.check(gpu.cuMemAlloc_v2(&address, 256), "cuMemAlloc");
  gpu.run(gpu.function(module, "test"), 1, 32, 0, address);
  gpu.check(gpu.cuMemFree_v2(address), "cuMemFree");
  gpu.start(nullptr, gpu.function(module, "test"), 1, 32, 0, address);
  CHECK_EQ(gpu.cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK_CONTAINS(std::string(gpu.ptxemuLastReport()), "use after free");
  gpu.cuDevicePrimaryCtxReset_v2(0);
}

/// A suballocation that was marked dead is out of bounds.
void parts(const Gpu &gpu) {
  CUmodule module = gpu.load(kernel("st.global.u32 [%g], %t;"));
  CUfunction function = gpu.function(module, "test");
  CUdeviceptr address;
  gpu.check(gpu.cuMemAlloc_v2(&address, 4096), "cuMemAlloc");
  gpu.check(gpu.ptxemuMarkPart(address + 512, 256, 1), "ptxemuMarkPart");
  gpu.run(function, 1, 32, 0, address + 512);
  gpu.start(nullptr, function, 1, 32, 0, address + 768);
  CHECK_EQ(gpu.cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK_CONTAINS(std::string(gpu.ptxemuLastReport()), "no live part");
  gpu.cuDevicePrimaryCtxReset_v2(0);
  gpu.check(gpu.cuMemFree_v2(address), "cuMemFree");
}

/// An instruction that the emulator lacks is an error that names it.
void unknownInstruction(const Gpu &gpu) {
  char log[512] = {};
  int options[] = {5, 6};
  void *values[] = {log, reinterpret_cast<void *>(sizeof(log))};
  CUmodule module;
  std::string text = kernel("wgmma.fence.sync.aligned;");
  CHECK_EQ(gpu.cuModuleLoadDataEx(&module, text.c_str(), 2, options, values),
           CUDA_ERROR_INVALID_PTX);
  CHECK_CONTAINS(std::string(log), "unknown instruction");
  CHECK_CONTAINS(std::string(log), "wgmma.fence");
  CHECK_CONTAINS(std::string(log), "line 12");
}

} // namespace

int main(int, char **argv) {
  Gpu gpu(argv[1]);
  FaultTest test(gpu);
  addresses(test);
  barriers(test);
  collectives(test);
  copies(test);
  others(test);
  useAfterFree(gpu);
  parts(gpu);
  unknownInstruction(gpu);
  return checkSummary();
}
