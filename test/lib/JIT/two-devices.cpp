// Test-only: the first steps of a model's training on the processor and on a
// GPU, from the same state and with the same made-up batches: outputs and state
// have to agree.
// usage: test-two-devices MODEL.mlir [--steps N] [--axis NAME=N]...
//        [--limit SOURCE=N]... [--step-rule RULE] [--regularize TEXT]...
//        [--tolerance T] [--arch sm_90] [--precision bf16]
// A source of whole numbers gets numbers below its limit (10), others numbers
// from -1 to 1, those called "mask" or "…_mask" ones and zeros.
#include "blocks/CompiledProgram.h"
#include "blocks/Error.h"
#include "blocks/Parameters.h"
#include "lib/API/CompileModel.h"
#include "runtime/Device/CpuInfo.h"

#include <cmath>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

using namespace blocks;

namespace {

struct Options {
  CompileRequest request;
  std::map<std::string, int64_t> axes, limits;
  int steps = 2;
  double tolerance = 2e-4;

  static std::pair<std::string, int64_t> pair(const std::string &text) {
    size_t at = text.find('=');
    return {text.substr(0, at), std::stoll(text.substr(at + 1))};
  }

  Options(int argc, char **argv) {
    std::ifstream file(argv[1]);
    std::ostringstream text;
    text << file.rdbuf();
    request.modelText = text.str();
    request.modelName = argv[1];
    request.training = true;
    request.cpuLevel = levelName(detectCpu().level);
    request.cudaArch = "sm_90";
    for (int i = 2; i + 1 < argc; i += 2)
      read(argv[i], argv[i + 1]);
  }

  void read(const std::string &option, const std::string &value) {
    if (option == "--steps")
      steps = std::stoi(value);
    else if (option == "--axis")
      axes.insert(pair(value));
    else if (option == "--limit")
      limits.insert(pair(value));
    else if (option == "--step-rule")
      request.stepRule = value;
    else if (option == "--regularize")
      request.regularizers.push_back(value);
    else if (option == "--tolerance")
      tolerance = std::stod(value);
    else if (option == "--arch")
      request.cudaArch = value;
    else if (option == "--precision")
      request.precision = value;
    else
      throw UsageError("there is no option " + option);
  }
};

/// One device's program and state.
struct Run {
  std::unique_ptr<Program> program;
  ProgramState state;
  std::vector<Array> outputs;

  Run(CompileRequest request, const std::string &device) {
    request.device = device;
    CompileArtifact artifact = compileModel(request, "");
    program = loadProgram(artifact.manifest,
                          std::as_bytes(std::span(artifact.object)), {},
                          artifact.deviceText);
    state = makeInitialState(program->spec(), 7);
  }

  const EntrySpec &entry() const { return *program->spec().findEntry("train"); }

  void step(const std::vector<Array> &sources) {
    std::vector<ArrayView> views;
    for (const Array &source : sources)
      views.push_back(source.view());
    size_t number = size_t(&entry() - program->spec().entries.data());
    program->run(number, state, views, outputs);
    state.download();
  }
};

/// Numbers that look random and are the same everywhere.
class Numbers {
public:
  double next() {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return double(state >> 40) / double(1 << 24);
  }

private:
  uint64_t state = 1;
};

} // namespace

template <typename T> static std::span<T> elements(Array &array) {
  return {array.as<T>(), size_t(array.view().size())};
}

template <typename T>
static void fill(Array &array, Numbers &numbers, double low, double high) {
  for (T &element : elements<T>(array))
    element = T(low + (high - low) * numbers.next());
}

template <typename T>
static void fillReal(Array &array, const std::string &name, Numbers &numbers) {
  fill<T>(array, numbers, -1, 1);
  if (name.ends_with("mask"))
    for (T &element : elements<T>(array))
      element = element > T(-0.5) ? 1 : 0;
}

