//===- RandomGraph.h - Writes random models -------------------------------===//
//
// A random module is a function of its seed: a brick of parameters and graphs
// of random operations over common sources with a dynamic batch and a dynamic
// time. Values stay
// below 8 or so, and every jump (comparison, argmax, cast to an integer) looks
// at exact numbers alone, so that two right implementations differ by rounding
// and nothing else.
//
//===----------------------------------------------------------------------===//
#ifndef TEST_LIB_REFERENCE_RANDOM_GRAPHS_RANDOMGRAPH_H
#define TEST_LIB_REFERENCE_RANDOM_GRAPHS_RANDOMGRAPH_H

#include <cstdint>
#include <string>

namespace blocks::testing {

/// A module with graphs @g0 … @g<n-1> with outputs, and the graph @cost with
/// the output "cost", which depends on every parameter that it can.
std::string randomModule(uint64_t seed, unsigned graphs);

} // namespace blocks::testing

#endif
