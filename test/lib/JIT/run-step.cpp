// A training step runs through all stages of the CPU's half, the loader and the
// thread pool: against a plain computation in double, for several batch sizes
// with one object, bit for bit equal for any number of threads, at every CPU
// level.
#include "test/lib/JIT/JitTest.h"

#include <array>
#include <cmath>

using namespace blocks;

static constexpr std::array<int64_t, 4> widths = {20, 70, 70, 10};

static std::string layerState() {
  std::string text;
  for (int l = 0; l < 3; ++l) {
    auto item = [&](const char *name, const std::string &shape) {
      text += "{\"path\":\"/mlp/linear_" + std::to_string(l) + "." + name +
              "\",\"dtype\":\"f32\",\"shape\":[" + shape +
              "],\"roles\":[\"weight\"],\"init\":{\"kind\":\"constant\","
              "\"values\":{\"value\":0}},\"for\":\"\"},";
    };
    item("W", std::to_string(widths[l]) + "," + std::to_string(widths[l + 1]));
    item("b", std::to_string(widths[l + 1]));
  }
  return text;
}

static std::string manifest(const std::string &level) {
  return R"({"abi":4,"state":[)" + layerState() +
         R"({"path":"/algorithm.learning_rate","dtype":"f32","shape":[],
     "roles":["algorithm_hyperparameter"],
     "init":{"kind":"constant","values":{"value":0.1}},"for":""}],
  "entries":[{"name":"train","symbol":"blocks_entry_train",
    "state":[0,1,2,3,4,5,6],"updates":[0,1,2,3,4,5],
    "sources":[{"name":"features","dtype":"f32","shape":[-1,20],"axes":["batch","feature"]},
               {"name":"targets","dtype":"i32","shape":[-1],"axes":["batch"]}],
    "outputs":[{"name":"cost","dtype":"f32","shape":[],"axes":[],
                "roles":["cost"],"aggregate":"mean"}]}],
  "sites":[],"warnings":[],"model":[],"cpu":")" +
         level + "\"}";
}

static ProgramState makeState() {
  ProgramState state;
  for (int l = 0; l < 3; ++l) {
    state.arrays.push_back(
        filled(DType::Float32, {widths[l], widths[l + 1]}, 0.2, l));
    state.arrays.push_back(filled(DType::Float32, {widths[l + 1]}, 0.1, 7 + l));
  }
  state.arrays.push_back(Array(DType::Float32, {}));
  state.arrays.back().as<float>()[0] = 0.1f;
  return state;
}

using Matrix = std::vector<double>;

/// One step in double, without any cleverness. Returns the cost.
static double stepPlainly(std::vector<Matrix> &state, const Array &x,
                          const Array &y, int64_t batch) {
  std::vector<Matrix> h(4);
  h[0].assign(x.as<float>(), x.as<float>() + batch * widths[0]);
  for (int l = 0; l < 3; ++l) {
    int64_t in = widths[l], out = widths[l + 1];
    h[l + 1].assign(batch * out, 0);
    for (int64_t i = 0; i < batch; ++i)
      for (int64_t j = 0; j < out; ++j) {
        double sum = state[2 * l + 1][j];
        for (int64_t k = 0; k < in; ++k)
          sum += h[l][i * in + k] * state[2 * l][k * out + j];
        h[l + 1][i * out + j] = l < 2 ? std::tanh(sum) : sum;
      }
  }
  Matrix d = h[3];
  double cost = 0;
  for (int64_t i = 0; i < batch; ++i) {
    double sum = 0;
    for (int64_t j = 0; j < 10; ++j)
      sum += std::exp(h[3][i * 10 + j]);
    for (int64_t j = 0; j < 10; ++j) {
      bool right = y.as<int32_t>()[i] == j;
      if (right)
        cost -= (h[3][i * 10 + j] - std::log(sum)) / double(batch);
      d[i * 10 + j] =
          (std::exp(h[3][i * 10 + j]) / sum - right) / double(batch);
    }
  }
  for (int l = 2; l >= 0; --l) {
    int64_t in = widths[l], out = widths[l + 1];
    Matrix below(batch * in, 0), &w = state[2 * l];
    for (int64_t i = 0; i < batch; ++i)
      for (int64_t k = 0; k < in; ++k) {
        double sum = 0, value = h[l][i * in + k];
        for (int64_t j = 0; j < out; ++j)
          sum += d[i * out + j] * w[k * out + j];
        below[i * in + k] = sum * (1 - value * value);
      }
    for (int64_t i = 0; i < batch; ++i)
      for (int64_t j = 0; j < out; ++j) {
        state[2 * l + 1][j] -= 0.1 * d[i * out + j];
        for (int64_t k = 0; k < in; ++k)
          w[k * out + j] -= 0.1 * h[l][i * in + k] * d[i * out + j];
      }
    d = below;
  }
  return cost;
}

