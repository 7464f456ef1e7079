// ModelOptions: the options that every subcommand with a model shares, and the
// way from them to a compiled program.
#pragma once

#include "tools/blocks-run/DeviceOption.h"
#include "tools/blocks-run/JsonEvents.h"

#include "blocks/Compiler.h"

#include <CLI/CLI.hpp>

#include <charconv>
#include <cstdint>
#include <iosfwd>
#include <limits>
#include <map>
#include <memory>
#include <string>

namespace blocks::cli {

struct ModelOptions {
  std::string model;
  DeviceOption device;
  std::string cpuLevel = "native";
  std::string precision = "f32"; ///< Of the operands of f32 products.
  int threads = 0;
  uint64_t seed = 1;
  bool json = false, noCache = false, verifyAnnotations = false;
  std::string stopAfter;

  void addTo(CLI::App &command);
  /// A request for this model; reads the file.
  CompileRequest request() const;
  /// How to load what was compiled.
  LoadOptions loadOptions() const;
  /// What a run depends on beside its options: "cpu x86-64-v4", "cuda sm_90".
  std::string platform() const;
  /// Compiles, and reports that it did (as an event, or for a person). With
  /// --stop-after prints the IR instead and returns no program.
  CompiledModel compile(const CompileRequest &request) const;
  /// Where progress for a person goes: standard output, or standard error when
  /// standard output carries events.
  std::ostream &text() const;
  /// The events that --json asks for, or a sink that ignores them.
  EventSink &events() const;

private:
  mutable std::unique_ptr<EventSink> sink;
};

/// The entry called `name`; an InputError lists those that there are.
size_t findEntry(const Program &program, const std::string &name);

/// The hyperparameters that a step rule sets explicitly, by state path.
std::map<std::string, double>
explicitHyperparameters(const std::string &stepRule, const ProgramSpec &spec);

/// The check of an option that takes a whole number from `least`. CLI11's own
/// wraps -1 into an unsigned option, and prints ranges to 300 digits.
template <typename Integer>
CLI::Validator wholeNumber(Integer least,
                           Integer most = std::numeric_limits<Integer>::max()) {
  return CLI::Validator(
      [least, most](std::string &text) -> std::string {
        Integer value = 0;
        const char *end = text.data() + text.size();
        auto [rest, error] = std::from_chars(text.data(), end, value);
        if (error == std::errc() && rest == end && value >= least &&
            value <= most)
          return {};
        return "takes a whole number from " + std::to_string(least) + " to " +
               std::to_string(most) + ", found '" + text + "'";
      },
      "");
}

/// The check of an option that takes names with commas between them: a comma
/// too many would quietly mean something else.
CLI::Validator nameList();

/// "a,b" → {"a","b"}.
std::vector<std::string> splitList(const std::string &text);

/// "batch=128,time=35"; throws UsageError.
std::map<std::string, int64_t> parseExtents(const std::string &text);

} // namespace blocks::cli
