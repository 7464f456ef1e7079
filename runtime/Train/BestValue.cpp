// BestValue: see BestValue.h.
#include "runtime/Train/BestValue.h"

#include "blocks/Error.h"

#include <algorithm>
#include <cmath>

namespace blocks {

Choice parseChoice(const std::string &text) {
  if (text == "lowest")
    return Choice::Lowest;
  if (text == "highest")
    return Choice::Highest;
  throw UsageError("the best value is the 'lowest' or the 'highest', not '" +
                   text + "'");
}

bool BestValue::observe(std::span<const NamedValue> row) {
  auto value =
      std::find_if(row.begin(), row.end(),
                   [this](const NamedValue &v) { return v.name == record; });
  if (value == row.end() || std::isnan(value->value))
    return false;
  bool better =
      !found || (choice == Choice::Lowest ? value->value < found->value
                                          : value->value > found->value);
  if (better)
    found = {record, value->value, value->dtype};
  return better;
}

std::string BestValue::identity() const {
  return (choice == Choice::Lowest ? "lowest " : "highest ") + record;
}

void BestValue::save(StateRecord &state, const std::string &key) const {
  if (!found)
    return;
  state.setText(key + " of", identity());
  state.setReal(key, found->value);
  state.setInt(key + " type", int64_t(found->dtype));
}

void BestValue::restore(const StateRecord &state, const std::string &key) {
  found.reset();
  if (state.has(key) && state.getText(key + " of") == identity())
    found = {record, state.getReal(key), DType(state.getInt(key + " type"))};
}

} // namespace blocks
