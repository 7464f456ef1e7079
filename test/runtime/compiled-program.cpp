// CompiledProgram over a hand-written manifest and object: results, errors,
// reports, the plan's event, and that a steady run allocates nothing.
#include "test/Check.h"
#include "test/runtime/TestProgram.h"

#include "blocks/CompiledProgram.h"

#include <atomic>
#include <cstdlib>
#include <new>

using namespace blocks;

// Every allocation of the process, counted.
static std::atomic<int64_t> allocations{0};
void *operator new(size_t bytes) {
  ++allocations;
  if (void *p = std::malloc(bytes ? bytes : 1))
    return p;
  throw std::bad_alloc();
}
void operator delete(void *p) noexcept { std::free(p); }
void operator delete(void *p, size_t) noexcept { std::free(p); }

static Array ramp(Shape shape) {
  Array array(DType::Float32, std::move(shape));
  for (int64_t i = 0; i < array.size(); ++i)
    array.as<float>()[i] = float(i);
  return array;
}

static ProgramState makeState() {
  ProgramState state;
  state.arrays.push_back(ramp({3, 2}));
  return state;
}

static void checkResults(Program &program) {
  ProgramState state = makeState();
  std::vector<Array> outputs;
  Array x = ramp({5, 3});
  ArrayView inputs[] = {x.view()};
  StepStatus status = program.run(0, state, inputs, outputs);
  CHECK(status.ok);
  CHECK_EQ(formatShape(outputs.at(0).shape()), "5x2");
  for (int64_t i = 0; i < 5; ++i)
    for (int64_t j = 0; j < 2; ++j) {
      float expected = 0;
      for (int64_t p = 0; p < 3; ++p)
        expected += float(i * 3 + p) * float(p * 2 + j);
      CHECK_EQ(outputs[0].as<float>()[i * 2 + j], expected);
    }
  CHECK_EQ(state.arrays[0].as<float>()[5], 5.0f * 11); // factors[5]
}

static void checkSteady(Program &program) {
  ProgramState state = makeState();
  std::vector<Array> outputs;
  Array large = ramp({64, 3}), small = ramp({17, 3});
  ArrayView first[] = {large.view()}, second[] = {small.view()};
  program.run(0, state, first, outputs);
  program.run(0, state, second, outputs);
  int64_t before = allocations;
  for (int i = 0; i < 100; ++i)
    program.run(0, state, i % 2 ? first : second, outputs);
  CHECK_EQ(allocations - before, 0);
}

static void checkPlans(Program &program) {
  std::vector<MemoryPlan> plans;
  program.onPlan = [&](const MemoryPlan &plan) { plans.push_back(plan); };
  ProgramState state = makeState();
  std::vector<Array> outputs;
  for (int64_t rows : {200, 100, 200, 300}) {
    Array x = ramp({rows, 3});
    ArrayView inputs[] = {x.view()};
    program.run(0, state, inputs, outputs);
  }
  CHECK_EQ(plans.size(), size_t(2));
  CHECK_EQ(plans.at(1).entry, "train");
  CHECK_EQ(plans[1].shapes["batch"], 300);
  CHECK_EQ(plans[1].bytes, 300 * 2 * 4);
  program.onPlan = nullptr;
}

static void checkReports(Program &program) {
  ProgramState state = makeState();
  std::vector<Array> outputs;
  Array x = ramp({4, 3});
  x.as<float>()[3] = -7;
  x.as<float>()[9] = -8;
  ArrayView inputs[] = {x.view()};
  StepStatus status = program.run(1, state, inputs, outputs);
  CHECK(!status.ok);
  CHECK_EQ(status.row, 1);
  CHECK_EQ(status.value, -7);
  CHECK_EQ(status.brick, "/softmax");
  CHECK_CONTAINS(status.message(), "row 1 of the batch has the label -7");
  x.as<float>()[3] = x.as<float>()[9] = 1;
  CHECK(program.run(1, state, inputs, outputs).ok);
}

