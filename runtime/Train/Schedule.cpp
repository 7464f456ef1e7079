// The schedules: see Schedule.h.
#include "runtime/Train/Schedule.h"

#include "blocks/Error.h"
#include "runtime/Train/BestValue.h"

#include <charconv>
#include <cmath>
#include <functional>
#include <numbers>

namespace blocks {

Duration parseDuration(const std::string &text) {
  int64_t count = 0;
  const char *end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, count);
  std::string_view unit(rest, size_t(end - rest));
  bool epochs = unit == "epoch" || unit == "epochs",
       batches = unit == "batch" || unit == "batches";
  if (error != std::errc() || count < 1 || !(epochs || batches))
    throw UsageError("'" + text +
                     "' is no duration; write for example 500batches or "
                     "10epochs");
  return {count, epochs};
}

double Duration::passed(const LoopStatus &status) const {
  return double(inEpochs ? status.epochs : status.iterations) / double(count);
}

namespace {
/// A function of the number of durations that are over.
class Timed : public Schedule {
public:
  using Function = std::function<double(double)>;
  Timed(Duration duration, Function function)
      : duration(duration), function(std::move(function)) {}
  double factor(const LoopStatus &status) const override {
    return function(duration.passed(status));
  }

private:
  Duration duration;
  Function function;
};

/// The one that looks at results.
class Plateau : public Schedule {
public:
  Plateau(BestValue best, double factor, int64_t patience)
      : best(std::move(best)), step(factor), patience(patience) {}

  double factor(const LoopStatus &) const override {
    return std::pow(step, double(steps));
  }
  std::string watched() const override { return best.name(); }
  void endEpoch(std::span<const NamedValue> row) override {
    if (best.observe(row)) {
      waited = 0;
    } else if (++waited >= patience) {
      ++steps;
      waited = 0;
    }
  }
  void save(StateRecord &record, const std::string &prefix) const override {
    best.save(record, prefix + " best");
    record.setInt(prefix + " waited", waited);
    record.setInt(prefix + " steps", steps);
  }
  void restore(const StateRecord &record, const std::string &prefix) override {
    if (!record.has(prefix + " steps"))
      return; // Another schedule stood here.
    best.restore(record, prefix + " best");
    waited = record.getInt(prefix + " waited");
    steps = record.getInt(prefix + " steps");
  }

private:
  BestValue best;
  double step;
  int64_t patience, waited = 0, steps = 0;
};

const std::string &textOf(const NamedCall &call, const char *option,
                          const char *example) {
  const CallArgument *argument = call.find(option);
  if (!argument)
    throw UsageError("the schedule '" + call.name + "' needs " + option +
                     "=…, for example " + option + "=" + example);
  return argument->text;
}

double checked(const NamedCall &call, const char *option, double value) {
  if (std::isfinite(value) && value >= 0)
    return value;
  throw UsageError("the schedule '" + call.name + "' takes a number from 0 " +
                   "for " + option + ", found " + std::to_string(value));
}

double numberOf(const NamedCall &call, const char *option, double fallback) {
  return checked(call, option, call.number(option, fallback));
}

std::unique_ptr<Schedule> timed(const NamedCall &call, const char *duration,
                                Timed::Function function) {
  return std::make_unique<Timed>(
      parseDuration(textOf(call, duration, "10epochs")), std::move(function));
}

std::unique_ptr<Schedule> makeStep(const NamedCall &call) {
  call.expectOnly({"every", "factor"});
  double factor = numberOf(call, "factor", 0.1);
  return timed(call, "every",
               [=](double n) { return std::pow(factor, std::floor(n)); });
}

std::unique_ptr<Schedule> makeExponential(const NamedCall &call) {
  call.expectOnly({"every", "factor"});
  double factor = numberOf(call, "factor", 0.9);
  return timed(call, "every", [=](double n) { return std::pow(factor, n); });
}

std::unique_ptr<Schedule> makeLinear(const NamedCall &call) {
  call.expectOnly({"over", "to"});
  double to = numberOf(call, "to", 0);
  return timed(call, "over",
               [=](double n) { return 1 + (to - 1) * std::min(n, 1.0); });
}

std::unique_ptr<Schedule> makeCosine(const NamedCall &call) {
  call.expectOnly({"over", "to"});
  double to = numberOf(call, "to", 0);
  return timed(call, "over", [=](double n) {
    double angle = std::numbers::pi * std::min(n, 1.0);
    return to + (1 - to) * (1 + std::cos(angle)) / 2;
  });
}

std::unique_ptr<Schedule> makeInverseSqrt(const NamedCall &call) {
  call.expectOnly({"over"});
  return timed(call, "over",
               [](double n) { return 1 / std::sqrt(std::max(n, 1.0)); });
}

std::unique_ptr<Schedule> makeWarmup(const NamedCall &call) {
  call.expectOnly({"over"});
  Duration duration = parseDuration(textOf(call, "over", "500batches"));
  double first = 1 / double(duration.count);
  return std::make_unique<Timed>(
      duration, [=](double n) { return std::min(n + first, 1.0); });
}

std::unique_ptr<Schedule> makePlateau(const NamedCall &call) {
  call.expectOnly({"of", "factor", "patience", "choose"});
  const CallArgument *choose = call.find("choose");
  double patience = call.number("patience", 3);
  if (!(patience >= 1 && patience < 1e9) || patience != std::floor(patience))
    throw UsageError("the schedule 'plateau' takes a whole number of epochs "
                     "from 1 for patience");
  return std::make_unique<Plateau>(
      BestValue(textOf(call, "of", "test/cost"),
                parseChoice(choose ? choose->text : "lowest")),
      numberOf(call, "factor", 0.1), int64_t(patience));
}
} // namespace

std::unique_ptr<Schedule> makeSchedule(const NamedCall &call) {
  const std::pair<const char *, decltype(&makeStep)> all[] = {
      {"cosine", makeCosine},   {"exponential", makeExponential},
      {"linear", makeLinear},   {"inverse_sqrt", makeInverseSqrt},
      {"plateau", makePlateau}, {"step", makeStep},
      {"warmup", makeWarmup}};
  std::vector<std::string> names;
  for (auto [name, make] : all) {
    if (call.name == name)
      return make(call);
    names.push_back(name);
  }
  throw UsageError("there is no schedule '" + call.name + "'; there are " +
                   listOf(names));
}

} // namespace blocks
