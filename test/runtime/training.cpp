// Training with a fake program: rows and events, monitoring, stopping,
// resuming (also with changed options), signals, NaN, bad labels, errors.
#include "test/Check.h"
#include "test/runtime/Trial.h"

#include "blocks/MainLoop.h"
#include "blocks/NpzFile.h"
#include "blocks/Parameters.h"

#include <csignal>
#include <cstring>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void rowsAndEvents() {
  Trial trial("plain");
  trial.options.logEvery = 4;
  trial.options.timesPath = dir / "plain.times";
  trial.options.plotPath = dir / "plain.html";
  CHECK_EQ(trial.run(), 0);
  CHECK_EQ(trial.messages.str(), "");
  CHECK_EQ(trial.recorder.events,
           "epoch 1\ncheckpoint 10\nepoch 2\ncheckpoint 20\nepoch 3\n"
           "checkpoint 30\nend 0 30\n");
  CHECK_EQ(lines(dir / "plain.jsonl"), 3 + 7);
  CHECK_EQ(lines(dir / "plain.times"), 3);
  std::string log = contents(dir / "plain.jsonl");
  CHECK(log.starts_with("{\"iterations\":4,\"epoch\":1,\"values\":{"
                        "\"train/cost\":"));
  // 4 batches of 10; the last epoch row: 95 examples, 23 of the test split.
  CHECK_CONTAINS(log, "\"train/examples\":40,");
  CHECK_CONTAINS(log, "{\"iterations\":10,\"epoch\":1,");
  CHECK_CONTAINS(log, "\"train/examples\":95,");
  CHECK_CONTAINS(log, "\"test/examples\":23,");
  CHECK_CONTAINS(trial.text.str(), "epoch 3/3, 30 batches: train/cost ");
  CHECK_CONTAINS(trial.text.str(), "all epochs done");
  CHECK_CONTAINS(contents(dir / "plain.html"), "<polyline");
  CHECK_EQ(NpzFile(dir / "plain.npz").names().size(), 3u);
}

static void meansWeighExamples() {
  Trial trial("means");
  trial.options.epochs = 1;
  trial.options.logEvery = 1;
  CHECK_EQ(trial.run(), 0);
  // The rows of single batches, weighted by hand, give the epoch's row.
  std::istringstream log(contents(dir / "means.jsonl"));
  std::string line;
  double sum = 0, mean = 0;
  for (int i = 0; std::getline(log, line); ++i) {
    mean = std::stod(line.substr(line.find("train/cost\":") + 12));
    sum += i < 9 ? mean * 10 : i == 9 ? mean * 5 : 0;
  }
  CHECK_EQ(mean, sum / 95);
}

static void resumesAnywhere() {
  Trial whole("whole");
  whole.options.logEvery = 3;
  CHECK_EQ(whole.run(), 0);
  for (int64_t stop : {1, 7, 10, 13, 20, 29}) {
    std::vector<int64_t> rows;
    fs::remove(dir / "part.ckpt");
    fs::remove(dir / "part.ckpt.1");
    for (int64_t total : {stop, int64_t(0)}) {
      Trial part("part");
      part.options.logEvery = 3;
      if (total)
        part.options.batches = total;
      part.options.resume = total == 0;
      CHECK_EQ(part.run(), 0);
      CHECK_EQ(part.messages.str(), "");
      // The batch that was fetched ahead is delivered again.
      size_t size =
          total ? size_t(std::min<int64_t>(total / 10 * 95 + total % 10 * 10,
                                           int64_t(part.rows.size())))
                : part.rows.size();
      rows.insert(rows.end(), part.rows.begin(),
                  part.rows.begin() + int64_t(size));
    }
    CHECK(rows == whole.rows);
    CHECK_EQ(contents(dir / "part.jsonl"), contents(dir / "whole.jsonl"));
    CHECK(contents(dir / "part.npz") == contents(dir / "whole.npz"));
  }
}

static void stopsAtTotals() {
  Trial first("totals");
  first.options.epochs = 2;
  CHECK_EQ(first.run(), 0);
  Trial again("totals");
  again.options.epochs = 2;
  again.options.resume = true;
  CHECK_EQ(again.run(), 0);
  CHECK_EQ(again.rows.size(), 0u);
  CHECK_EQ(again.recorder.events, "end 0 20\n");
  Trial more("totals");
  more.options.resume = true;
  CHECK_EQ(more.run(), 0);
  CHECK_EQ(more.rows.size(), 95u);
  CHECK_EQ(lines(dir / "totals.jsonl"), 3);
}

