// Other forms of entries through machine code: a loop over time, functions in
// f64 and f32, no rows at all.
#include "test/lib/JIT/JitTest.h"

#include <cmath>

using namespace blocks;

static std::vector<float> runRecurrent(const std::string &folder, int threads,
                                       int64_t steps, int64_t batch) {
  static const std::vector<std::byte> object =
      compileFile(folder + "/recurrent.txt", "native");
  auto program = loadProgram(
      R"({"abi":4,"state":[{"path":"/rnn.W","dtype":"f32","shape":[30,30],
    "roles":["weight"],"init":{"kind":"constant","values":{"value":0}},"for":""}],
  "entries":[{"name":"last","symbol":"blocks_entry_last","state":[0],"updates":[],
    "sources":[{"name":"x","dtype":"f32","shape":[-1,-1,30],"axes":["time","batch","feature"]}],
    "outputs":[{"name":"y","dtype":"f32","shape":[-1,30],"axes":["batch",""],
                "roles":["output"],"aggregate":"last"}]}],
  "sites":[],"warnings":[],"model":[],"cpu":"x86-64-v2"})",
      object, {threads});
  ProgramState state;
  state.arrays.push_back(filled(DType::Float32, {30, 30}, 0.3, 1));
  Array x = filled(DType::Float32, {steps, batch, 30}, 1.0, 2);
  ArrayView inputs[] = {x.view()};
  std::vector<Array> outputs;
  CHECK(program->run(0, state, inputs, outputs).ok);
  CHECK_EQ(outputs[0].size(), batch * 30);

  const float *w = state.arrays[0].as<float>();
  std::vector<double> h(batch * 30, 0.0);
  for (int64_t t = 0; t < steps; ++t) {
    std::vector<double> next(batch * 30);
    for (int64_t i = 0; i < batch; ++i)
      for (int64_t j = 0; j < 30; ++j) {
        double sum = x.as<float>()[(t * batch + i) * 30 + j];
        for (int64_t k = 0; k < 30; ++k)
          sum += h[i * 30 + k] * w[k * 30 + j];
        next[i * 30 + j] = std::tanh(sum);
      }
    h = next;
  }
  for (int64_t i = 0; i < batch * 30; ++i)
    CHECK_NEAR(outputs[0].as<float>()[i], h[i], 2e-5);
  return {outputs[0].as<float>(), outputs[0].as<float>() + batch * 30};
}

static void checkRecurrent(const std::string &folder) {
  for (auto [steps, batch] :
       {std::pair<int64_t, int64_t>{7, 5}, {1, 1}, {20, 200}, {0, 3}})
    CHECK(runRecurrent(folder, 1, steps, batch) ==
          runRecurrent(folder, 3, steps, batch));
}

static std::string functionsManifest() {
  auto entry = [](const std::string &name, const std::string &shape) {
    return "{\"name\":\"" + name + "\",\"symbol\":\"blocks_entry_" + name +
           "\",\"state\":[],\"updates\":[],\"sources\":[{\"name\":\"x\","
           "\"dtype\":\"" +
           name +
           "\",\"shape\":[-1],\"axes\":[\"n\"]}],\"outputs\":[{\"name\":\"y\","
           "\"dtype\":\"" +
           name + "\",\"shape\":[-1" + shape + "],\"axes\":[\"n\"" +
           (shape.empty() ? "" : ",\"\"") +
           "],\"roles\":[\"output\"],\"aggregate\":\"last\"}]}";
  };
  return "{\"abi\":4,\"state\":[],\"entries\":[" + entry("f64", "") + "," +
         entry("f32", ",6") +
         "],\"sites\":[],\"warnings\":[],\"model\":[],\"cpu\":\"x86-64-v2\"}";
}

static void checkF64(Program &program) {
  ProgramState state;
  Array x = filled(DType::Float64, {1000}, 3.0, 3);
  ArrayView inputs[] = {x.view()};
  std::vector<Array> outputs;
  CHECK(program.run(0, state, inputs, outputs).ok);
  for (int64_t i = 0; i < 1000; ++i) {
    double a = std::exp(x.as<double>()[i]);
    double d = std::erf(std::tanh(std::log1p(a)));
    double expected =
        std::pow(a, std::cos(std::expm1(d))) + std::sin(std::log(a));
    CHECK_NEAR(outputs[0].as<double>()[i], expected,
               1e-13 * (1 + std::fabs(expected)));
  }
}

/// The stated accuracy of the polynomials, in units of the last place.
static void checkUlps(const char *name, float found, double expected,
                      double ulps) {
  double unit = std::ldexp(1.0, std::ilogb(float(expected)) - 23);
  if (!(std::fabs(found - expected) <= ulps * unit))
    checkFailed(__FILE__, __LINE__,
                std::string(name) + " is " + std::to_string(found) +
                    ", expected " + std::to_string(expected));
}

static void checkF32(Program &program) {
  ProgramState state;
  Array x = filled(DType::Float32, {40000}, 8.0, 4);
  ArrayView inputs[] = {x.view()};
  std::vector<Array> outputs;
  CHECK(program.run(1, state, inputs, outputs).ok);
  const float *y = outputs[0].as<float>();
  for (int64_t i = 0; i < 40000; ++i, y += 6) {
    double v = x.as<float>()[i];
    checkUlps("exp", y[0], std::exp(v), 2);
    if (std::fabs(std::fabs(v) - 1) > 0.01)
      checkUlps("log", y[1], std::log(std::fabs(v)), 2);
    checkUlps("tanh", y[2], std::tanh(v), 6);
    checkUlps("erf", y[3], std::erf(v), 6);
    checkUlps("log1p", y[4], std::log1p(std::fabs(v)), 4);
    checkUlps("sin", y[5], std::sin(v), 1);
  }
}

/// No polynomial may hide a value that is not a number: training stops by it.
static void checkNotANumber(Program &program) {
  ProgramState state;
  Array x(DType::Float32, {17});
  for (int64_t i = 0; i < 17; ++i)
    x.as<float>()[i] = std::nanf("");
  ArrayView inputs[] = {x.view()};
  std::vector<Array> outputs;
  CHECK(program.run(1, state, inputs, outputs).ok);
  for (int64_t i = 0; i < 17 * 6; ++i)
    CHECK(std::isnan(outputs[0].as<float>()[i]));
}

int main(int, char **argv) {
  std::string folder = argv[1];
  checkRecurrent(folder);
  for (std::string level : {"native", "x86-64-v2"}) {
    auto program =
        loadProgram(functionsManifest(),
                    compileFile(folder + "/functions.txt", level), {2});
    checkF64(*program);
    checkF32(*program);
    checkNotANumber(*program);
  }
  return checkSummary();
}
