// See Beam.h. A finished hypothesis competes with its cost as it is, as in
// Blocks, where it could only be extended by the end at no cost.
#include "runtime/Search/Beam.h"

#include "blocks/Error.h"

#include <algorithm>
#include <cmath>

namespace blocks {

namespace {

/// A hypothesis that may be kept; output -1 keeps the parent as it is.
struct Candidate {
  double score, cost;
  size_t parent;
  int64_t output;
  bool operator<(const Candidate &other) const {
    if (score != other.score)
      return score < other.score;
    return parent != other.parent ? parent < other.parent
                                  : output < other.output;
  }
};

double scoreOf(double cost, size_t length, double penalty) {
  return penalty == 0 ? cost : cost / std::pow(double(length), penalty);
}

} // namespace

bool Beam::isFinished() const {
  return std::all_of(open.begin(), open.end(),
                     [](const Open &o) { return o.hypothesis.finished; });
}

template <typename Number>
void Beam::extend(const Number *costs, int64_t width,
                  const BeamSearchOptions &options) {
  std::vector<Candidate> candidates;
  for (size_t parent = 0; parent < open.size(); ++parent) {
    const Hypothesis &old = open[parent].hypothesis;
    if (old.finished) {
      candidates.push_back({old.score, old.cost, parent, -1});
      continue;
    }
    const Number *row = costs + open[parent].row * width;
    for (int64_t output = 0; output < width; ++output) {
      double cost = old.cost + double(row[output]);
      if (std::isnan(cost))
        throw NumericError("the search met a cost that is NaN, of output " +
                           std::to_string(output) + " at position " +
                           std::to_string(old.outputs.size()));
      if (!std::isinf(cost)) // What is impossible is no hypothesis.
        candidates.push_back(
            {scoreOf(cost, old.outputs.size() + 1, options.lengthPenalty), cost,
             parent, output});
    }
  }
  size_t kept = std::min(candidates.size(), size_t(options.beamSize));
  std::partial_sort(candidates.begin(), candidates.begin() + long(kept),
                    candidates.end());
  std::vector<Open> next;
  for (size_t i = 0; i < kept; ++i) {
    const Candidate &candidate = candidates[i];
    Open extended = open[candidate.parent];
    if (candidate.output >= 0) {
      Hypothesis &hypothesis = extended.hypothesis;
      bool counts = !options.ignoreFirstEol || !hypothesis.outputs.empty();
      hypothesis.outputs.push_back(candidate.output);
      hypothesis.cost = candidate.cost;
      hypothesis.score = candidate.score;
      hypothesis.finished = counts && candidate.output == options.endOfLine;
    }
    next.push_back(std::move(extended));
  }
  open = std::move(next);
}

template void Beam::extend(const float *, int64_t, const BeamSearchOptions &);
template void Beam::extend(const double *, int64_t, const BeamSearchOptions &);

} // namespace blocks
