// DataStreamMonitoring: see DataStreamMonitoring.h.
#include "runtime/Train/Extensions/DataStreamMonitoring.h"

#include "blocks/Error.h"

namespace blocks {

DataStreamMonitoring::DataStreamMonitoring(
    Program &program, fuel::DataStream &stream, const std::string &split,
    const std::vector<std::string> &names, const std::string &entry)
    : split(split), stream(stream), runner(program, entry, stream, split),
      aggregator(runner.spec(), names, split) {}

int64_t DataStreamMonitoring::evaluate(ProgramState &state,
                                       std::vector<NamedValue> &row) {
  stream.startEpoch();
  used = true;
  while (stream.next(batch)) {
    try {
      runner.run(state, batch);
    } catch (const NumericError &error) {
      throw NumericError("while evaluating on '" + split +
                         "': " + error.what());
    }
    aggregator.accumulate(runner.outputs(), batch.examples);
  }
  int64_t examples = aggregator.examples();
  if (examples == 0)
    throw InputError("'" + split + "' has no examples to evaluate on");
  aggregator.flush(row);
  return examples;
}

void DataStreamMonitoring::afterEpoch(MainLoop &loop) {
  evaluate(loop.state(), loop.row);
}

// A shuffled stream has another order in each epoch, and so other last bits of
// its means: its position belongs to an exact resume, too.
void DataStreamMonitoring::save(StateRecord &record) const {
  if (!used)
    return;
  record.setText("stream", stream.state());
  record.setText("fingerprint", stream.fingerprint());
}

void DataStreamMonitoring::restore(const StateRecord &record) {
  if (!record.has("stream") ||
      record.getText("fingerprint") != stream.fingerprint())
    return;
  stream.restore(record.getText("stream"));
  used = true;
}

} // namespace blocks
