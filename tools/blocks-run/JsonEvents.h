// JsonEvents: --json. One object a line on standard output, each with an
// "event" key, flushed at once.
#pragma once

#include "blocks/EventSink.h"

#include <iosfwd>

namespace blocks::cli {

class JsonEvents : public EventSink {
public:
  explicit JsonEvents(std::ostream &out) : out(out) {}
  void epoch(const RowView &row) override;
  void eval(const std::string &split, int64_t examples,
            std::span<const NamedValue> values) override;
  void checkpoint(const std::string &path, int64_t iterations) override;
  void plan(const MemoryPlan &plan) override;
  void profile(const RunProfile &profile) override;
  void error(const std::string &message) override;
  void end(int status, int64_t iterations, double seconds) override;
  void compiled(const std::string &entry, double seconds, bool cached);

private:
  std::ostream &out;
};

/// Text as a JSON string, with quotes.
std::string quoteJson(const std::string &text);

} // namespace blocks::cli
