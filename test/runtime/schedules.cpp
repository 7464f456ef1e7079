// Schedules: their values against the formulas, in the state that the program
// sees, and through resuming; and what is refused.
#include "test/Check.h"
#include "test/runtime/Trial.h"

#include "runtime/Train/Schedule.h"

#include <cmath>

/// The factor after so many batches and epochs.
static double factor(const std::string &text, int64_t batches,
                     int64_t epochs = 0) {
  LoopStatus status;
  status.iterations = batches;
  status.epochs = epochs;
  return makeSchedule(parseNamedCalls(text).at(0))->factor(status);
}

static void near(double found, double expected) {
  CHECK(std::fabs(found - expected) <= 1e-12);
}

static void formulas() {
  near(factor("step(every=100batches, factor=0.5)", 99), 1);
  near(factor("step(every=100batches, factor=0.5)", 100), 0.5);
  near(factor("step(every=2epochs)", 999, 5), 0.01);
  near(factor("exponential(every=1epoch, factor=0.9)", 7, 3), 0.729);
  near(factor("exponential(every=2batches, factor=0.25)", 1), 0.5);
  near(factor("linear(over=10batches, to=0.2)", 5), 0.6);
  near(factor("linear(over=10batches)", 25), 0);
  near(factor("cosine(over=10epochs)", 0, 0), 1);
  near(factor("cosine(over=12epochs)", 0, 4), 0.75); // cos(60°) is 1/2.
  near(factor("cosine(over=10epochs, to=0.1)", 0, 5), 0.55);
  near(factor("cosine(over=10epochs, to=0.1)", 0, 11), 0.1);
  near(factor("inverse_sqrt(over=4000batches)", 3999), 1);
  near(factor("inverse_sqrt(over=4000batches)", 16000), 0.5);
  near(factor("warmup(over=4batches)", 0), 0.25);
  near(factor("warmup(over=4batches)", 2), 0.75);
  near(factor("warmup(over=4batches)", 3), 1);
  near(factor("warmup(over=4batches)", 400), 1);
}

/// The learning rates of a run's steps, seen by its program.
struct RateTrial : Trial {
  struct Watching : fake::Program {
    std::vector<float> rates;
    StepStatus run(size_t entry, ProgramState &state,
                   std::span<const ArrayView> inputs,
                   std::vector<Array> &outputs) override {
      if (entry == 0)
        rates.push_back(*state.arrays[4].as<float>());
      return fake::Program::run(entry, state, inputs, outputs);
    }
  };
  Watching watching;
  explicit RateTrial(const std::string &name, const std::string &schedule)
      : Trial(name) {
    options.schedule = schedule;
  }
  int run() { return Trial::run(watching); }
};

static void inTheState() {
  RateTrial trial("state", "warmup(over=4batches), exponential(every=1epoch, "
                           "factor=0.5)");
  CHECK_EQ(trial.run(), 0);
  std::vector<float> expected;
  for (int step = 0; step < 30; ++step)
    expected.push_back(float(double(0.05f) * std::min((step + 1) / 4.0, 1.0) *
                             std::pow(0.5, step / 10)));
  CHECK(trial.watching.rates == expected);
  CHECK_CONTAINS(contents(dir / "state.jsonl"),
                 "\"schedule/learning_rate\":0.0125}");
}

static void severalHyperparameters() {
  RateTrial trial("several", "step(every=1epoch), "
                             "step(every=1epoch, for=\"/algorithm.decay\")");
  trial.watching.theSpec.state.push_back({"/algorithm.decay",
                                          DType::Float64,
                                          {},
                                          {"algorithm_hyperparameter"},
                                          {"constant", {{"value", 3}}},
                                          ""});
  CHECK_EQ(trial.run(), 0);
  CHECK_CONTAINS(contents(dir / "several.jsonl"),
                 "\"schedule/learning_rate\":5e-04,\"schedule/decay\":0.0300");
}

