// BestValue: the best that a monitored value has been, from epoch to epoch.
// Whoever wants to keep the best model, to stop, or to lower a learning rate
// asks it.
#pragma once

#include "blocks/EventSink.h"
#include "blocks/StateRecord.h"

#include <optional>
#include <span>
#include <string>

namespace blocks {

enum class Choice { Lowest, Highest };
/// "lowest" or "highest"; throws UsageError.
Choice parseChoice(const std::string &text);

class BestValue {
public:
  /// `record` is the value's name in the row of an epoch: "test/cost".
  BestValue(std::string record, Choice choice)
      : record(std::move(record)), choice(choice) {}

  /// Looks at an epoch's row; true if its value is better than all before. An
  /// equal one is not, and neither is NaN or none.
  bool observe(std::span<const NamedValue> row);
  /// None before the first value.
  const std::optional<NamedValue> &best() const { return found; }
  const std::string &name() const { return record; }

  void save(StateRecord &state, const std::string &key) const;
  /// Forgets, if `state` is about another record or another choice.
  void restore(const StateRecord &state, const std::string &key);

private:
  std::string identity() const;

  std::string record;
  Choice choice;
  std::optional<NamedValue> found;
};

} // namespace blocks
