//===- StoredCase.h - A check as files, for machines without the compiler -===//
//
// The compiled program of a check, what goes in, and what has to come out, so
// that test-device-cases (test/device) can run it where there is a GPU and no
// LLVM. The files of case NAME:
//
//   NAME.json      manifest; NAME.o and NAME.ptx: host object and device text
//   NAME.npz       source/S, state/PATH, and for each result
//                  expected/KIND/NAME, and where it exists wide/KIND/NAME and
//                  allowed/KIND/NAME (Agreement.h); KIND is output, gradient or
//                  update
//   NAME.entry     the entry's name, and the tolerances of outputs and of the
//                  other results, in a line
//
//===----------------------------------------------------------------------===//
#ifndef TEST_LIB_REFERENCE_RANDOM_GRAPHS_STOREDCASE_H
#define TEST_LIB_REFERENCE_RANDOM_GRAPHS_STOREDCASE_H

#include "test/lib/Reference/random_graphs/CompiledRun.h"

#include <memory>

namespace blocks {
class NpzWriter;
}

namespace blocks::testing {

class StoredCase {
public:
  /// Stores the program and all that entry `entry` starts from.
  StoredCase(const std::string &path, const CompiledRun &run,
             const std::string &entry, Tolerances tolerances,
             const reference::NamedTensors &sources,
             const reference::NamedTensors &state);
  ~StoredCase();

  /// Stores what has to come out.
  void expect(const std::string &kind, const NamedList &expected,
              const WideReference &wide);
  void commit();

private:
  void add(const std::string &name, const reference::Tensor &tensor);

  std::unique_ptr<NpzWriter> arrays;
};

} // namespace blocks::testing

#endif
