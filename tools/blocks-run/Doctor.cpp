// blocks-run doctor: what was found on this machine, and what it achieves.
#include "tools/blocks-run/Commands.h"
#include "tools/blocks-run/GpuReport.h"
#include "tools/blocks-run/JsonEvents.h"

#include "blocks/Array.h"
#include "blocks/Philox.h"
#include "runtime/Compile/CompilerLibrary.h"
#include "runtime/Device/CpuInfo.h"
#include "runtime/Device/Gemm.h"
#include "runtime/Program/ObjectCache.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <iostream>
#include <memory>

namespace blocks::cli {

namespace {

using Clock = std::chrono::steady_clock;

/// Median seconds of `repeats` calls.
template <typename F> double medianSeconds(int repeats, F call) {
  std::vector<double> times;
  for (int i = 0; i < repeats; ++i) {
    auto begin = Clock::now();
    call();
    times.push_back(
        std::chrono::duration<double>(Clock::now() - begin).count());
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

Array uniformArray(Shape shape) {
  Array array(DType::Float32, std::move(shape));
  for (int64_t i = 0; i < array.size(); ++i)
    array.as<float>()[i] = philoxUniform(philoxBits(1, 0, 0, 0, uint64_t(i)));
  return array;
}

/// GFLOP/s of a 512³ product in single precision, on one thread.
double productRate(CpuLevel level) {
  const int64_t n = 512;
  Array a = uniformArray({n, n}), b = uniformArray({n, n}),
        c = uniformArray({n, n});
  auto product = [&] {
    gemm(level, {false, false, n, n, n, 1, a.as<float>(), n, b.as<float>(), n,
                 0, c.as<float>(), n});
  };
  product(); // the first one pays for cold caches
  return 2.0 * n * n * n / medianSeconds(9, product) * 1e-9;
}

/// GB/s of copying 64 MB, reads and writes counted.
double copyRate() {
  Array from = uniformArray({16 << 20}), to = uniformArray({16 << 20});
  auto copy = [&] { std::memcpy(to.data(), from.data(), from.bytes()); };
  copy();
  return 2.0 * double(from.bytes()) / medianSeconds(9, copy) * 1e-9;
}

struct Report {
  bool json = false;
  std::string fields;

  void add(const std::string &key, const std::string &label,
           const std::string &value) {
    add({key, label, value, quoteJson(value)});
  }
  void add(const ReportLine &line) {
    const std::string &label = line.label, &value = line.value;
    if (json)
      fields += "," + quoteJson(line.key) + ":" + line.json;
    else
      std::cout << label
                << std::string(std::max<size_t>(1, 14 - label.size()), ' ')
                << value << "\n";
  }
  void end() {
    if (json)
      std::cout << "{\"event\":\"doctor\"" << fields << "}" << std::endl;
  }
};

std::string rounded(double value, const char *unit) {
  char text[64];
  std::snprintf(text, sizeof text, "%.1f %s", value, unit);
  return text;
}

int diagnose(bool json) {
  Report report{json, {}};
  CpuInfo cpu = detectCpu();
  std::string compiler = findCompilerLibrary();
  report.add("cpu", "CPU:",
             levelName(cpu.level) + ", " + std::to_string(cpu.usableCpus) +
                 " usable processor(s)");
  for (const ReportLine &line : describeGpus())
    report.add(line);
  report.add("compiler", "Compiler:",
             compiler.empty() ? "not found; only cached models run" : compiler);
  report.add(
      "products", "Products:",
      rounded(productRate(cpu.level), "GFLOP/s on one thread (512³, f32)"));
  report.add("memory", "Memory:", rounded(copyRate(), "GB/s (copy of 64 MB)"));
  ObjectCache cache(ObjectCache::defaultDirectory());
  report.add("cache", "Cache:",
             cache.directory() +
                 (cache.problem().empty() ? "" : ": " + cache.problem()));
  report.end();
  return 0;
}

} // namespace

void addDoctorCommand(CLI::App &app, Action &action) {
  auto *command = app.add_subcommand(
      "doctor", "Says what was found on this machine, and what it achieves");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "One JSON object");
  command->callback([=, &action] { action = [=] { return diagnose(*json); }; });
}

} // namespace blocks::cli
