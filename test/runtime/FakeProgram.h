// FakeProgram and FakeStream: a program written by hand (linear regression with
// momentum and a dropout mask that depends on seed and step) and a shuffled
// stream in memory, for tests of the training runtime without a compiler.
#pragma once

#include "blocks/Error.h"
#include "blocks/Philox.h"
#include "blocks/Program.h"
#include "fuel/DataStream.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace fake {

using namespace blocks;

constexpr int64_t features = 5;
constexpr int64_t labels = 3;

class Program : public blocks::Program {
public:
  /// Poisons the cost at this step (1-based); 0: never.
  int64_t nanAtStep = 0;

  /// `width` is that of an unused parameter, to make checkpoints large.
  explicit Program(int64_t width = 7) {
    theSpec.state = {
        {"/model/linear.W",
         DType::Float32,
         {features},
         {"weight"},
         {"isotropic_gaussian", {{"std", 0.1}}},
         ""},
        {"/model/linear.b", DType::Float32, {}, {"bias"}, {}, ""},
        {"/model.ballast",
         DType::Float64,
         {width},
         {"parameter"},
         {"uniform", {{"width", 1}}},
         ""},
        {"/algorithm/model/linear/W.velocity",
         DType::Float32,
         {features},
         {"algorithm_buffer"},
         {},
         "/model/linear.W"},
        {"/algorithm.learning_rate",
         DType::Float32,
         {},
         {"algorithm_hyperparameter"},
         {"constant", {{"value", 0.05}}},
         ""},
        {"/algorithm.step", DType::Int64, {}, {"algorithm_state"}, {}, ""},
        {"/algorithm.seed",
         DType::Int64,
         {},
         {"algorithm_state"},
         {"seed", {}},
         ""}};
    std::vector<SourceSpec> sources = {
        {"features", DType::Float32, {-1, features}, {"batch", "feature"}},
        {"targets", DType::Int64, {-1}, {"batch"}}};
    std::vector<OutputSpec> outputs = {
        {"cost", DType::Float32, {}, {"cost"}, Aggregate::Mean, {}},
        {"examples", DType::Int64, {}, {}, Aggregate::Sum, {}},
        {"bias", DType::Float32, {}, {}, Aggregate::Last, {}},
        {"residuals", DType::Float32, {-1}, {}, Aggregate::Last, {"batch"}}};
    theSpec.entries = {{"train", sources, outputs, true},
                       {"eval", sources, outputs, false}};
  }

  const ProgramSpec &spec() const override { return theSpec; }
  ProgramSpec theSpec;

  StepStatus run(size_t entry, ProgramState &state,
                 std::span<const ArrayView> inputs,
                 std::vector<Array> &outputs) override {
    const float *x = inputs[0].as<float>();
    const int64_t *y = inputs[1].as<int64_t>();
    int64_t n = inputs[1].shape[0];
    float *w = state.arrays[0].as<float>(), *b = state.arrays[1].as<float>();
    int64_t &step = *state.arrays[5].as<int64_t>();
    uint64_t seed = *state.arrays[6].as<uint64_t>();
    bool training = entry == 0;
    prepare(outputs, n, *b);
    float *residuals = outputs[3].as<float>(), cost = 0;
    float gradient[features] = {}, biasGradient = 0;
    StepStatus status;
    for (int64_t i = 0; i < n; ++i) {
      float prediction = *b;
      for (int64_t j = 0; j < features; ++j)
        prediction += w[j] * x[i * features + j];
      if (training && philoxBits(seed, 1, uint32_t(step), 0, uint64_t(i)) & 1)
        prediction *= 0.5f;
      if (status.ok && (y[i] < 0 || y[i] >= labels))
        status = {false, "squared_error", "/model", i, y[i], labels};
      float difference = prediction - float(y[i]);
      residuals[i] = difference;
      cost += difference * difference;
      for (int64_t j = 0; j < features; ++j)
        gradient[j] += 2 * difference * x[i * features + j];
      biasGradient += 2 * difference;
    }
    *outputs[0].as<float>() = cost / float(n);
    if (training)
      update(state, gradient, biasGradient, float(n));
    if (training && ++step == nanAtStep)
      *outputs[0].as<float>() = NAN;
    return status;
  }

private:
  static void prepare(std::vector<Array> &outputs, int64_t n, float bias) {
    static const Shape scalar;
    outputs[0].resize(DType::Float32, scalar);
    outputs[1].resize(DType::Int64, scalar);
    outputs[2].resize(DType::Float32, scalar);
    if (outputs[3].shape().size() != 1 || outputs[3].shape()[0] != n)
      outputs[3].resize(DType::Float32, {n});
    *outputs[1].as<int64_t>() = n;
    *outputs[2].as<float>() = bias;
  }
  static void update(ProgramState &state, const float *gradient,
                     float biasGradient, float n) {
    float rate = *state.arrays[4].as<float>();
    float *velocity = state.arrays[3].as<float>();
    for (int64_t j = 0; j < features; ++j) {
      velocity[j] = 0.5f * velocity[j] + rate * gradient[j] / n;
      state.arrays[0].as<float>()[j] -= velocity[j];
    }
    *state.arrays[1].as<float>() -= rate * biasGradient / n;
  }
};

