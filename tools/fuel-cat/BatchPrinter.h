// BatchPrinter: a stream's batches as lines, for people or as JSON objects in
// the form in which reference batches of Fuel are kept: element type and shape
// in NumPy's terms, the SHA-256 of the bytes, their sum, and the values, or the
// first 24 of more than 64.
#pragma once

#include "fuel/DataStream.h"

#include <ostream>

namespace fuel {

class BatchPrinter {
public:
  BatchPrinter(std::ostream &out, const DataStream &stream, bool json)
      : out(out), stream(stream), json(json) {}
  /// Epochs and batches count from 1.
  void print(int64_t epoch, int64_t number, const Batch &batch);

private:
  void printText(int64_t epoch, int64_t number, const Batch &batch);
  void printJson(int64_t epoch, int64_t number, const Batch &batch);
  std::ostream &out;
  const DataStream &stream;
  bool json;
};

} // namespace fuel