static void zeroTrainsNothing() {
  Trial none("none");
  none.options.batches = 0;
  CHECK_EQ(none.run(), 0);
  CHECK_EQ(none.rows.size(), 0u);
  CHECK_EQ(none.recorder.events, "end 0 0\n");
  CHECK(fs::exists(dir / "none.npz"));
  Trial epochs("none");
  epochs.options.epochs = 0;
  epochs.options.batches = 5;
  CHECK_EQ(epochs.run(), 0);
  CHECK_EQ(epochs.recorder.events, "end 0 0\n");
}

// A resumed run notices that another model has the same parameters.
static void resumeWithChangedModel() {
  auto attempt = [&](std::vector<ModelPart> model, bool resume, bool allow) {
    Trial next("model");
    next.program.theSpec.model = std::move(model);
    next.options.epochs = 1;
    next.options.resume = resume;
    next.options.allowChangedModel = allow;
    int status = next.run();
    return std::to_string(status) + " " + next.messages.str();
  };
  std::string a(64, 'a'), b(64, 'b');
  CHECK_EQ(attempt({}, false, false), "0 "); // As an earlier version wrote it.
  CHECK_CONTAINS(attempt({{"brick @mlp", a}}, true, false),
                 "0 the checkpoint '" + (dir / "model.ckpt").string() +
                     "' was written by an earlier version");
  CHECK_CONTAINS(attempt({{"brick @mlp", a}, {"graph @cost", a}}, false, false),
                 "0 the checkpoint");
  CHECK_EQ(attempt({{"graph @cost", a}, {"brick @mlp", a}}, true, false), "0 ");
  std::string changed =
      attempt({{"brick @mlp", b}, {"graph @train", a}}, true, false);
  CHECK(changed.starts_with("1 error: the model changed since"));
  CHECK_CONTAINS(changed, "brick @mlp has the hash aaaaaaaaaaaa in the "
                          "checkpoint, bbbbbbbbbbbb in the model file");
  CHECK_CONTAINS(changed, "graph @train is not in the checkpoint");
  CHECK_CONTAINS(changed, "graph @cost is not in the model file");
  CHECK_CONTAINS(changed, "--allow-changed-model");
  CHECK_CONTAINS(attempt({{"brick @mlp", b}}, true, true),
                 "0 the run goes on with a changed model");
}

// State that no memory holds is refused with its path, shape and size.
static void tooLargeState() {
  for (Shape shape :
       {Shape{1000000000, 500000}, Shape{3000000000, 1000000000}}) {
    Trial large("large");
    large.program.theSpec.state[2].shape = shape;
    CHECK_EQ(large.run(), 1);
    CHECK_CONTAINS(large.messages.str(), "'/model.ballast' of shape " +
                                             formatShape(shape) +
                                             " and type f64 alone takes ");
    CHECK_CONTAINS(large.messages.str(), "this machine has ");
  }
  Shape overflowing(2, int64_t(1) << 40);
  CHECK_THROWS(Array(DType::Float32, overflowing),
               "1099511627776x1099511627776");
}

