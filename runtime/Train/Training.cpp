// train and evaluate: see include/blocks/Training.h. Errors become a message
// and an exit status here; a training is set up in TrainingRun.
#include "blocks/Training.h"

#include "blocks/Error.h"
#include "blocks/Parameters.h"
#include "runtime/Train/Extensions/DataStreamMonitoring.h"
#include "runtime/Train/Extensions/Printing.h"
#include "runtime/Train/Monitored.h"
#include "runtime/Train/TrainingRun.h"

#include <chrono>

namespace blocks {

namespace {
/// Runs `action`, which returns a status, and turns an error into one.
template <typename Action>
int guarded(Action action, EventSink &events, std::ostream &messages) {
  try {
    return action();
  } catch (const Error &error) {
    messages << "error: " << error.what() << std::endl;
    events.error(error.what());
    return error.exitStatus();
  } catch (const std::bad_alloc &) {
    constexpr const char *what = "not enough memory; use a smaller batch";
    messages << "error: " << what << std::endl;
    events.error(what);
  } catch (const std::exception &error) {
    messages << "error: " << error.what() << std::endl;
    events.error(error.what());
  }
  return 1;
}

double secondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
      .count();
}

void evaluateOn(Program &program, ProgramState &state,
                const NamedStream &stream, const EvaluateOptions &options,
                EventSink &events, std::ostream &text) {
  const ProgramSpec &spec = program.spec();
  const EntrySpec &eval = spec.entries[findEntryIndex(spec, "eval")];
  DataStreamMonitoring monitoring(program, *stream.stream, stream.name,
                                  monitored(spec, eval, options.monitor));
  std::vector<NamedValue> row;
  int64_t examples = monitoring.evaluate(state, row);
  text << stream.name << " (" << examples << " examples): " << formatValues(row)
       << std::endl;
  events.eval(stream.name, examples, row);
}
} // namespace

int train(Program &program, fuel::DataStream &stream,
          const std::vector<NamedStream> &valid, const TrainOptions &options,
          EventSink &events, std::ostream &text, std::ostream &messages) {
  auto begin = std::chrono::steady_clock::now();
  TrainingRun run(program, stream, valid, options, events, text, messages);
  auto action = [&] {
    int signal = run.run();
    return signal ? InterruptSignals::exitStatus(signal) : 0;
  };
  int status = guarded(action, events, messages);
  program.onPlan = nullptr;
  events.end(status, run.iterations(), secondsSince(begin));
  return status;
}

int evaluate(Program &program, const std::vector<NamedStream> &streams,
             const EvaluateOptions &options, EventSink &events,
             std::ostream &text, std::ostream &messages) {
  auto begin = std::chrono::steady_clock::now();
  auto action = [&] {
    program.onPlan = [&](const MemoryPlan &plan) { events.plan(plan); };
    ProgramState state = makeInitialState(program.spec(), options.seed);
    if (options.parametersPath.empty())
      messages << "no --parameters: evaluating the initial values of seed "
               << options.seed << std::endl;
    else
      loadParameters(program.spec(), state, options.parametersPath);
    for (const NamedStream &stream : streams)
      evaluateOn(program, state, stream, options, events, text);
    return 0;
  };
  int status = guarded(action, events, messages);
  program.onPlan = nullptr;
  events.end(status, 0, secondsSince(begin));
  return status;
}

} // namespace blocks
