// Beam: the hypotheses of one sentence, and how they compete.
#pragma once

#include "blocks/BeamSearch.h"

#include <cstdint>
#include <vector>

namespace blocks {

class Beam {
public:
  /// One empty hypothesis, in row `row` of the next costs.
  explicit Beam(int64_t row) : open{{{}, row}} {}

  /// Extends every hypothesis that is open by every output, and keeps the best.
  /// `costs` has one row for each open hypothesis, of `width` outputs; each
  /// hypothesis knows its row. Ties go to the earlier hypothesis, then to the
  /// smaller output.
  template <typename Number>
  void extend(const Number *costs, int64_t width,
              const BeamSearchOptions &options);

  struct Open {
    Hypothesis hypothesis;
    int64_t row; ///< In the costs and states of its parent, or -1 if finished.
  };
  /// All hypotheses, the best first.
  const std::vector<Open> &hypotheses() const { return open; }
  /// The next costs have this hypothesis in row `row`.
  void place(size_t hypothesis, int64_t row) { open[hypothesis].row = row; }
  bool isFinished() const;

private:
  std::vector<Open> open;
};

} // namespace blocks
