//===- Comparison.cpp - Random models and the comparison of outputs -------===//
#include "test/lib/Reference/random_graphs/Checks.h"
#include "test/lib/Reference/random_graphs/RandomGraph.h"
#include "test/tools/Checks.h"

#include <llvm/Support/raw_ostream.h>

namespace blocks::testing {

RandomModel makeRandomModel(uint64_t seed, unsigned graphs) {
  static constexpr int64_t batches[] = {1, 2, 3, 7, 17, 20};
  static constexpr int64_t times[] = {1, 2, 3, 0, 5};
  static constexpr int64_t inners[] = {2, 1, 3, 0, 4};
  return {seed,
          randomModule(seed, graphs),
          {{"batch", batches[seed % std::size(batches)]},
           {"time", times[seed / std::size(batches) % std::size(times)]},
           {"inner", inners[seed % std::size(inners)]}},
          {{"y", {0, 3}}, {"k", {0, 3}}, {"u", {0, 256}}}};
}

bool sameOutputs(
    const std::string &entry,
    const std::vector<std::pair<std::string, reference::Tensor>> &found,
    const std::vector<std::pair<std::string, reference::Tensor>> &expected,
    double tolerance) {
  if (found.size() != expected.size()) {
    llvm::errs() << "@" << entry << " has " << found.size()
                 << " outputs, expected " << expected.size() << "\n";
    return false;
  }
  bool same = true;
  for (auto [f, e] : llvm::zip(found, expected))
    if (auto text = difference(f.second, e.second, tolerance)) {
      llvm::errs() << "@" << entry << " " << f.first << " " << *text << "\n";
      same = false;
    }
  return same;
}

} // namespace blocks::testing
