// Training on a GPU (the emulator): rows and parameters are those of the same
// program on the processor; a run that stopped anywhere goes on bit for bit;
// and a checkpoint of one device resumes on the other.
#include "test/Check.h"
#include "test/runtime/CudaTestProgram.h"
#include "test/runtime/FakeProgram.h"

#include "blocks/NpzFile.h"
#include "blocks/Training.h"
#include "runtime/Program/Manifest.h"

#include <filesystem>
#include <limits>
#include <sstream>

using namespace blocks;
namespace fs = std::filesystem;

namespace {

fs::path dir;

/// The program of objects/cuda-step.c on the processor.
class Twin : public Program {
public:
  Twin() : theSpec(parseManifest(cudaManifest).spec) { theSpec.device = "cpu"; }
  const ProgramSpec &spec() const override { return theSpec; }

  StepStatus run(size_t entry, ProgramState &state,
                 std::span<const ArrayView> inputs,
                 std::vector<Array> &outputs) override {
    float *w = state.arrays[0].as<float>();
    bool training = entry == trainEntry;
    float rate = training ? *state.arrays[2].as<float>() : 2.0f;
    std::vector<float> y = product(inputs[0], w, rate);
    float states[2] = {}, sum = 0;
    for (size_t i = 0; i < y.size(); ++i) {
      states[i % 2] = i < 2 ? y[i] : states[i % 2] * 0.5f + y[i];
      sum += y[i];
    }
    outputs.resize(training ? 2 : 1);
    outputs.back().resize(DType::Float32, {});
    *outputs.back().as<float>() = training ? states[0] + states[1] : sum;
    if (training) {
      outputs[0].resize(DType::Float32, {inputs[0].shape[0], 2});
      std::copy(y.begin(), y.end(), outputs[0].as<float>());
      for (int i = 0; i < 10; ++i)
        w[i] += 1;
      ++*state.arrays[1].as<int64_t>();
    }
    return {};
  }

private:
  static std::vector<float> product(const ArrayView &x, const float *w,
                                    float rate) {
    std::vector<float> y;
    for (int64_t i = 0; i < x.shape[0]; ++i)
      for (int64_t j = 0; j < 2; ++j) {
        float sum = 0;
        for (int64_t l = 0; l < 5; ++l)
          sum += x.as<float>()[i * 5 + l] * w[l * 2 + j];
        y.push_back(sum * rate);
      }
    return y;
  }
  ProgramSpec theSpec;
};

struct Recorder : EventSink {
  std::vector<double> costs;
  void epoch(const RowView &row) override {
    for (const NamedValue &value : row.values)
      costs.push_back(value.value);
  }
};

/// A run over 95 examples in batches of 10.
struct Trial {
  Program &program;
  fake::Stream stream{95, 10, 1}, test{23, 10, 1};
  TrainOptions options;
  Recorder recorder;
  std::ostringstream text, messages;

