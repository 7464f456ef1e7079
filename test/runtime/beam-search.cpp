// Beam search against all sequences of a small model, written by hand: the cost
// of an output depends on the sentence, the one before it and the position.
#include "blocks/BeamSearch.h"
#include "blocks/Error.h"
#include "test/Check.h"

#include <algorithm>
#include <cmath>
#include <functional>

using namespace blocks;

namespace {

constexpr int64_t vocabulary = 4, eol = 0;

/// -log p of `next`, normalized over the vocabulary.
double costOf(int64_t sentence, int64_t position, int64_t last, int64_t next) {
  auto weight = [&](int64_t y) {
    return 1 + double((sentence * 7 + position * 5 + last * 11 + y * 13 +
                       y * last * 3) %
                      17);
  };
  double total = 0;
  for (int64_t y = 0; y < vocabulary; ++y)
    total += weight(y);
  return -std::log(weight(next) / total);
}

/// States: the position (batch) and history (time, batch), whose rows are not
/// leading; the context is the sentence's number.
class Model : public Program {
public:
  Model() {
    SourceSpec outputs{"outputs", DType::Int64, {-1}, {"batch"}};
    SourceSpec sentence{"sentence", DType::Int64, {-1}, {"batch"}};
    SourceSpec position{"position", DType::Int64, {2, -1}, {"", "batch"}};
    OutputSpec costs{"costs", DType::Float64, {-1, vocabulary}, {}, {}, {}};
    OutputSpec moved{"position", DType::Int64, {2, -1}, {}, {}, {}};
    theSpec.entries = {
        {"search_start", {sentence}, {moved, costs}, false},
        {"search_step", {sentence, outputs, position}, {costs, moved}, false}};
  }
  const ProgramSpec &spec() const override { return theSpec; }
  ProgramSpec theSpec;
  int64_t rowsRun = 0;
  bool poisoned = false;

