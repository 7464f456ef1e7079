// Schedule: a factor for a hyperparameter that depends on how far the training
// is. Most are functions of the counters alone, so that a resumed run needs no
// state of theirs; `plateau` also watches a monitored value.
#pragma once

#include "blocks/EventSink.h"
#include "blocks/Extension.h"
#include "blocks/StateRecord.h"
#include "runtime/Base/NamedCalls.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace blocks {

/// A number of batches or of epochs: "500batches", "1epoch".
struct Duration {
  int64_t count = 0;
  bool inEpochs = false;
  /// How many of these durations are over, with a fraction. Epochs count when
  /// they end.
  double passed(const LoopStatus &status) const;
};
/// Throws UsageError.
Duration parseDuration(const std::string &text);

class Schedule {
public:
  virtual ~Schedule() = default;
  /// For the next batch, when `status` is done.
  virtual double factor(const LoopStatus &status) const = 0;
  /// The value of an epoch's row that it depends on, or nothing.
  virtual std::string watched() const { return {}; }
  /// An epoch has ended with this row.
  virtual void endEpoch(std::span<const NamedValue> row) {}
  virtual void save(StateRecord &record, const std::string &prefix) const {}
  virtual void restore(const StateRecord &record, const std::string &prefix) {}
};

/// `n` is the number of durations over, T = `over`:
///   step(every=T, factor=0.1)         factor^⌊n⌋
///   exponential(every=T, factor=0.9)  factor^n
///   linear(over=T, to=0)              1 → to, then constant
///   cosine(over=T, to=0)              to + (1-to)(1+cos πn)/2, then `to`
///                                     (Loshchilov and Hutter 2017, eq. 5)
///   inverse_sqrt(over=T)              1 up to T, then 1/√n (Vaswani et al.
///                                     2017, eq. 3, without its warm-up)
///   warmup(over=T)                    the k-th batch or epoch has k/T, up to 1
///   plateau(of="test/cost", factor=0.1, patience=3, choose=lowest)
///                                     times `factor` whenever `patience`
///                                     epochs brought nothing better
/// Throws UsageError for another name, and for options missing or wrong.
std::unique_ptr<Schedule> makeSchedule(const NamedCall &call);

} // namespace blocks