/// Examples i = 0 … size-1 in an order that depends on (seed, epoch).
class Stream : public fuel::DataStream {
public:
  Stream(int64_t size, int64_t batchSize, uint64_t seed)
      : size(size), batchSize(batchSize), seed(seed) {
    infos = {{"features", DType::Float32, {-1, features}, {"batch", "feature"}},
             {"targets", DType::Int64, {-1}, {"batch"}}};
    order.resize(size_t(size));
  }

  int64_t badLabelAt = -1; ///< Example with a label out of range.
  /// Rows of all batches delivered, if set.
  std::vector<int64_t> *history = nullptr;

  const std::vector<fuel::SourceInfo> &sources() const override {
    return infos;
  }
  std::optional<int64_t> batchesPerEpoch() const override {
    return (size + batchSize - 1) / batchSize;
  }
  std::optional<int64_t> examplesPerEpoch() const override { return size; }
  void startEpoch() override {
    ++epoch;
    consumed = 0;
    shuffle();
  }
  bool next(fuel::Batch &batch) override {
    int64_t begin = consumed * batchSize, n = std::min(batchSize, size - begin);
    if (n <= 0)
      return false;
    ++consumed;
    fill(batch, begin, n);
    return true;
  }
  std::string state() const override {
    return "fake " + std::to_string(epoch) + " " + std::to_string(consumed);
  }
  void restore(const std::string &text) override {
    std::istringstream in(text);
    std::string kind;
    if (!(in >> kind >> epoch >> consumed) || kind != "fake")
      throw InputError("'" + text + "' is no state of this stream");
    shuffle();
  }
  std::string fingerprint() const override {
    return "fake " + std::to_string(size) + "/" + std::to_string(batchSize) +
           " seed " + std::to_string(seed);
  }

private:
  void shuffle() {
    for (int64_t i = 0; i < size; ++i)
      order[size_t(i)] = i;
    for (int64_t i = size - 1; i > 0; --i)
      std::swap(order[size_t(i)],
                order[philoxBits(seed, 2, uint32_t(epoch), 0, uint64_t(i)) %
                      uint64_t(i + 1)]);
  }
  void fill(fuel::Batch &batch, int64_t begin, int64_t n) {
    batch.resize(2);
    if (batch.examples != n) {
      batch.sources[0].resize(DType::Float32, {n, features});
      batch.sources[1].resize(DType::Int64, {n});
    }
    batch.examples = n;
    batch.request.assign(order.begin() + begin, order.begin() + begin + n);
    for (int64_t i = 0; i < n; ++i) {
      int64_t row = batch.request[size_t(i)];
      for (int64_t j = 0; j < features; ++j)
        batch.sources[0].as<float>()[i * features + j] =
            philoxUniform(philoxBits(9, 3, 0, uint32_t(row), uint64_t(j)));
      batch.sources[1].as<int64_t>()[i] =
          row == badLabelAt ? labels : row % labels;
    }
    if (history)
      history->insert(history->end(), batch.request.begin(),
                      batch.request.end());
  }

  int64_t size, batchSize;
  uint64_t seed;
  int64_t epoch = 0, consumed = 0;
  std::vector<int64_t> order;
  std::vector<fuel::SourceInfo> infos;
};

} // namespace fake
