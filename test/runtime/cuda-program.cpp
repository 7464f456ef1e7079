// A program for GPUs over a hand-written manifest, object and PTX: results,
// state on the device, reports, plans, graphs that equal plain runs bit for
// bit, staged batches, and that a steady run allocates nothing.
#include "test/Check.h"
#include "test/runtime/CountAllocations.h"
#include "test/runtime/CudaTestProgram.h"

#include "runtime/Device/Cuda/LinkedImage.h"
#include "runtime/Program/CudaProgram.h"

#include <cstring>
#include <filesystem>

using namespace blocks;

namespace {

struct Result {
  std::vector<Array> outputs;
  StepStatus status;
};

Result runTrain(Program &program, ProgramState &state, const Array &x,
                const Array &y) {
  Result result;
  ArrayView inputs[] = {x.view(), y.view()};
  result.status = program.run(trainEntry, state, inputs, result.outputs);
  return result;
}

float costOf(const Result &result) { return *result.outputs.at(1).as<float>(); }

/// What the train entry computes, in plain C++.
std::vector<float> expectedOutput(const std::vector<float> &w, const Array &x,
                                  float rate) {
  std::vector<float> y;
  for (int64_t i = 0; i < x.shape()[0]; ++i)
    for (int64_t j = 0; j < 2; ++j) {
      float sum = 0;
      for (int64_t l = 0; l < 5; ++l)
        sum += x.as<float>()[i * 5 + l] * w[size_t(l * 2 + j)];
      y.push_back(sum * rate);
    }
  return y;
}

float expectedCost(const std::vector<float> &y) {
  float states[2] = {};
  for (size_t i = 0; i < y.size(); i += 2)
    for (size_t j = 0; j < 2; ++j)
      states[j] = i == 0 ? y[j] : states[j] * 0.5f + y[i + j];
  return states[0] + states[1];
}

std::vector<float> weights(const ProgramState &state) {
  const float *w = state.arrays[0].as<float>();
  return {w, w + 10};
}

void checkResults(Program &program) {
  ProgramState state = cudaTestState();
  std::vector<float> w = weights(state);
  for (int64_t rows : {4, 1, 7, 4, 0, 4}) {
    Array x = floats({rows, 5}), y = labels(rows);
    Result result = runTrain(program, state, x, y);
    CHECK(result.status.ok);
    std::vector<float> expected = expectedOutput(w, x, 0.5f);
    CHECK_EQ(formatShape(result.outputs[0].shape()),
             std::to_string(rows) + "x2");
    for (size_t i = 0; i < expected.size(); ++i)
      CHECK_NEAR(result.outputs[0].as<float>()[i], expected[i], 1e-5);
    CHECK_NEAR(costOf(result), expectedCost(expected), 1e-4);
    for (float &value : w)
      value += 1;
  }
  state.download();
  CHECK(weights(state) == w);
  CHECK_EQ(*state.arrays[1].as<int64_t>(), int64_t(6));
}

/// The host reads and writes what is on the GPU.
void checkState(Program &program) {
  ProgramState state = cudaTestState();
  Array x = floats({3, 5}), y = labels(3);
  float first = costOf(runTrain(program, state, x, y));
  // Without `changed` a write is not seen; nor a read without `download`.
  CHECK_EQ(state.arrays[0].as<float>()[0], 1.0f);
  state.download();
  CHECK_EQ(state.arrays[0].as<float>()[0], 2.0f);
  state.arrays[0] = cudaTestState().arrays[0].clone();
  *state.arrays[2].as<float>() = 1.0f; // The rate: twice as much.
  state.changed();
  CHECK_NEAR(costOf(runTrain(program, state, x, y)), 2 * first, 1e-5);
  // Another state is another copy; the first one's stays.
  ProgramState other = cudaTestState();
  CHECK_EQ(costOf(runTrain(program, other, x, y)), first);
  state.download();
  other.download();
  CHECK_EQ(*state.arrays[1].as<int64_t>(), int64_t(2));
  CHECK_EQ(*other.arrays[1].as<int64_t>(), int64_t(1));
}

/// A second program on the same GPU goes on with the state as it is there.
void checkShared(const CudaTestFiles &files, Program &program) {
  auto second = files.load();
  ProgramState state = cudaTestState(), alone = cudaTestState();
  Array x = floats({3, 5}), y = labels(3);
  for (int i = 0; i < 4; ++i) {
    float one = costOf(runTrain(i % 2 ? *second : program, state, x, y));
    CHECK_EQ(one, costOf(runTrain(program, alone, x, y)));
  }
  // The program is gone, its state is still there.
  second.reset();
  state.download();
  CHECK_EQ(*state.arrays[1].as<int64_t>(), int64_t(4));
}

void checkEval(Program &program) {
  ProgramState state = cudaTestState();
  for (int64_t rows : {6, 64, 1}) {
    Array x = floats({rows, 5});
    std::vector<Array> outputs;
    ArrayView inputs[] = {x.view()};
    CHECK(program.run(evalEntry, state, inputs, outputs).ok);
    float expected = 0;
    for (float value : expectedOutput(weights(state), x, 2.0f))
      expected += value;
    CHECK_NEAR(*outputs.at(0).as<float>(), expected, 1e-3);
  }
}

void checkReports(Program &program) {
  ProgramState state = cudaTestState();
  Array x = floats({5, 5}), y = labels(5);
  y.as<int64_t>()[2] = 17;
  y.as<int64_t>()[4] = -1;
  StepStatus status = runTrain(program, state, x, y).status;
  CHECK(!status.ok);
  CHECK_EQ(status.operation, "categorical_cross_entropy");
  CHECK_EQ(status.brick, "/softmax");
  CHECK_EQ(status.row, 2);
  CHECK_EQ(status.value, 17);
  CHECK_EQ(status.limit, 10);
  // The next run begins with a clean record.
  CHECK(runTrain(program, state, x, labels(5)).status.ok);
}

void checkPlans(const CudaTestFiles &files) {
  auto program = files.load();
  std::vector<MemoryPlan> plans;
  program->onPlan = [&](const MemoryPlan &plan) { plans.push_back(plan); };
  ProgramState state = cudaTestState();
  for (int64_t rows : {20, 10, 20, 30})
    runTrain(*program, state, floats({rows, 5}), labels(rows));
  CHECK_EQ(plans.size(), size_t(2));
  CHECK_EQ(plans.at(1).entry, "train");
  CHECK_EQ(plans[1].shapes["batch"], 30);
  CHECK_EQ(plans[1].bytes, (2 * 30 * 2 + 2) * 4);
}

/// Shapes that come again are replayed, and give the same bits as plain runs.
void checkGraphs(const CudaTestFiles &files) {
  std::unique_ptr<Program> plain;
  {
    WithEnvironment off("BLOCKS_CUDA_GRAPHS", "0");
    plain = files.load();
  }
  auto loaded = files.load();
  auto &graphs = static_cast<CudaProgram &>(*loaded);
  ProgramState one = cudaTestState(), two = cudaTestState();
  int64_t rows[] = {6, 9, 6, 9, 6, 6, 30, 6, 6, 9, 9, 0, 0, 0, 6};
  for (size_t i = 0; i < std::size(rows); ++i) {
    Array x = floats({rows[i], 5}, float(i)), y = labels(rows[i]);
    Result a = runTrain(*plain, one, x, y), b = runTrain(graphs, two, x, y);
    for (size_t output : {0, 1})
      CHECK(std::memcmp(a.outputs[output].data(), b.outputs[output].data(),
                        a.outputs[output].bytes()) == 0);
  }
  one.download();
  two.download();
  CHECK(weights(one) == weights(two));
  CHECK_EQ(static_cast<CudaProgram &>(*plain).replays(), int64_t(0));
  CHECK(graphs.graphs() >= 2);
  CHECK(graphs.replays() >= 5);
}

/// Many shapes: the cache stays within its bound.
void checkManyShapes(const CudaTestFiles &files) {
  auto loaded = files.load();
  auto &program = static_cast<CudaProgram &>(*loaded);
  ProgramState state = cudaTestState();
  runTrain(program, state, floats({50, 5}), labels(50));
  for (int round = 0; round < 2; ++round)
    for (int64_t rows = 1; rows <= 40; ++rows)
      for (int again = 0; again < 2; ++again)
        runTrain(program, state, floats({rows, 5}), labels(rows));
  CHECK_EQ(program.graphs(), cuda::GraphCache::capacity);
  state.download();
  CHECK_EQ(*state.arrays[1].as<int64_t>(), int64_t(161));
}

/// Batches that were staged while the device was busy are the ones used; and
/// one that was staged but is not the next does no harm.
void checkStaged(Program &program) {
  ProgramState state = cudaTestState(), other = cudaTestState();
  std::vector<Array> xs, ys;
  std::vector<std::vector<ArrayView>> views;
  for (int64_t i = 0; i < 8; ++i) {
    xs.push_back(floats({5 + i % 2, 5}, float(i)));
    ys.push_back(labels(5 + i % 2));
  }
  for (size_t i = 0; i < xs.size(); ++i)
    views.push_back({xs[i].view(), ys[i].view()});
  for (size_t i = 0; i < xs.size(); ++i) {
    int calls = 0;
    program.whileBusy = [&] {
      ++calls;
      // The last but one stages a batch that never comes.
      program.stage(trainEntry, views[i == 6 ? 0 : (i + 1) % 8]);
    };
    Result staged = runTrain(program, state, xs[i], ys[i]);
    program.whileBusy = nullptr;
    CHECK_EQ(calls, 1);
    CHECK_EQ(costOf(staged), costOf(runTrain(program, other, xs[i], ys[i])));
    if (i + 1 < xs.size() && i != 6) // The other run dropped it: again.
      program.stage(trainEntry, views[i + 1]);
  }
  // What the host does meanwhile may fail; the step is complete nevertheless.
  program.whileBusy = [] { throw std::runtime_error("no more data"); };
  CHECK_THROWS(runTrain(program, state, xs[0], ys[0]), "no more data");
  program.whileBusy = nullptr;
  state.download();
  CHECK_EQ(*state.arrays[1].as<int64_t>(), int64_t(9));
}

void checkSteady(Program &program) {
  ProgramState state = cudaTestState();
  Array x = floats({12, 5}), y = labels(12), z = floats({9, 5}), v = labels(9);
  std::vector<Array> outputs;
  ArrayView first[] = {x.view(), y.view()}, second[] = {z.view(), v.view()};
  for (int i = 0; i < 3; ++i) {
    program.run(trainEntry, state, first, outputs);
    program.run(trainEntry, state, second, outputs);
  }
  int64_t before = allocations;
  for (int i = 0; i < 20; ++i)
    program.run(trainEntry, state, i % 2 ? first : second, outputs);
  CHECK_EQ(allocations - before, 0);
}

/// Kernels linked by nvJitLink (the emulator's), once: the second time they
/// come from the cache. A driver that refuses them gets the text.
void checkImages(const CudaTestFiles &files, const std::string &scratch) {
  std::filesystem::remove_all(scratch);
  ObjectCache cache(scratch);
  ProgramOptions options;
  options.kernelCache = &cache;
  auto runsImage = [&] {
    auto program = files.load(options);
    checkResults(*program);
    return dynamic_cast<CudaProgram &>(*program).runsImage();
  };
  auto count = [&] {
    std::filesystem::directory_iterator entries(scratch);
    return std::distance(begin(entries), end(entries));
  };
  CHECK(runsImage());
  CHECK_EQ(count(), 1);
  CHECK(runsImage());
  CHECK_EQ(count(), 1);
  WithEnvironment none("BLOCKS_CUDA_NVJITLINK", "/nowhere/libnvJitLink.so");
  CHECK(!runsImage());
}

/// An image of another architecture than the GPU's.
void checkRefusedImage(const CudaTestFiles &files) {
  auto device = std::make_shared<cuda::CudaDevice>(0);
  cuda::NvJitLink library;
  std::vector<std::string> kernels{"scale"};
  std::string image = cuda::linkText(library, files.text, "sm_120").image;
  CHECK(!cuda::CudaModule(device, files.text, kernels, image).isImage());
  image = cuda::linkText(library, files.text, "sm_90").image;
  CHECK(cuda::CudaModule(device, files.text, kernels, image).isImage());
  CHECK_THROWS(cuda::linkText(library, files.text, "sm_12"),
               "nvJitLink 13.0 cannot make code for sm_12 of the kernels");
  CHECK_THROWS(cuda::linkText(library, ".version 7.0\nnonsense", "sm_90"),
               "line 2");
}

} // namespace

int main(int argc, char **argv) {
  CudaTestFiles files(argc, argv);
  auto program = files.load();
  CHECK_EQ(program->spec().device, "cuda");
  CHECK(program->spec().warnings.empty());
  checkResults(*program);
  checkState(*program);
  checkShared(files, *program);
  checkEval(*program);
  checkReports(*program);
  checkPlans(files);
  checkGraphs(files);
  checkManyShapes(files);
  checkStaged(*program);
  checkSteady(*program);
  checkImages(files, std::string(argv[1]) + "/cache");
  checkRefusedImage(files);
  WithEnvironment none("BLOCKS_CUDA_CUBLAS", "/nowhere/libcublas.so");
  auto own = files.load();
  CHECK_CONTAINS(own->spec().warnings.at(0),
                 "matrix products run without cuBLAS, several times slower");
  checkResults(*own);
  checkGraphs(files);
  return checkSummary();
}
