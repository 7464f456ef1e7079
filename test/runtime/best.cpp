// The best model: its value in the rows, its checkpoint as PATH.best, the end
// of a training that finds no better one; through resuming and new runs.
#include "test/Check.h"
#include "test/runtime/Trial.h"

#include "blocks/NpzFile.h"
#include "blocks/Parameters.h"
#include "runtime/Checkpoint/CheckpointFile.h"
#include "runtime/Train/BestValue.h"

#include <cmath>

static bool observe(BestValue &best, double value) {
  NamedValue row[] = {{"other", 0}, {"valid/cost", value}};
  return best.observe(row);
}

static void betterValues() {
  BestValue lowest("valid/cost", Choice::Lowest);
  CHECK(!observe(lowest, NAN));
  CHECK(!lowest.best());
  CHECK(observe(lowest, INFINITY));
  CHECK(observe(lowest, 3));
  CHECK(!observe(lowest, 3)); // An equal one is not better.
  CHECK(!observe(lowest, NAN));
  CHECK(observe(lowest, -INFINITY));
  BestValue highest("valid/cost", Choice::Highest);
  CHECK(observe(highest, 3));
  CHECK(!observe(highest, 2));
  CHECK(observe(highest, 4));
  StateRecord record;
  highest.save(record, "x");
  BestValue same("valid/cost", Choice::Highest),
      another("valid/cost", Choice::Lowest);
  same.restore(record, "x");
  CHECK_EQ(same.best()->value, 4);
  another.restore(record, "x");
  CHECK(!another.best());
}

/// The bias of the test program grows or falls from epoch to epoch as told.
struct Scripted : fake::Program {
  std::vector<float> values; ///< Of "bias" when evaluated, by epoch.
  StepStatus run(size_t entry, ProgramState &state,
                 std::span<const ArrayView> inputs,
                 std::vector<Array> &outputs) override {
    StepStatus status = fake::Program::run(entry, state, inputs, outputs);
    size_t epoch = size_t(*state.arrays[5].as<int64_t>() / 10) - 1;
    if (entry == 1)
      *outputs[2].as<float>() = values.at(epoch);
    return status;
  }
};

struct BestTrial : Trial {
  Scripted scripted;
  explicit BestTrial(const std::string &name) : Trial(name) {
    scripted.values = {5, 3, 4, 3, 2, 6, 6, 6, 6, 6};
    options.best = "test/bias";
    options.epochs = 10;
  }
  int run() { return Trial::run(scripted); }
};

static int64_t stepsOf(const fs::path &checkpoint) {
  return readCheckpointRecords(checkpoint).at("loop").getInt("iterations");
}

static void keepsTheBest() {
  BestTrial trial("keeps");
  CHECK_EQ(trial.run(), 0);
  CHECK_EQ(stepsOf(dir / "keeps.ckpt"), 100);
  CHECK_EQ(stepsOf(dir / "keeps.ckpt.best"), 50);
  CHECK_EQ(findCheckpoints(dir / "keeps.ckpt").size(), 2u);
  std::string log = contents(dir / "keeps.jsonl");
  for (const char *row : {"\"best/test/bias\":5}", "\"test/bias\":4,",
                          "\"best/test/bias\":3}", "\"best/test/bias\":2}"})
    CHECK_CONTAINS(log, row);
  // It is a checkpoint like any other.
  EvaluateOptions evaluation;
  evaluation.parametersPath = dir / "keeps.ckpt.best";
  std::ostringstream text, messages;
  CHECK_EQ(evaluate(trial.scripted, {{"test", &trial.test}}, evaluation,
                    trial.recorder, text, messages),
           1); // The script has no epoch -1; the parameters were loaded.
}

static void endsWithoutImprovement() {
  BestTrial trial("patience");
  trial.options.patience = 3;
  CHECK_EQ(trial.run(), 0);
  CHECK_CONTAINS(trial.text.str(), "training ended after 8 epochs, 80 batches: "
                                   "test/bias has not improved for 3 epochs");
  CHECK_EQ(stepsOf(dir / "patience.ckpt"), 80);
  CHECK_EQ(stepsOf(dir / "patience.ckpt.best"), 50);
  BestTrial again("patience");
  again.options.patience = 3;
  again.options.resume = true;
  CHECK_EQ(again.run(), 0);
  CHECK_EQ(again.rows.size(), 0u); // It had ended.
  BestTrial longer("patience");
  longer.options.patience = 4;
  longer.options.resume = true;
  CHECK_EQ(longer.run(), 0);
  CHECK_EQ(longer.rows.size(), 95u);
}

static void resumes() {
  BestTrial whole("whole");
  CHECK_EQ(whole.run(), 0);
  for (int64_t stop : {1, 15, 20, 35, 50, 51}) {
    fs::remove(dir / "part.ckpt");
    fs::remove(dir / "part.ckpt.1");
    fs::remove(dir / "part.ckpt.best");
    for (bool resume : {false, true}) {
      BestTrial part("part");
      part.options.resume = resume;
      if (!resume)
        part.options.batches = stop;
      CHECK_EQ(part.run(), 0);
    }
    CHECK_EQ(contents(dir / "part.jsonl"), contents(dir / "whole.jsonl"));
    CHECK_EQ(stepsOf(dir / "part.ckpt.best"), 50);
  }
}

// Another value, or the other end of it, has no best yet.
static void anotherBest() {
  BestTrial first("another");
  first.options.epochs = 2;
  CHECK_EQ(first.run(), 0);
  BestTrial second("another");
  second.options.resume = true;
  second.options.chooseBest = "highest";
  CHECK_EQ(second.run(), 0);
  CHECK_CONTAINS(second.messages.str(),
                 "the checkpoint's best was the lowest test/bias; the best "
                 "test/bias is found anew");
  CHECK_EQ(stepsOf(dir / "another.ckpt.best"), 60);
}

// The best of an earlier run under this name is not this run's.
static void newRunsForgetTheBest() {
  BestTrial first("again");
  CHECK_EQ(first.run(), 0);
  BestTrial second("again");
  second.options.batches = 5;
  CHECK_EQ(second.run(), 0);
  CHECK(!fs::exists(dir / "again.ckpt.best"));
}

static void refused() {
  auto attempt = [](auto change) {
    BestTrial trial("refused");
    change(trial.options);
    int status = trial.run();
    return std::to_string(status) + " " + trial.messages.str();
  };
  CHECK_CONTAINS(attempt([](TrainOptions &o) { o.best = "valid/cost"; }),
                 "2 error: 'valid/cost' of --best is not monitored; there are "
                 "train/cost, train/examples, train/bias, test/cost, "
                 "test/examples or test/bias");
  CHECK_CONTAINS(attempt([](TrainOptions &o) { o.chooseBest = "last"; }),
                 "2 error: the best value is the 'lowest' or the 'highest'");
  CHECK_CONTAINS(attempt([](TrainOptions &o) {
                   o.best.clear();
                   o.patience = 2;
                 }),
                 "2 error: --patience needs --best");
  CHECK(!fs::exists(dir / "refused.ckpt"));
}

int main(int, char **argv) {
  dir = argv[1];
  for (auto &entry : fs::directory_iterator(dir))
    fs::remove(entry);
  betterValues();
  keepsTheBest();
  endsWithoutImprovement();
  resumes();
  anotherBest();
  newRunsForgetTheBest();
  refused();
  return checkSummary();
}