static void resumeWithChangedOptions() {
  Trial first("options");
  first.options.epochs = 1;
  CHECK_EQ(first.run(), 0);
  auto attempt = [&](auto change) {
    Trial next("options");
    next.options.resume = true;
    next.options.epochs = 1;
    change(next);
    int status = next.run();
    return std::to_string(status) + " " + next.messages.str();
  };
  CHECK_CONTAINS(attempt([](Trial &t) { t.options.seed = 2; }),
                 "2 error: cannot resume");
  CHECK_CONTAINS(attempt([](Trial &t) { t.options.seed = 2; }),
                 "--seed was 1, now 2");
  CHECK_CONTAINS(attempt([](Trial &t) { t.options.fixed[0].second = "20"; }),
                 "--batch-size was 10, now 20");
  CHECK_CONTAINS(attempt([](Trial &t) { t.stream = fake::Stream(90, 10, 1); }),
                 "was fake 95/10 seed 1, now fake 90/10 seed 1");
  CHECK_CONTAINS(attempt([](Trial &t) {
                   t.options.hyperparameters["/algorithm.learning_rate"] = .5;
                 }),
                 "'/algorithm.learning_rate' was 0.05 in the checkpoint; "
                 "continuing with 0.5");
  CHECK_EQ(attempt([](Trial &t) {
             t.options.hyperparameters["/algorithm.learning_rate"] = .05;
           }),
           "0 ");
  CHECK_CONTAINS(attempt([](Trial &t) { t.options.hyperparameters["/x"] = 1; }),
                 "2 error: there is no hyperparameter '/x'; there are "
                 "'/algorithm.learning_rate'");
  CHECK_CONTAINS(attempt([](Trial &t) { t.options.platform = "gpu"; }),
                 "the checkpoint is from cpu test, this is gpu");
  CHECK_CONTAINS(attempt([](Trial &t) { t.program = fake::Program(8); }),
                 "'/model.ballast' is f64 7 in the checkpoint, f64 8 in");
  CHECK_EQ(attempt([](Trial &t) {
             t.options.keep = 3;
             t.options.logEvery = 7;
             t.options.checkpointEvery = {0, 5, 0};
           }),
           "0 ");
  CHECK_CONTAINS(
      attempt([](Trial &t) { t.options.logPath = dir / "options2.jsonl"; }),
      "starting");
  fs::copy_file(dir / "options.jsonl", dir / "saved.jsonl",
                fs::copy_options::overwrite_existing);
  std::ofstream(dir / "options.jsonl") << "other\n";
  CHECK_CONTAINS(attempt([](Trial &) {}), "continues it after");
  std::ofstream(dir / "options.jsonl") << std::string(5000, 'x');
  CHECK_CONTAINS(attempt([](Trial &) {}), "is not the one of the run");
  fs::remove(dir / "options.jsonl");
  CHECK_CONTAINS(attempt([](Trial &) {}), "is missing");
  fs::copy_file(dir / "saved.jsonl", dir / "options.jsonl");
  CHECK_EQ(attempt([](Trial &) {}), "0 ");
}

static void usageErrors() {
  auto attempt = [&](auto change) {
    Trial next("usage");
    change(next);
    return std::to_string(next.run()) + " " + next.messages.str();
  };
  CHECK_CONTAINS(attempt([](Trial &t) { t.options.epochs.reset(); }),
                 "2 error: say");
  CHECK_CONTAINS(attempt([](Trial &t) { t.options.batches = -1; }),
                 "2 error: --epochs and --batches take");
  CHECK_CONTAINS(attempt([](Trial &t) { t.options.keep = 0; }), "2 error: at");
  CHECK_CONTAINS(attempt([](Trial &t) {
                   t.options.checkpointPath = "";
                   t.options.resume = true;
                 }),
                 "2 error: --resume needs");
  CHECK_EQ(attempt([](Trial &t) {
             t.program.theSpec.entries[0].outputs[0].name = "penalized";
             t.options.monitor = {"penalized", "cost"};
             t.options.epochs = 1;
           }),
           "0 ");
  CHECK_CONTAINS(contents(dir / "usage.jsonl"), "{\"train/penalized\":");
  CHECK_CONTAINS(contents(dir / "usage.jsonl"), ",\"test/cost\":");
  fs::remove(dir / "usage.npz");
  fs::remove(dir / "usage.ckpt");
  CHECK_CONTAINS(attempt([](Trial &t) { t.options.monitor = {"csot"}; }),
                 "1 error: entry 'train' has no output 'csot' to monitor; it "
                 "has 'cost', 'examples', 'bias'");
  CHECK_CONTAINS(attempt([](Trial &t) { t.options.monitor = {"residuals"}; }),
                 "only scalars");
  CHECK_CONTAINS(
      attempt([](Trial &t) {
        t.program.theSpec.entries[0].sources[0].dtype = DType::UInt8;
      }),
      "source 'features' of 'training stream' delivers f32 ?x5, but entry "
      "'train' expects ui8 ?x5");
  CHECK_CONTAINS(
      attempt([](Trial &t) {
        t.program.theSpec.entries[1].sources[1].name = "labels";
      }),
      "entry 'eval' needs the source 'labels', but 'test' has only 'features', "
      "'targets'");
  CHECK_CONTAINS(attempt([](Trial &t) { t.stream = fake::Stream(0, 10, 1); }),
                 "delivered no batch in epoch 1");
  CHECK_CONTAINS(
      attempt([](Trial &t) { t.options.checkpointPath = "/no/such/x"; }),
      "1 error: cannot write '/no/such/x.tmp-");
  CHECK_CONTAINS(attempt([](Trial &t) { t.options.logPath = "/dev/full"; }),
                 "No space left on device");
  CHECK(!fs::exists(dir / "usage.npz"));
  CHECK_THROWS(parseCheckpointInterval("1day"), "1epoch, 500batches or 10min");
  CHECK_THROWS(parseCheckpointInterval("1.5epochs"), "1.5epochs");
  CHECK_EQ(parseCheckpointInterval("500batches,2.5min").minutes, 2.5);
  CHECK_THROWS(parseOnNan("ignore"), "'stop' or 'continue'");
}

