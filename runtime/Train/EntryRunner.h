// EntryRunner: runs one entry of a program on the batches of one stream. It
// finds each source of the entry among the stream's, checks types and shapes
// once, before the first batch, and keeps the buffers, so that a steady step
// allocates nothing.
#pragma once

#include "blocks/Program.h"
#include "fuel/DataStream.h"

#include <string>
#include <vector>

namespace blocks {

class EntryRunner {
public:
  /// Throws InputError, naming the entry, the source and the stream, if they
  /// do not fit together.
  EntryRunner(Program &program, const std::string &entry,
              const fuel::DataStream &stream, const std::string &streamName);

  /// Throws NumericError if the step reports a failure.
  void run(ProgramState &state, const fuel::Batch &batch);
  /// Lets the program prepare for the batch of the next `run`.
  void stage(const fuel::Batch &batch);

  const EntrySpec &spec() const { return theProgram.spec().entries[entry]; }
  const std::vector<Array> &outputs() const { return outputArrays; }

private:
  void view(const fuel::Batch &batch, std::vector<ArrayView> &views) const;

  Program &theProgram;
  size_t entry = 0;
  std::vector<size_t> sourceIndex; ///< Of each entry source in the stream.
  std::vector<ArrayView> inputs, staged;
  std::vector<Array> outputArrays;
};

/// The number of the entry called `name`, or an InputError that lists them.
size_t findEntryIndex(const ProgramSpec &spec, const std::string &name);

} // namespace blocks