static void checkErrors(Program &program) {
  ProgramState state = makeState();
  std::vector<Array> outputs;
  auto run = [&](DType dtype, Shape shape) {
    Array x = Array::zeros(dtype, std::move(shape));
    ArrayView inputs[] = {x.view()};
    program.run(0, state, inputs, outputs);
  };
  CHECK_THROWS(
      run(DType::Float32, {100, 784}),
      "source 'features' has shape 100x784, entry 'train' expects ?x3");
  CHECK_THROWS(run(DType::Float32, {3}), "has shape 3, entry 'train'");
  CHECK_THROWS(run(DType::UInt8, {4, 3}),
               "has elements of type ui8, entry 'train' expects f32");
  CHECK_THROWS(program.run(0, state, {}, outputs), "has 1 sources");
  CHECK_THROWS(program.run(7, state, {}, outputs), "entry number 7");
  state.arrays[0] = ramp({2, 2});
  CHECK_THROWS(run(DType::Float32, {4, 3}), "'/w.W' has shape 2x2");
}

static void checkNoRows(Program &program) {
  ProgramState state = makeState();
  std::vector<Array> outputs;
  Array x = ramp({0, 3});
  ArrayView inputs[] = {x.view()};
  CHECK(program.run(0, state, inputs, outputs).ok);
  CHECK_EQ(formatShape(outputs.at(0).shape()), "0x2");
}

/// The evaluation entry wants two rows or more.
static void checkRequirements(const std::vector<std::byte> &object) {
  std::string manifest = testManifest;
  std::string from = "\"updates\":[],";
  manifest.replace(manifest.find(from), from.size(),
                   from + "\"requirements\":[{\"formula\":\"(batch - 2)\","
                          "\"text\":\"a slice takes 2 rows\"}],");
  auto program = loadProgram(manifest, object);
  ProgramState state = makeState();
  std::vector<Array> outputs;
  for (int64_t rows : {2, 1, 3}) {
    Array x = ramp({rows, 3});
    ArrayView inputs[] = {x.view()};
    if (rows > 1)
      CHECK(program->run(1, state, inputs, outputs).ok);
    else
      CHECK_THROWS(program->run(1, state, inputs, outputs),
                   "entry 'eval' does not take these data: a slice takes 2 "
                   "rows, which is not possible where batch = 1");
  }
}

/// Replaces a part of the manifest, which must then be refused.
static void checkManifest(const std::vector<std::byte> &object,
                          const std::string &from, const std::string &to,
                          const std::string &message) {
  std::string manifest = testManifest;
  size_t at = manifest.find(from);
  CHECK(at != std::string::npos);
  manifest.replace(at, from.size(), to);
  CHECK_THROWS(loadProgram(manifest, object), message);
}

int main(int argc, char **argv) {
  auto object = readBytes(argv[2]);
  for (int threads : {1, 2, 5}) {
    auto program = loadProgram(testManifest, object, {threads});
    CHECK_EQ(program->spec().entries.size(), size_t(2));
    CHECK(program->spec().entries[0].updatesState);
    CHECK_EQ(program->spec().warnings.at(0), "a note");
    checkResults(*program);
    checkSteady(*program);
    checkPlans(*program);
    checkReports(*program);
    checkErrors(*program);
    checkNoRows(*program);
  }
  checkRequirements(object);
  checkManifest(object, "\"updates\":[],",
                "\"updates\":[],\"requirements\":[{\"formula\":\"(time - "
                "2)\",\"text\":\"\"}],",
                "has '(time - 2)', which is no formula of the sources' axes");
  checkManifest(object, "\"abi\":4", "\"abi\":7", "is of version 7");
  checkManifest(object, "blocks_entry_eval", "blocks_entry_none",
                "has no function 'blocks_entry_none'");
  checkManifest(object, "x86-64-v2", "x86-64-v9", "level 'x86-64-v9'");
  checkManifest(object, "\"dtype\":\"f32\"", "\"dtype\":\"f33\"",
                "'state[0].dtype'");
  checkManifest(object, "[3,2]", "[-1,2]", "'state[0].shape'");
  checkManifest(object, "[3,2]", "[4611686018427387904,4]", "is too large");
  checkManifest(object, "\"state\":[0]", "\"state\":[1]", "'entries[0].state'");
  checkManifest(object, "\"updates\":[]", "\"updates\":[0]", "'state' has not");
  checkManifest(object, "[\"batch\",\"\"]", "[\"time*batch\",\"\"]",
                "axis 'time*batch', which no source has");
  checkManifest(object, "\"cpu\"", "\"gpu\"", "'cpu' is missing");
  checkManifest(object, "\"for\":\"\"", "\"for\":\"\",\"x\":1", "is unknown");
  checkManifest(object, "]}", "]", "is not JSON");
  return checkSummary();
}
