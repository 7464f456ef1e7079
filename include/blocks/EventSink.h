// EventSink: what a run tells its surroundings while it goes on. blocks-run
// prints each call as one JSON object a line; a program that embeds Blocks may
// do what it likes. Every method has an empty default.
#pragma once

#include "blocks/Program.h"
#include "fuel/StreamStatistics.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace blocks {

/// A monitored value. `dtype` is the precision in which it was computed, and
/// so the one in which it should be printed.
struct NamedValue {
  std::string_view name; ///< "train/cost"; lives as long as the run.
  double value = 0;
  DType dtype = DType::Float64;
};

/// One row of the log.
struct RowView {
  int64_t iterations = 0; ///< Batches done.
  int64_t epoch = 0;      ///< 1-based epoch of the last batch.
  std::span<const NamedValue> values;
};

/// Where the time of a run went.
struct RunProfile {
  int64_t batches = 0;
  double seconds = 0; ///< In all.
  double waited = 0;  ///< For data.
  double trained = 0; ///< In training steps.
  std::optional<fuel::StreamStatistics> data;
};

class EventSink {
public:
  virtual ~EventSink() = default;
  virtual void epoch(const RowView &row) {}
  virtual void eval(const std::string &split, int64_t examples,
                    std::span<const NamedValue> values) {}
  virtual void checkpoint(const std::string &path, int64_t iterations) {}
  virtual void plan(const MemoryPlan &plan) {}
  virtual void profile(const RunProfile &profile) {}
  virtual void error(const std::string &message) {}
  /// The last one of a run.
  virtual void end(int status, int64_t iterations, double seconds) {}
};

/// `value` in JSON: the shortest digits that read back to the same bits in its
/// precision; "NaN", "Infinity" and "-Infinity" in quotes. Returns the number
/// of characters written to `buffer`, which must hold 40.
size_t formatJsonNumber(const NamedValue &value, char *buffer);

} // namespace blocks
