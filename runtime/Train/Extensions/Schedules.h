// Schedules: sets hyperparameters before each batch to their own value times
// the factors of their schedules, and adds the value to the row of an epoch.
#pragma once

#include "blocks/MainLoop.h"
#include "runtime/Train/Schedule.h"

#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace blocks {

class Schedules : public Extension {
public:
  /// `text` is a list such as "warmup(over=500batches), cosine(over=10epochs)";
  /// each takes `for=NAME`, by default learning_rate. The present values in
  /// `state` are those that the factors apply to.
  /// Throws UsageError, also if no hyperparameter has such a name.
  Schedules(const std::string &text, const ProgramSpec &spec,
            const ProgramState &state, std::ostream &messages);
  ~Schedules() override;
  std::string name() const override { return "schedules"; }

  /// Of the hyperparameters that have schedules.
  std::vector<std::string> paths() const;
  /// The values of an epoch's row that they depend on.
  std::vector<std::string> watched() const;

  void beforeBatch(MainLoop &loop) override;
  void afterEpoch(MainLoop &loop) override;
  void save(StateRecord &record) const override;
  void restore(const StateRecord &record) override;

private:
  void announceChanges(const StateRecord &record) const;
  struct Hyperparameter;
  Hyperparameter &find(const std::string &name, const ProgramSpec &spec,
                       const ProgramState &state);

  std::string text;
  std::ostream &messages;
  std::vector<std::unique_ptr<Hyperparameter>> all;
};

} // namespace blocks
