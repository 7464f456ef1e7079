// bench --serve: the line protocol of benchmark workers, so that peers and we
// are timed in turn by one driver. JSON requests on standard input, one answer
// a line: {"cmd":"losses","n":5}, {"cmd":"run","n":100,"each":false},
// {"cmd":"rss"}, {"cmd":"quit"}.
#include "tools/blocks-run/Bench.h"
#include "tools/blocks-run/Measure.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <iostream>

namespace blocks::cli {

using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;

static double seconds(Clock::time_point from) {
  return std::chrono::duration<double>(Clock::now() - from).count();
}

/// CPU seconds of the whole process.
static double cpuSeconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
}

static Json losses(BenchRun &run, int64_t n) {
  Json values = Json::array();
  run.reset();
  for (int64_t i = 0; i < n; ++i) {
    run.step();
    values.push_back(run.cost());
  }
  return {{"losses", values}};
}

/// From the initial state: two untimed steps, then `n` timed ones.
static Json timedRun(BenchRun &run, int64_t n, bool each) {
  run.reset();
  run.step();
  run.step();
  std::vector<double> times;
  times.reserve(size_t(n));
  double cpu = cpuSeconds();
  Clock::time_point begin = Clock::now();
  for (int64_t i = 0; i < n; ++i) {
    Clock::time_point stepBegin = each ? Clock::now() : begin;
    run.step();
    if (each)
      times.push_back(seconds(stepBegin));
  }
  Json answer = {{"elapsed", seconds(begin)},
                 {"cpu", cpuSeconds() - cpu},
                 {"loss", run.cost()}};
  if (each && !times.empty()) {
    std::sort(times.begin(), times.end());
    answer["p50"] = times[times.size() / 2];
    answer["p99"] = times[std::min(times.size() - 1, times.size() * 99 / 100)];
  }
  return answer;
}

int serve(BenchRun &run, const ServeInfo &info) {
  std::cout << Json{{"event", "ready"},
                    {"compile_s", info.compileSeconds},
                    {"first_step_s", info.firstStepSeconds},
                    {"import_s", info.startSeconds},
                    {"rss_mb", peakResidentMb()},
                    {"versions", Json::object()}}
            << std::endl;
  for (std::string line; std::getline(std::cin, line);) {
    Json request = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    std::string command =
        request.is_object() ? request.value("cmd", "") : std::string();
    int64_t n = request.is_object() ? request.value("n", int64_t(1)) : 1;
    if (command == "losses")
      std::cout << losses(run, n) << std::endl;
    else if (command == "run")
      std::cout << timedRun(run, n, request.value("each", false)) << std::endl;
    else if (command == "rss")
      std::cout << Json{{"rss_mb", peakResidentMb()}} << std::endl;
    else if (command == "quit")
      return 0;
    else
      std::cout << Json{{"error", "unknown command"}} << std::endl;
  }
  return 0;
}

} // namespace blocks::cli
