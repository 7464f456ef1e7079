// The hand-written program for GPUs of objects/cuda-step.c and cuda-kernels.c,
// for the tests of the CUDA runtime, which run it on the PTX emulator.
#pragma once

#include "test/runtime/TestProgram.h"

#include "blocks/CompiledProgram.h"

#include <cstdlib>

inline const char *cudaManifest = R"({"abi":4,
  "state":[{"path":"/w.W","dtype":"f32","shape":[5,2],"roles":["weight"],
            "init":{"kind":"constant","values":{"value":1.5}},"for":""},
           {"path":"/algorithm.step","dtype":"i64","shape":[],
            "roles":["algorithm_state"],
            "init":{"kind":"constant","values":{}},"for":""},
           {"path":"/algorithm.learning_rate","dtype":"f32","shape":[],
            "roles":["algorithm_hyperparameter"],
            "init":{"kind":"constant","values":{"value":0.5}},"for":""}],
  "entries":[
    {"name":"train","symbol":"blocks_entry_train","state":[0,1,2],
     "updates":[0,1],
     "sources":[{"name":"features","dtype":"f32","shape":[-1,5],
                 "axes":["batch","feature"]},
                {"name":"targets","dtype":"i64","shape":[-1],
                 "axes":["batch"]}],
     "outputs":[{"name":"y","dtype":"f32","shape":[-1,2],
                 "axes":["batch",""],"roles":["output"],"aggregate":"last"},
                {"name":"cost","dtype":"f32","shape":[],"axes":[],
                 "roles":["cost"],"aggregate":"mean"}]},
    {"name":"eval","symbol":"blocks_entry_eval","state":[0],"updates":[],
     "sources":[{"name":"features","dtype":"f32","shape":[-1,5],
                 "axes":["batch","feature"]}],
     "outputs":[{"name":"cost","dtype":"f32","shape":[],"axes":[],
                 "roles":["cost"],"aggregate":"mean"}]},
    {"name":"wild","symbol":"blocks_entry_wild","state":[],"updates":[],
     "sources":[{"name":"features","dtype":"f32","shape":[-1,5],
                 "axes":["batch","feature"]}],"outputs":[]},
    {"name":"wrong","symbol":"blocks_entry_wrong","state":[],"updates":[],
     "sources":[{"name":"features","dtype":"f32","shape":[-1,5],
                 "axes":["batch","feature"]}],"outputs":[]}],
  "sites":[{"operation":"first","brick":"/a"},
           {"operation":"categorical_cross_entropy","brick":"/softmax"}],
  "warnings":[],"model":[],"cpu":"x86-64-v2",
  "device":"cuda","arch":"sm_75",
  "kernels":["scale","advance","total","update","check","wild"]})";

constexpr size_t trainEntry = 0, evalEntry = 1, wildEntry = 2, wrongEntry = 3;

/// What the tests get on their command line: the object and the kernels.
struct CudaTestFiles {
  std::vector<std::byte> object;
  std::string text;

  CudaTestFiles(int argc, char **argv) {
    object = readBytes(argv[argc - 2]);
    std::ifstream file(argv[argc - 1]);
    text.assign(std::istreambuf_iterator<char>(file), {});
  }
  std::unique_ptr<blocks::Program>
  load(const blocks::ProgramOptions &options = {},
       const std::string &manifest = cudaManifest) const {
    return blocks::loadProgram(manifest, object, options, text);
  }
};

/// A variable of the environment for as long as this lives.
class WithEnvironment {
public:
  WithEnvironment(const char *name, const std::string &value) : name(name) {
    if (const char *old = std::getenv(name)) {
      had = true;
      former = old;
    }
    setenv(name, value.c_str(), 1);
  }
  ~WithEnvironment() {
    if (had)
      setenv(name, former.c_str(), 1);
    else
      unsetenv(name);
  }
  WithEnvironment(const WithEnvironment &) = delete;
  WithEnvironment &operator=(const WithEnvironment &) = delete;

private:
  const char *name;
  bool had = false;
  std::string former;
};

inline blocks::Array floats(blocks::Shape shape, float first = 0) {
  blocks::Array array(blocks::DType::Float32, std::move(shape));
  for (int64_t i = 0; i < array.size(); ++i)
    array.as<float>()[i] = first + float(i % 7) * 0.25f;
  return array;
}

inline blocks::ProgramState cudaTestState() {
  blocks::ProgramState state;
  state.arrays.push_back(floats({5, 2}, 1));
  state.arrays.push_back(blocks::Array::zeros(blocks::DType::Int64, {}));
  state.arrays.push_back(floats({}, 0.5f));
  return state;
}

inline blocks::Array labels(int64_t rows) {
  blocks::Array array(blocks::DType::Int64, {rows});
  for (int64_t i = 0; i < rows; ++i)
    array.as<int64_t>()[i] = i % 10;
  return array;
}