static void nanAndBadLabels() {
  Trial stop("nan");
  stop.options.checkpointEvery = {0, 10, 0};
  stop.program.nanAtStep = 17;
  CHECK_EQ(stop.run(), 1);
  CHECK_CONTAINS(stop.messages.str(),
                 "'cost' is NaN at step 17 (epoch 2, batch 7)");
  CHECK_CONTAINS(stop.recorder.events, "checkpoint 10\nerror ");
  CHECK_CONTAINS(stop.recorder.events, "end 1 17\n");

  Trial go("nan-continue");
  go.program.nanAtStep = 17;
  go.options.onNan = OnNan::Continue;
  CHECK_EQ(go.run(), 0);
  CHECK_CONTAINS(go.messages.str(), "training goes on");
  CHECK_CONTAINS(contents(dir / "nan-continue.jsonl"),
                 "\"train/cost\":\"NaN\"");

  Trial diverged("diverged");
  diverged.options.hyperparameters["/algorithm.learning_rate"] = 1e38;
  diverged.options.checkpointEvery = {0, 1, 0};
  CHECK_EQ(diverged.run(), 1);

  Trial label("label");
  label.options.checkpointEvery = {0, 1, 0};
  label.stream.badLabelAt = 50;
  CHECK_EQ(label.run(), 1);
  CHECK_CONTAINS(label.messages.str(),
                 "has the label 3, but valid labels are 0 "
                 "to 2");
  CHECK_CONTAINS(label.messages.str(), "error: step ");
  Trial again("label");
  again.options.resume = true;
  again.options.checkpointEvery = {0, 1, 0};
  CHECK_EQ(again.run(), 0);
}

/// Raises signals in chosen batches, and notes the callbacks.
class Prober : public Extension {
public:
  std::string calls;
  int64_t failAt = 0;
  std::string name() const override { return "prober"; }
  void afterBatch(MainLoop &loop) override {
    if (loop.status().iterations == failAt)
      throw InputError("batch went wrong");
  }
  void afterTraining(MainLoop &) override { calls += "T"; }
  void onInterrupt(MainLoop &) override { calls += "I"; }
  void onError(MainLoop &, const std::exception &) override {
    calls += "E";
    throw InputError("second failure");
  }
};

/// Raises `signals` when row `at` was read for the first time.
struct SignallingStream : fake::Stream {
  using fake::Stream::Stream;
  int64_t batches = 0, at = 0;
  std::vector<int> signals;
  bool next(fuel::Batch &batch) override {
    bool more = fake::Stream::next(batch);
    if (more && ++batches == at)
      for (int number : signals)
        std::raise(number);
    return more;
  }
};

