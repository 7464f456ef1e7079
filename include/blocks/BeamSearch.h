// BeamSearch: the cheapest sequences of a compiled generator, for many
// sentences at once. The program has two entries (the bricks' applications
// search_start and search_step, docs/bricks.md):
//
//   start: contexts                          → costs, states…
//   step:  outputs, states…, contexts        → costs, states…
//
// `costs` (rows, outputs) says what each next output costs. A source of `step`
// is `outputs`, or a state (an output of both entries of the same name), or
// fixed: an output of `start`, else an input of the search. In `step` each
// source names its axis "batch", along which rows are chosen.
#pragma once

#include "blocks/Program.h"

#include <map>
#include <string>
#include <vector>

namespace blocks {

struct BeamSearchOptions {
  int64_t beamSize = 10;
  int64_t endOfLine = 0; ///< The output that ends a hypothesis.
  int64_t maxLength = 100;
  /// The first output does not end a hypothesis, whatever it is.
  bool ignoreFirstEol = false;
  /// Hypotheses compete by cost / length^lengthPenalty; 0 is plain cost, 1 is
  /// the mean cost of an output.
  double lengthPenalty = 0;
  std::string start = "search_start", step = "search_step";
};

struct Hypothesis {
  std::vector<int64_t> outputs; ///< With the end, unless it was cut off.
  double cost = 0;              ///< Σ -log p of the outputs.
  double score = 0;             ///< What it competed by.
  bool finished = false;
};

class BeamSearch {
public:
  /// Keeps references to both. Throws UsageError for options that make no
  /// sense, InputError for entries that are not as above.
  BeamSearch(Program &program, ProgramState &state, BeamSearchOptions options);

  /// For each sentence at most `beamSize` hypotheses, the best first. `inputs`
  /// has the sources of `start` (and those of `step` that nothing else gives)
  /// by name. Throws NumericError if a run fails or gives costs that are NaN.
  std::vector<std::vector<Hypothesis>>
  search(const std::map<std::string, ArrayView> &inputs);

private:
  enum class Origin { Outputs, State, Fixed, Input };
  struct Source {
    Origin origin = Origin::Input;
    size_t axis = 0;   ///< The axis "batch".
    size_t output = 0; ///< Of `start` (Fixed), of both (State).
    size_t stepOutput = 0;
  };
  Source describe(const SourceSpec &source) const;

  Program &program;
  ProgramState &state;
  BeamSearchOptions options;
  size_t startEntry = 0, stepEntry = 0;
  size_t startCosts = 0, stepCosts = 0;
  std::vector<Source> sources;
};

} // namespace blocks
