// NanGuard: looks at the cost of every batch, and ends training with an error
// (or says so once and goes on) when it is not a number or infinite. Also
// refuses a checkpoint of parameters that are not finite, since a bad update
// shows in the cost only one step later.
#pragma once

#include "blocks/Extension.h"
#include "blocks/MainLoop.h"
#include "blocks/Training.h"

namespace blocks {

class NanGuard : public Extension {
public:
  /// Watches the outputs with role COST, or all scalar ones if there are none.
  NanGuard(const EntrySpec &entry, OnNan action, std::ostream &messages);
  std::string name() const override { return "NaN guard"; }

  void afterBatch(MainLoop &loop) override;

private:
  void found(MainLoop &loop, size_t output, double value);

  std::vector<size_t> watched;
  OnNan action;
  std::ostream &messages;
  bool announced = false;
};

/// Throws NumericError naming the first parameter with a value that is not
/// finite.
void checkFinite(const ProgramSpec &spec, const ProgramState &state,
                 int64_t iterations);

} // namespace blocks