  StepStatus run(size_t entry, ProgramState &, std::span<const ArrayView> in,
                 std::vector<Array> &out) override {
    int64_t n = in[0].shape[0];
    rowsRun += n;
    Array &costs = out[entry == 0 ? 1 : 0], &moved = out[entry == 0 ? 0 : 1];
    costs.resize(DType::Float64, {n, vocabulary});
    moved.resize(DType::Int64, {2, n});
    for (int64_t i = 0; i < n; ++i) {
      int64_t sentence = in[0].as<int64_t>()[i];
      int64_t position = entry == 0 ? 0 : in[2].as<int64_t>()[n + i] + 1;
      int64_t last = entry == 0 ? 1 : in[1].as<int64_t>()[i];
      moved.as<int64_t>()[i] = -sentence;
      moved.as<int64_t>()[n + i] = position;
      if (entry == 1)
        CHECK(in[2].as<int64_t>()[i] == -sentence);
      for (int64_t y = 0; y < vocabulary; ++y)
        costs.as<double>()[i * vocabulary + y] =
            poisoned ? NAN : costOf(sentence, position, last, y);
    }
    return {};
  }
};

/// All complete hypotheses, the cheapest first.
std::vector<Hypothesis> enumerate(int64_t sentence,
                                  const BeamSearchOptions &options) {
  std::vector<Hypothesis> all;
  std::function<void(Hypothesis)> go = [&](Hypothesis h) {
    int64_t position = int64_t(h.outputs.size());
    for (int64_t y = 0; y < vocabulary; ++y) {
      Hypothesis next = h;
      next.cost +=
          costOf(sentence, position, position == 0 ? 1 : h.outputs.back(), y);
      next.outputs.push_back(y);
      next.finished = y == eol && !(options.ignoreFirstEol && position == 0);
      next.score = next.cost /
                   std::pow(double(next.outputs.size()), options.lengthPenalty);
      if (next.finished || position + 1 == options.maxLength)
        all.push_back(next);
      else
        go(next);
    }
  };
  go({});
  std::sort(all.begin(), all.end(),
            [](auto &a, auto &b) { return a.score < b.score; });
  return all;
}

std::vector<std::vector<Hypothesis>> search(Model &model,
                                            const BeamSearchOptions &options,
                                            std::vector<int64_t> sentences) {
  ProgramState state;
  ArrayView view{DType::Int64,
                 {int64_t(sentences.size())},
                 reinterpret_cast<const std::byte *>(sentences.data())};
  return BeamSearch(model, state, options).search({{"sentence", view}});
}

/// A beam that holds everything finds what enumeration finds.
void checkExhaustive(double penalty, bool ignoresFirst) {
  BeamSearchOptions options;
  options.beamSize = 300;
  options.maxLength = 4;
  options.lengthPenalty = penalty;
  options.ignoreFirstEol = ignoresFirst;
  Model model;
  auto found = search(model, options, {3, 8, 5});
  CHECK(found.size() == 3);
  for (size_t s = 0; s < 3; ++s) {
    auto all = enumerate(std::vector<int64_t>{3, 8, 5}[s], options);
    CHECK(found[s].size() == all.size());
    for (size_t i = 0; i < all.size(); ++i) {
      CHECK(std::abs(found[s][i].score - all[i].score) < 1e-12);
      CHECK(std::abs(found[s][i].cost - all[i].cost) < 1e-12 ||
            found[s][i].outputs != all[i].outputs);
      CHECK(found[s][i].finished ==
            (found[s][i].outputs.back() == eol &&
             !(ignoresFirst && found[s][i].outputs.size() == 1)));
    }
  }
}

/// Small beams: sorted, complete, with the costs of their outputs, and the same
/// for a sentence alone as among others.
void checkSmall(int64_t beam) {
  BeamSearchOptions options;
  options.beamSize = beam;
  options.maxLength = 6;
  Model model;
  std::vector<int64_t> sentences{1, 2, 3, 4};
  auto together = search(model, options, sentences);
  for (size_t s = 0; s < sentences.size(); ++s) {
    auto alone = search(model, options, {sentences[s]}).front();
    CHECK(int64_t(alone.size()) == beam);
    for (size_t i = 0; i < alone.size(); ++i) {
      const Hypothesis &h = together[s][i];
      CHECK(h.outputs == alone[i].outputs && h.cost == alone[i].cost);
      CHECK(i == 0 || together[s][i - 1].score <= h.score);
      double cost = 0;
      for (size_t t = 0; t < h.outputs.size(); ++t) {
        CHECK((h.outputs[t] == eol) == (t + 1 == h.outputs.size()) ||
              !h.finished);
        cost += costOf(sentences[s], int64_t(t), t == 0 ? 1 : h.outputs[t - 1],
                       h.outputs[t]);
      }
      CHECK(std::abs(cost - h.cost) < 1e-12);
      CHECK(h.finished || h.outputs.size() == 6);
    }
  }
}

template <typename Failure> void checkFails(BeamSearchOptions options) {
  Model model;
  bool failed = false;
  try {
    search(model, options, {1});
  } catch (const Failure &) {
    failed = true;
  }
  CHECK(failed);
}

void checkErrors() {
  BeamSearchOptions wrong;
  wrong.beamSize = 0;
  checkFails<UsageError>(wrong);
  wrong = {};
  wrong.endOfLine = vocabulary;
  checkFails<UsageError>(wrong);
  wrong = {};
  wrong.step = "missing";
  checkFails<InputError>(wrong);
  wrong = {};
  wrong.step = "search_start"; // It does not read what was chosen.
  checkFails<InputError>(wrong);
  wrong = {};
  wrong.lengthPenalty = std::nan("");
  checkFails<UsageError>(wrong);
  Model model;
  model.poisoned = true;
  bool failed = false;
  try {
    search(model, {}, {1});
  } catch (const NumericError &) {
    failed = true;
  }
  CHECK(failed);
}

/// One step of a beam that is finished runs nothing.
void checkRows() {
  BeamSearchOptions options;
  options.beamSize = 1;
  options.maxLength = 1;
  Model model;
  search(model, options, {1, 2});
  CHECK(model.rowsRun == 2);
}

} // namespace

int main() {
  for (double penalty : {0.0, 0.6, 1.0})
    for (bool ignoresFirst : {false, true})
      checkExhaustive(penalty, ignoresFirst);
  for (int64_t beam : {int64_t(1), int64_t(2), vocabulary, vocabulary + 3})
    checkSmall(beam);
  checkErrors();
  checkRows();
  return checkSummary();
}