  Trial(Program &program, const std::string &name) : program(program) {
    options.progressBar = false;
    options.checkpointPath = dir / (name + ".ckpt");
    options.logPath = dir / (name + ".jsonl");
    options.saveParametersPath = dir / (name + ".npz");
    options.epochs = 3;
    options.logEvery = 3;
    options.platform = program.spec().device + " test";
  }
  int run() {
    return train(program, stream, {{"test", &test}}, options, recorder, text,
                 messages);
  }
};

std::string contents(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void removeOld(const std::string &name) {
  for (const char *suffix : {".ckpt", ".ckpt.1", ".jsonl", ".npz"})
    fs::remove(dir / (name + suffix));
}

float savedWeight(const std::string &name) {
  NpzFile file((dir / (name + ".npz")).string());
  return *file.read("/w.W").as<float>();
}

void checkWhole(Program &gpu, Program &cpu) {
  Trial whole(gpu, "whole"), twin(cpu, "twin");
  CHECK_EQ(whole.run(), 0);
  CHECK_EQ(twin.run(), 0);
  CHECK_EQ(whole.messages.str(), "");
  CHECK_EQ(savedWeight("whole"), 1.5f + 30);
  CHECK_EQ(whole.recorder.costs.size(), twin.recorder.costs.size());
  for (size_t i = 0; i < whole.recorder.costs.size(); ++i)
    CHECK_NEAR(whole.recorder.costs[i], twin.recorder.costs.at(i),
               1e-5 * twin.recorder.costs[i]);
}

/// Stops after `stop` batches on one device, and goes on on another.
void checkResume(Program &first, Program &second, int64_t stop) {
  removeOld("part");
  Trial begun(first, "part");
  begun.options.batches = stop;
  CHECK_EQ(begun.run(), 0);
  CHECK_EQ(savedWeight("part"), 1.5f + float(stop));
  Trial rest(second, "part");
  rest.options.resume = true;
  CHECK_EQ(rest.run(), 0);
  CHECK_CONTAINS(rest.text.str(), "resuming from");
  CHECK_EQ(savedWeight("part"), 1.5f + 30);
  bool same = first.spec().device == second.spec().device;
  if (same && first.spec().device == "cuda")
    CHECK(contents(dir / "part.jsonl") == contents(dir / "whole.jsonl"));
  if (!same)
    CHECK_CONTAINS(rest.messages.str(),
                   "the checkpoint is from " + begun.options.platform);
}

/// Files of both devices' runs have the same rows, to rounding.
void checkRowsAlike() {
  std::istringstream one(contents(dir / "part.jsonl")),
      two(contents(dir / "whole.jsonl"));
  std::string a, b;
  auto cost = [](const std::string &line) {
    return std::stod(line.substr(line.find("cost\":") + 6));
  };
  while (std::getline(one, a) && std::getline(two, b)) {
    CHECK_EQ(a.substr(0, a.find("values")), b.substr(0, b.find("values")));
    CHECK_NEAR(cost(a), cost(b), 1e-5 * std::fabs(cost(b)));
  }
  CHECK(!std::getline(two, b));
}

void checkNan(Program &gpu) {
  removeOld("nan");
  Trial trial(gpu, "nan");
  trial.options.hyperparameters["/algorithm.learning_rate"] =
      std::numeric_limits<double>::quiet_NaN();
  CHECK_EQ(trial.run(), 1);
  CHECK_CONTAINS(trial.messages.str(), "'cost' is NaN at step 1");
  CHECK(!fs::exists(dir / "nan.ckpt"));
}

/// A batch that cannot be read ends the run where it would on the processor:
/// the one before it is done and counted.
void checkBrokenStream(Program &gpu, Program &cpu) {
  struct Broken : fake::Stream {
    using fake::Stream::Stream;
    int64_t left = 4;
    bool next(fuel::Batch &batch) override {
      if (left-- == 0)
        throw InputError("the data end here");
      return fake::Stream::next(batch);
    }
  };
  std::string logs[2];
  Program *programs[] = {&gpu, &cpu};
  for (int i = 0; i < 2; ++i) {
    removeOld("broken");
    Trial trial(*programs[i], "broken");
    trial.options.logEvery = 1;
    Broken stream(95, 10, 1);
    CHECK_EQ(train(*programs[i], stream, {}, trial.options, trial.recorder,
                   trial.text, trial.messages),
             1);
    CHECK_CONTAINS(trial.messages.str(), "the data end here");
    std::string log = contents(dir / "broken.jsonl");
    CHECK_EQ(std::count(log.begin(), log.end(), '\n'), 4);
  }
}

} // namespace

int main(int argc, char **argv) {
  dir = argv[1];
  CudaTestFiles files(argc, argv);
  auto gpu = files.load();
  Twin cpu;
  removeOld("whole");
  removeOld("twin");
  checkWhole(*gpu, cpu);
  for (int64_t stop : {1, 7, 10, 13, 29})
    checkResume(*gpu, *gpu, stop);
  // Another process's program, as after a crash.
  auto later = files.load();
  checkResume(*gpu, *later, 11);
  checkResume(*gpu, cpu, 7);
  checkRowsAlike();
  checkResume(cpu, *gpu, 10);
  checkRowsAlike();
  checkNan(*gpu);
  checkBrokenStream(*gpu, cpu);
  return checkSummary();
}
