// Aggregator: the values of some outputs of an entry over many batches. Means
// weigh each batch by its number of examples; sums are in double, in the order
// of the stream, and part of the checkpoint, so that a resumed run continues
// with the same bits. Accumulating allocates nothing.
#pragma once

#include "blocks/EventSink.h"
#include "blocks/Program.h"
#include "blocks/StateRecord.h"

#include <string>
#include <vector>

namespace blocks {

class Aggregator {
public:
  /// Monitors the outputs called `names` under "PREFIX/NAME". Throws InputError
  /// on an unknown or non-scalar name.
  Aggregator(const EntrySpec &entry, const std::vector<std::string> &names,
             const std::string &prefix);

  void accumulate(const std::vector<Array> &outputs, int64_t examples);
  /// Appends the values so far to `row` and starts anew.
  void flush(std::vector<NamedValue> &row);
  int64_t examples() const { return seenExamples; }

  /// Under "PREFIX …" in `record`; `restore` ignores other outputs' values.
  void save(StateRecord &record, const std::string &prefix) const;
  void restore(const StateRecord &record, const std::string &prefix);

private:
  struct Item {
    std::string name;
    size_t output = 0;
    DType dtype = DType::Float32;
    Aggregate aggregate = Aggregate::Last;
    double sum = 0, weight = 0; ///< Last: the value in `sum`.
    NamedValue value() const;
  };
  std::vector<Item> items;
  int64_t seenExamples = 0;
};

/// The scalar outputs of `entry`, in its order.
std::vector<std::string> scalarOutputs(const EntrySpec &entry);

/// The element of a scalar array as a double.
double scalarValue(const Array &array);

} // namespace blocks