/// Stopped anywhere, a resumed run has the bits of an uninterrupted one; the
/// plateau's patience too.
static void resumes() {
  std::string schedule = "warmup(over=15batches), plateau(of=\"train/cost\", "
                         "factor=0.5, patience=1, choose=highest)";
  RateTrial whole("whole", schedule);
  whole.options.epochs = 6;
  CHECK_EQ(whole.run(), 0);
  // The cost goes down, so nothing is higher than at first.
  CHECK_CONTAINS(contents(dir / "whole.jsonl"),
                 "\"schedule/learning_rate\":0.003125}");
  for (int64_t stop : {1, 10, 25, 40, 59}) {
    fs::remove(dir / "part.ckpt");
    fs::remove(dir / "part.ckpt.1");
    for (bool resume : {false, true}) {
      RateTrial part("part", schedule);
      part.options.epochs = 6;
      part.options.resume = resume;
      if (!resume)
        part.options.batches = stop;
      CHECK_EQ(part.run(), 0);
      CHECK_EQ(part.messages.str(), "");
    }
    CHECK_EQ(contents(dir / "part.jsonl"), contents(dir / "whole.jsonl"));
    CHECK(contents(dir / "part.npz") == contents(dir / "whole.npz"));
  }
}

/// Another schedule, or another value under it, is used and announced.
static void changes() {
  RateTrial first("changes", "step(every=1epoch)");
  first.options.epochs = 2;
  CHECK_EQ(first.run(), 0);
  RateTrial again("changes", "step(every=1epoch, factor=1)");
  again.options.resume = true;
  again.options.hyperparameters["/algorithm.learning_rate"] = 0.5;
  CHECK_EQ(again.run(), 0);
  CHECK_CONTAINS(again.messages.str(),
                 "the schedule was 'step(every=1epoch)' in the checkpoint; "
                 "continuing with 'step(every=1epoch, factor=1)'");
  CHECK_CONTAINS(again.messages.str(),
                 "'/algorithm.learning_rate' had the schedule of 0.05 in the "
                 "checkpoint; continuing with that of 0.5");
  CHECK_EQ(again.watching.rates.at(0), 0.5f);
}

static void refused() {
  auto attempt = [](const std::string &schedule) {
    RateTrial trial("refused", schedule);
    int status = trial.run();
    return std::to_string(status) + " " + trial.messages.str();
  };
  CHECK_CONTAINS(attempt("cosin(over=1epoch)"),
                 "2 error: there is no schedule 'cosin'; there are cosine, ");
  CHECK_CONTAINS(attempt("cosine()"), "2 error: the schedule 'cosine' needs "
                                      "over=…, for example over=10epochs");
  CHECK_CONTAINS(attempt("cosine(over=10)"),
                 "2 error: '10' is no duration; write for example 500batches");
  CHECK_CONTAINS(attempt("cosine(over=0epochs)"), "2 error: '0epochs' is no");
  CHECK_CONTAINS(attempt("step(every=1epoch, factor=-1)"),
                 "takes a number from 0 for factor, found -1");
  CHECK_CONTAINS(attempt("step(every=1epoch, gamma=1)"),
                 "step has no option 'gamma'; it takes every or factor");
  CHECK_CONTAINS(attempt("step(every=1epoch, for=momentum)"),
                 "there is no hyperparameter 'momentum'; there are "
                 "'/algorithm.learning_rate'");
  CHECK_CONTAINS(attempt("plateau(of=\"valid/cost\")"),
                 "2 error: 'valid/cost' of --schedule is not monitored; there "
                 "are train/cost, ");
  CHECK_CONTAINS(attempt("plateau(of=\"test/cost\", patience=0)"),
                 "whole number of epochs from 1 for patience");
  CHECK_CONTAINS(attempt("plateau(of=\"test/cost\", choose=best)"),
                 "is the 'lowest' or the 'highest', not 'best'");
}

int main(int, char **argv) {
  dir = argv[1];
  formulas();
  inTheState();
  severalHyperparameters();
  resumes();
  changes();
  refused();
  return checkSummary();
}
