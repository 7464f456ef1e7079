// Parsing of the options that are texts: see include/blocks/Training.h.
#include "blocks/Training.h"

#include "blocks/Error.h"

#include <charconv>
#include <cmath>

namespace blocks {

namespace {
void parsePart(std::string_view part, CheckpointInterval &interval,
               const std::string &whole) {
  double number = 0;
  const char *end = part.data() + part.size();
  auto [rest, error] = std::from_chars(part.data(), end, number);
  std::string_view unit(rest, size_t(end - rest));
  bool good = error == std::errc() && number > 0 && std::isfinite(number);
  bool isWhole = number == std::floor(number) && number < 1e15;
  if (good && isWhole && (unit == "epoch" || unit == "epochs"))
    interval.epochs = int64_t(number);
  else if (good && isWhole && (unit == "batch" || unit == "batches"))
    interval.batches = int64_t(number);
  else if (good && (unit == "min" || unit == "minutes"))
    interval.minutes = number;
  else
    throw UsageError("'" + whole +
                     "' is no checkpoint interval; write for "
                     "example 1epoch, 500batches or 10min");
}
} // namespace

CheckpointInterval parseCheckpointInterval(const std::string &text) {
  CheckpointInterval interval;
  std::string_view rest = text;
  while (true) {
    size_t comma = rest.find(',');
    parsePart(rest.substr(0, comma), interval, text);
    if (comma == std::string_view::npos)
      return interval;
    rest.remove_prefix(comma + 1);
  }
}

OnNan parseOnNan(const std::string &text) {
  if (text == "stop")
    return OnNan::Stop;
  if (text == "continue")
    return OnNan::Continue;
  throw UsageError("--on-nan is 'stop' or 'continue', not '" + text + "'");
}

} // namespace blocks
