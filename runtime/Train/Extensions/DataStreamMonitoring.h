// DataStreamMonitoring: runs the evaluating entry over another stream at each
// epoch's end, and adds its values to the row as SPLIT/NAME.
#pragma once

#include "blocks/Extension.h"
#include "blocks/MainLoop.h"
#include "runtime/Train/Aggregator.h"
#include "runtime/Train/EntryRunner.h"

namespace blocks {

class DataStreamMonitoring : public Extension {
public:
  DataStreamMonitoring(Program &program, fuel::DataStream &stream,
                       const std::string &split,
                       const std::vector<std::string> &names,
                       const std::string &entry = "eval");
  std::string name() const override { return "monitoring of " + split; }

  void afterEpoch(MainLoop &loop) override;
  void save(StateRecord &record) const override;
  void restore(const StateRecord &record) override;

  /// One epoch of the stream; appends the values to `row` and returns the
  /// number of examples. Throws InputError if there are none.
  int64_t evaluate(ProgramState &state, std::vector<NamedValue> &row);

private:
  std::string split;
  fuel::DataStream &stream;
  EntryRunner runner;
  Aggregator aggregator;
  fuel::Batch batch;
  bool used = false; ///< The stream has a position worth saving.
};

} // namespace blocks