static void signalsEndCleanly() {
  Trial whole("signal-whole");
  CHECK_EQ(whole.run(), 0);
  struct {
    std::vector<int> signals;
    int status;
    const char *checkpoint;
  } cases[] = {{{SIGINT}, 130, "checkpoint 20\n"},
               {{SIGINT, SIGINT}, 130, "checkpoint 13\n"},
               {{SIGTERM}, 143, "checkpoint 13\n"},
               {{SIGTERM, SIGINT}, 143, "checkpoint 13\n"}};
  for (auto &[numbers, status, checkpoint] : cases) {
    fs::remove(dir / "signal.ckpt");
    Trial trial("signal");
    SignallingStream stream(95, 10, 1);
    stream.at = 13;
    stream.signals = numbers;
    trial.options.checkpointEvery = {};
    CHECK_EQ(train(trial.program, stream, {{"test", &trial.test}},
                   trial.options, trial.recorder, trial.text, trial.messages),
             status);
    CHECK_CONTAINS(trial.recorder.events, checkpoint);
    CHECK_CONTAINS(trial.text.str(), "interrupted by signal");
    Trial rest("signal");
    rest.options.resume = true;
    CHECK_EQ(rest.run(), 0);
    CHECK_EQ(contents(dir / "signal.jsonl"),
             contents(dir / "signal-whole.jsonl"));
    CHECK(contents(dir / "signal.npz") == contents(dir / "signal-whole.npz"));
  }
}

