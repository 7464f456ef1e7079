// What goes wrong on a GPU, and what the user reads then. Each case has a
// process of its own, since the driver reads its environment once.
#include "test/Check.h"
#include "test/runtime/CudaTestProgram.h"

#include "blocks/Error.h"

#include <functional>
#include <map>
#include <sys/wait.h>
#include <unistd.h>

using namespace blocks;

namespace {

using Environment = std::map<std::string, std::string>;

/// Runs `check` in a child with these variables.
void inChild(const Environment &environment, std::function<void()> check) {
  pid_t child = fork();
  if (child == 0) {
    for (const auto &[name, value] : environment)
      setenv(name.c_str(), value.c_str(), 1);
    try {
      check();
    } catch (const std::exception &error) {
      CHECK_EQ(std::string(error.what()), "no error");
    }
    _exit(checkSummary());
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK_EQ(status, 0);
}

Environment failing(const std::string &what) {
  return {{"BLOCKS_PTX_EMULATOR_FAIL", what}};
}

std::vector<Array> outputs;
StepStatus run(Program &program, size_t entry, ProgramState &state,
               int64_t rows) {
  Array x = floats({rows, 5}), y = labels(rows);
  ArrayView inputs[] = {x.view(), y.view()};
  return program.run(entry, state, {inputs, entry == trainEntry ? 2u : 1u},
                     outputs);
}

void replace(std::string &text, const std::string &from,
             const std::string &to) {
  size_t at = text.find(from);
  CHECK(at != std::string::npos);
  text.replace(at, from.size(), to);
}

void checkMachine(const CudaTestFiles &files) {
  inChild({{"BLOCKS_CUDA_DRIVER", "/nowhere/libcuda.so"}}, [&] {
    CHECK_THROWS(files.load(), "no GPU can be used: $BLOCKS_CUDA_DRIVER names");
    CHECK_THROWS(files.load(), "run with --device cpu");
  });
  inChild(failing("no-device"), [&] {
    CHECK_THROWS(files.load(), "finds no GPU on this machine; run with");
  });
  inChild({}, [&] {
    ProgramOptions options;
    options.gpu = 2;
    CHECK_THROWS(files.load(options), "no GPU number 2: this machine has 1");
  });
  inChild({{"BLOCKS_PTX_EMULATOR_ARCH", "70"}}, [&] {
    CHECK_THROWS(files.load(), "of architecture sm_70, older than those");
  });
}

void checkArchitecture(const CudaTestFiles &files) {
  inChild({{"BLOCKS_PTX_EMULATOR_ARCH", "80"}}, [&] {
    std::string manifest = cudaManifest;
    replace(manifest, "sm_75", "sm_90");
    CHECK_THROWS(files.load({}, manifest),
                 "for GPUs of architecture sm_90 and newer, but the GPU '");
    CHECK_THROWS(files.load({}, manifest),
                 "is of sm_80; leave out --cuda-arch, or compile with "
                 "--cuda-arch sm_80");
    replace(manifest, "sm_90", "sm_9x");
    CHECK_THROWS(files.load({}, manifest), "'sm_9x' is no GPU architecture");
  });
}

void checkDriver(const CudaTestFiles &files) {
  CudaTestFiles newer = files;
  replace(newer.text, ".version 6.3", ".version 8.5");
  inChild(failing("driver-version:11080"), [&] {
    files.load(); // PTX 6.3 is old enough.
    CHECK_THROWS(newer.load(),
                 "the GPU driver is too old for this program: its kernels are "
                 "PTX 8.5 for sm_75, the driver knows what CUDA 11.8 has");
  });
  CudaTestFiles damaged = files;
  replace(damaged.text, "setp.ge.s64", "setp.xx.s64");
  inChild({}, [&] {
    CHECK_THROWS(damaged.load(), "refuses the program's kernels for sm_75");
    CHECK_THROWS(damaged.load(), "setp"); // What the driver said.
    std::string manifest = cudaManifest;
    replace(manifest, "\"wild\"]", "\"tame\"]");
    CHECK_THROWS(files.load({}, manifest), "kernels lack 'tame'");
    replace(manifest, "\"device\":\"cuda\"", "\"device\":\"tpu\"");
    CHECK_THROWS(files.load({}, manifest), "'device' is neither left out nor");
  });
}

/// The names of the other kind of device are not bound.
void checkObject(const CudaTestFiles &files) {
  inChild({}, [&] {
    std::string manifest = cudaManifest;
    size_t at = manifest.find(",\n  \"device\"");
    CHECK(at != std::string::npos);
    manifest = manifest.substr(0, at) + "}";
    CHECK_THROWS(files.load({}, manifest), "blocks_rt_");
  });
}

void checkMemory(const CudaTestFiles &files) {
  inChild({{"BLOCKS_PTX_EMULATOR_MEMORY", "64"}}, [&] {
    auto program = files.load();
    ProgramState state = cudaTestState();
    CHECK(run(*program, trainEntry, state, 4).ok);
    CHECK_THROWS(run(*program, trainEntry, state, 2000000), "the batch needs ");
    CHECK_THROWS(
        run(*program, wrongEntry, state, 3),
        "entry 'wrong', with these shapes, needs 35184.37 GB of memory "
        "on the GPU '");
    CHECK_THROWS(run(*program, wrongEntry, state, 3),
                 " are free; use a smaller batch, end other programs");
    // Nothing was computed, and the program goes on.
    CHECK(run(*program, trainEntry, state, 4).ok);
    state.download();
    CHECK_EQ(*state.arrays[1].as<int64_t>(), int64_t(2));
  });
  inChild(failing("host-alloc"), [&] {
    auto program = files.load();
    ProgramState state = cudaTestState();
    CHECK_THROWS(run(*program, trainEntry, state, 4),
                 "of host memory for copies to the GPU");
  });
}

void checkLaunches(const CudaTestFiles &files) {
  inChild(failing("launch:2"), [&] {
    auto program = files.load();
    ProgramState state = cudaTestState();
    CHECK_THROWS(run(*program, trainEntry, state, 4),
                 "kernel 'advance' of entry 'train' cannot be started on the "
                 "GPU '");
  });
  inChild({}, [&] {
    auto program = files.load();
    ProgramState state = cudaTestState();
    CHECK_THROWS(run(*program, wrongEntry, state, 1),
                 "starts kernel number 99, but it has 6; compile");
    CHECK_THROWS(run(*program, wrongEntry, state, 2),
                 "kernel 'wild' of entry 'wrong' cannot be started on the GPU");
    CHECK_THROWS(run(*program, wrongEntry, state, 2),
                 "1x1 blocks of 2048x1 threads, 0 bytes of shared memory: "
                 "CUDA_ERROR_");
    CHECK(run(*program, trainEntry, state, 4).ok);
  });
}

void checkFaults(const CudaTestFiles &files) {
  inChild({}, [&] {
    auto program = files.load();
    ProgramState state = cudaTestState();
    CHECK(run(*program, trainEntry, state, 4).ok);
    CHECK_THROWS(run(*program, wildEntry, state, 1),
                 "the work of entry 'wild' failed on the GPU '");
    // The GPU's context is lost: nothing that it held comes back.
    CHECK_THROWS(run(*program, trainEntry, state, 4), "CUDA_ERROR_");
    CHECK_THROWS(state.download(),
                 "cannot copy the model's state from the GPU");
  });
  inChild({}, [&] {
    auto program = files.load();
    ProgramState state = cudaTestState();
    CHECK_THROWS(run(*program, wildEntry, state, 1),
                 "run again with BLOCKS_CUDA_BLOCKING=1 in the environment");
  });
  inChild({{"BLOCKS_CUDA_BLOCKING", "1"}}, [&] {
    auto program = files.load();
    ProgramState state = cudaTestState();
    CHECK(run(*program, trainEntry, state, 4).ok);
    CHECK_THROWS(run(*program, wildEntry, state, 1), "kernel 'wild' (1x1");
  });
}

void checkGraphs(const CudaTestFiles &files) {
  for (const char *what : {"capture", "graph", "graph-launch"})
    inChild(failing(what), [&] {
      auto program = files.load();
      ProgramState state = cudaTestState();
      CHECK(run(*program, trainEntry, state, 4).ok);
      CHECK_THROWS(run(*program, trainEntry, state, 4), "CUDA graph");
      // Only this once: the next run captures anew, or replays.
      CHECK(run(*program, trainEntry, state, 4).ok);
    });
  inChild(failing("cublas:2"), [&] {
    auto program = files.load();
    ProgramState state = cudaTestState();
    CHECK(run(*program, trainEntry, state, 4).ok);
    CHECK_THROWS(run(*program, trainEntry, state, 4),
                 "cuBLAS cannot multiply: CUBLAS_STATUS_");
    CHECK(run(*program, trainEntry, state, 4).ok);
  });
  inChild(failing("cublas-create"), [&] {
    auto program = files.load();
    CHECK_CONTAINS(program->spec().warnings.at(0), "cannot start: CUBLAS_");
  });
}

} // namespace

int main(int argc, char **argv) {
  CudaTestFiles files(argc, argv);
  checkMachine(files);
  checkArchitecture(files);
  checkDriver(files);
  checkObject(files);
  checkMemory(files);
  checkLaunches(files);
  checkFaults(files);
  checkGraphs(files);
  return checkSummary();
}