static void fillWhole(Array &array, DType dtype, Numbers &numbers,
                      int64_t limit) {
  switch (dtype) {
  case DType::UInt8:
    return fill<uint8_t>(array, numbers, 0, double(limit));
  case DType::Int32:
    return fill<int32_t>(array, numbers, 0, double(limit));
  case DType::Int64:
    return fill<int64_t>(array, numbers, 0, double(limit));
  default:
    throw UsageError("no made-up numbers for a source of this type");
  }
}

static Array makeSource(const SourceSpec &source, const Options &options,
                        Numbers &numbers) {
  std::vector<int64_t> shape = source.shape;
  for (size_t i = 0; i < shape.size(); ++i)
    if (shape[i] < 0) {
      auto axis = options.axes.find(source.axes[i]);
      if (axis == options.axes.end())
        throw UsageError("source " + source.name + " wants --axis " +
                         source.axes[i] + "=N");
      shape[i] = axis->second;
    }
  Array array(source.dtype, shape);
  auto limit = options.limits.find(source.name);
  if (source.dtype == DType::Float32)
    fillReal<float>(array, source.name, numbers);
  else if (source.dtype == DType::Float64)
    fillReal<double>(array, source.name, numbers);
  else
    fillWhole(array, source.dtype, numbers,
              limit == options.limits.end() ? 10 : limit->second);
  return array;
}

/// The largest difference, relative to the larger of 1 and the largest element.
template <typename T> static double distance(const Array &a, const Array &b) {
  double largest = 1, difference = 0;
  for (size_t i = 0; i < size_t(a.view().size()); ++i) {
    largest = std::max(largest, std::abs(double(a.as<T>()[i])));
    double d = std::abs(double(a.as<T>()[i]) - double(b.as<T>()[i]));
    difference = std::isnan(d) ? INFINITY : std::max(difference, d);
  }
  return difference / largest;
}

static double distance(DType dtype, const Array &a, const Array &b) {
  switch (dtype) {
  case DType::Float32:
    return distance<float>(a, b);
  case DType::Float64:
    return distance<double>(a, b);
  case DType::Int64:
    return distance<int64_t>(a, b);
  case DType::Int32:
    return distance<int32_t>(a, b);
  default:
    return 0;
  }
}

/// First values are a function of seed and path, on every device.
static bool sameBits(const Run &cpu, Run &gpu) {
  gpu.state.download();
  for (size_t i = 0; i < cpu.state.arrays.size(); ++i) {
    const Array &a = cpu.state.arrays[i], &b = gpu.state.arrays[i];
    if (a.bytes() != b.bytes() || std::memcmp(a.data(), b.data(), a.bytes())) {
      std::cout << cpu.program->spec().state[i].path << " begins otherwise\n";
      return false;
    }
  }
  return true;
}

static bool compare(const Run &cpu, const Run &gpu, double tolerance) {
  bool same = true;
  auto check = [&](const std::string &name, double found) {
    if (found <= tolerance)
      return;
    std::cout << name << " differs by " << found << "\n";
    same = false;
  };
  const ProgramSpec &spec = cpu.program->spec();
  for (size_t i = 0; i < spec.state.size(); ++i)
    check(spec.state[i].path, distance(spec.state[i].dtype, cpu.state.arrays[i],
                                       gpu.state.arrays[i]));
  for (size_t i = 0; i < cpu.outputs.size(); ++i) {
    const OutputSpec &output = cpu.entry().outputs[i];
    check(output.name, distance(output.dtype, cpu.outputs[i], gpu.outputs[i]));
  }
  return same;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    std::cerr << "usage: test-two-devices MODEL.mlir [options]\n";
    return 2;
  }
  try {
    Options options(argc, argv);
    Run cpu(options.request, "cpu"), gpu(options.request, "cuda");
    Numbers numbers;
    bool same = sameBits(cpu, gpu);
    for (int step = 0; step < options.steps; ++step) {
      std::vector<Array> sources;
      for (const SourceSpec &source : cpu.entry().sources)
        sources.push_back(makeSource(source, options, numbers));
      cpu.step(sources);
      gpu.step(sources);
      same &= compare(cpu, gpu, options.tolerance);
    }
    std::cout << argv[1] << (same ? " agrees\n" : " differs\n");
    return same ? 0 : 1;
  } catch (const Error &error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