static Array makeLabels(int64_t batch) {
  Array labels(DType::Int32, {batch});
  for (int64_t i = 0; i < batch; ++i)
    labels.as<int32_t>()[i] = int32_t((i * 7) % 10);
  return labels;
}

/// Three steps of different batch sizes with one program.
static ProgramState train(Program &program, std::vector<float> &costs) {
  ProgramState state = makeState();
  std::vector<Array> outputs;
  for (int64_t batch : {128, 1, 37}) {
    Array x = filled(DType::Float32, {batch, 20}, 1.0, int(batch)),
          y = makeLabels(batch);
    ArrayView inputs[] = {x.view(), y.view()};
    CHECK(program.run(0, state, inputs, outputs).ok);
    costs.push_back(outputs[0].as<float>()[0]);
  }
  return state;
}

static void checkAgainstPlain(const ProgramState &found,
                              const std::vector<float> &costs) {
  ProgramState start = makeState();
  std::vector<Matrix> state;
  for (int i = 0; i < 6; ++i) {
    const Array &array = start.arrays[i];
    state.emplace_back(array.as<float>(), array.as<float>() + array.size());
  }
  int step = 0;
  for (int64_t batch : {128, 1, 37}) {
    Array x = filled(DType::Float32, {batch, 20}, 1.0, int(batch));
    double cost = stepPlainly(state, x, makeLabels(batch), batch);
    CHECK_NEAR(costs[step++], cost, 2e-6 * cost);
  }
  for (int i = 0; i < 6; ++i)
    for (size_t e = 0; e < state[i].size(); ++e)
      CHECK_NEAR(found.arrays[i].as<float>()[e], state[i][e], 1e-6);
}

static bool isSame(const ProgramState &a, const ProgramState &b) {
  for (size_t i = 0; i < a.arrays.size(); ++i)
    if (std::memcmp(a.arrays[i].as<float>(), b.arrays[i].as<float>(),
                    size_t(a.arrays[i].size()) * sizeof(float)))
      return false;
  return true;
}

static void checkLevel(const std::string &path, const std::string &level,
                       const std::string &required) {
  std::vector<std::byte> object = compileFile(path, level);
  CHECK(object == compileFile(path, level));
  std::vector<float> costs;
  std::unique_ptr<Program> one;
  try {
    one = loadProgram(manifest(required), object, {1});
  } catch (const std::exception &e) {
    std::fprintf(stderr, "%s: not run here: %s\n", level.c_str(), e.what());
    return;
  }
  ProgramState alone = train(*one, costs);
  checkAgainstPlain(alone, costs);
  for (int threads : {2, 5}) {
    std::vector<float> again;
    auto program = loadProgram(manifest(required), object, {threads});
    CHECK(isSame(alone, train(*program, again)));
    CHECK(costs == again);
  }
}

int main(int, char **argv) {
  std::string path = std::string(argv[1]) + "/mlp-step.txt";
  checkLevel(path, "native", "x86-64-v2");
  for (std::string level : {"x86-64-v2", "x86-64-v3", "x86-64-v4"})
    checkLevel(path, level, level);
  return checkSummary();
}