static void thirdSignalKills() {
  pid_t child = fork();
  if (child == 0) {
    Trial trial("third");
    SignallingStream stream(95, 10, 1);
    stream.at = 13;
    stream.signals = {SIGINT, SIGTERM, SIGINT};
    train(trial.program, stream, {}, trial.options, trial.recorder, trial.text,
          trial.messages);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
}

/// A limit on the size of files stands for a full disk.
static void fullDiskKeepsTheLastCheckpoint() {
  Trial first("disk");
  first.program = fake::Program(20000);
  first.options.epochs = 1;
  CHECK_EQ(first.run(), 0);
  std::string good = contents(dir / "disk.ckpt");
  rlimit old;
  getrlimit(RLIMIT_FSIZE, &old);
  rlimit small{100000, old.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  Trial second("disk");
  second.program = fake::Program(20000);
  second.options.resume = true;
  CHECK_EQ(second.run(), 1);
  setrlimit(RLIMIT_FSIZE, &old);
  CHECK_CONTAINS(second.messages.str(), "error: cannot write ");
  CHECK_CONTAINS(second.messages.str(), "disk.ckpt.tmp-");
  CHECK(contents(dir / "disk.ckpt") == good);
  Trial third("disk");
  third.program = fake::Program(20000);
  third.options.resume = true;
  CHECK_EQ(third.run(), 0);
  CHECK_EQ(contents(dir / "disk.jsonl"), contents(dir / "whole-3.jsonl"));
}

static void freshRunReplacesOldCheckpoints() {
  Trial first("fresh-over");
  CHECK_EQ(first.run(), 0);
  CHECK(fs::exists(dir / "fresh-over.ckpt.1"));
  Trial second("fresh-over");
  second.options.epochs = 1;
  CHECK_EQ(second.run(), 0);
  CHECK_CONTAINS(second.messages.str(), "of an earlier run will be replaced");
  CHECK(!fs::exists(dir / "fresh-over.ckpt.1"));
}

/// Notes the moments at which its triggers hold.
class Clockwork : public SimpleExtension {
public:
  using SimpleExtension::SimpleExtension;
  std::string name() const override { return "clockwork"; }
  void act(MainLoop &loop, Moment moment) override {
    calls += (calls.empty() ? "" : " ") + std::to_string(int(moment)) + "@" +
             std::to_string(loop.status().iterations);
    if (loop.status().epochs == 2)
      loop.requestFinish("enough");
  }
  std::string calls;
};

static void triggers() {
  fake::Program program;
  fake::Stream stream(30, 10, 1);
  ProgramState state = makeInitialState(program.spec(), 1);
  std::ostringstream messages;
  MainLoop loop(program, state, stream, messages);
  auto clockwork =
      std::make_unique<Clockwork>(Triggers{.beforeTraining = true,
                                           .beforeFirstEpoch = true,
                                           .afterTraining = true,
                                           .everyEpochs = 2,
                                           .everyBatches = 2,
                                           .fromBatches = 5});
  Clockwork &clock = *clockwork;
  loop.add(std::move(clockwork));
  loop.run();
  CHECK_EQ(clock.calls, "0@0 2@0 4@2 4@4 4@5 4@6 5@6 6@6");
  CHECK_EQ(loop.finishReason(), "enough");
}

static void errorsReachExtensionsOnce() {
  fake::Program program;
  fake::Stream stream(95, 10, 1);
  ProgramState state = makeInitialState(program.spec(), 1);
  std::ostringstream messages;
  MainLoop loop(program, state, stream, messages);
  auto prober = std::make_unique<Prober>();
  Prober &probe = *prober;
  probe.failAt = 7;
  loop.add(std::move(prober));
  CHECK_THROWS(loop.add(std::make_unique<Prober>()), "two extensions");
  CHECK_THROWS(loop.run(), "batch went wrong");
  CHECK_EQ(probe.calls, "E");
  CHECK_CONTAINS(messages.str(), "second failure");
}

static void fallsBackToOlderCheckpoint() {
  Trial first("fallback");
  CHECK_EQ(first.run(), 0);
  fs::path newest = dir / "fallback.ckpt", older = dir / "fallback.ckpt.1";
  CHECK(fs::exists(older) && !fs::exists(dir / "fallback.ckpt.2"));
  std::string good = contents(newest);
  fs::resize_file(newest, 3000);
  Trial second("fallback");
  second.options.resume = true;
  CHECK_EQ(second.run(), 0);
  CHECK_CONTAINS(second.messages.str(), "was it cut off?");
  CHECK_CONTAINS(second.messages.str(), "falling back to '" + older.string());
  CHECK_EQ(contents(dir / "fallback.jsonl"), contents(dir / "whole-3.jsonl"));
  fs::resize_file(newest, 3000);
  fs::resize_file(older, 3000);
  Trial third("fallback");
  third.options.resume = true;
  CHECK_EQ(third.run(), 1);
  CHECK_CONTAINS(third.messages.str(), "no checkpoint to resume from is whole");
  Trial fresh("fresh");
  fresh.options.resume = true;
  CHECK_EQ(fresh.run(), 0);
  CHECK_CONTAINS(fresh.messages.str(), "starting afresh");
}

static void evaluates() {
  Trial trial("evaluate");
  CHECK_EQ(trial.run(), 0);
  std::string log = contents(dir / "evaluate.jsonl");
  for (const char *file : {"evaluate.npz", "evaluate.ckpt"}) {
    Trial other("evaluate");
    EvaluateOptions options;
    options.parametersPath = dir / file;
    options.monitor = {"cost"};
    CHECK_EQ(evaluate(other.program, {{"test", &other.test}}, options,
                      other.recorder, other.text, other.messages),
             0);
    CHECK_EQ(other.recorder.events, "eval test 23\nend 0 0\n");
  }
  Trial bad("evaluate");
  EvaluateOptions options;
  options.parametersPath = dir / "evaluate.jsonl";
  CHECK_EQ(evaluate(bad.program, {{"test", &bad.test}}, options, bad.recorder,
                    bad.text, bad.messages),
           1);
  CHECK_CONTAINS(bad.messages.str(), "neither an NPZ archive nor a checkpoint");
}

static void jsonNumbers() {
  auto text = [](double value, DType dtype) {
    char buffer[40];
    return std::string(buffer, formatJsonNumber({"", value, dtype}, buffer));
  };
  CHECK_EQ(text(double(0.1f), DType::Float32), "0.1");
  CHECK_EQ(text(double(0.1f), DType::Float64), "0.10000000149011612");
  CHECK_EQ(text(3, DType::Int64), "3");
  CHECK_EQ(text(-INFINITY, DType::Float32), "\"-Infinity\"");
}

int main(int, char **argv) {
  dir = argv[1];
  fs::remove_all(dir);
  fs::create_directories(dir);
  jsonNumbers();
  rowsAndEvents();
  meansWeighExamples();
  resumesAnywhere();
  stopsAtTotals();
  zeroTrainsNothing();
  resumeWithChangedModel();
  tooLargeState();
  resumeWithChangedOptions();
  usageErrors();
  nanAndBadLabels();
  signalsEndCleanly();
  thirdSignalKills();
  triggers();
  errorsReachExtensionsOnce();
  Trial three("whole-3");
  CHECK_EQ(three.run(), 0);
  fallsBackToOlderCheckpoint();
  fullDiskKeepsTheLastCheckpoint();
  freshRunReplacesOldCheckpoints();
  evaluates();
  return checkSummary();
}
