// What `bench` and `bench --serve` share: an entry with batches to run it on.
#pragma once

#include "tools/blocks-run/ModelOptions.h"

namespace blocks::cli {

/// An entry, its state and the batches it runs on, in turn.
class BenchRun {
public:
  BenchRun(Program &program, size_t entry, ProgramState state,
           std::vector<std::vector<Array>> batches);
  ~BenchRun() { program.whileBusy = nullptr; }
  BenchRun(const BenchRun &) = delete;
  BenchRun &operator=(const BenchRun &) = delete;
  /// Back to the initial state and the first batch.
  void reset();
  /// Runs the entry on the next batch.
  void step();
  /// Output number `i` of the last step, if it is a scalar.
  double scalarOutput(size_t i) const;
  /// The first scalar output with role cost, else the first scalar one.
  double cost() const;
  const EntrySpec &spec() const { return program.spec().entries[entry]; }

private:
  Program &program;
  size_t entry;
  ProgramState initial, state;
  std::vector<std::vector<Array>> batches;
  std::vector<std::vector<ArrayView>> views;
  std::vector<Array> outputs;
  size_t next = 0;
};

struct ServeInfo {
  double compileSeconds = 0, startSeconds = 0, firstStepSeconds = 0;
};
/// Answers the line protocol of benchmark workers on standard input and
/// output: losses, run, rss, quit.
int serve(BenchRun &run, const ServeInfo &info);

} // namespace blocks::cli
