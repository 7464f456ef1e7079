// NamedCalls: the small language of `--step-rule`, `--regularize` and
// `--transform`: calls with named arguments, separated by commas.
//
//   step_clipping(threshold=10), adam(learning_rate=0.001)
//   dropout(p=0.5, where="role:output brick:/mlp/rectifier_*")
//
// Here is only the form; which names and arguments exist is for the user of the
// parsed list to check.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace blocks {

struct CallArgument {
  std::string name, text;
  bool quoted = false; ///< Written in quotes.
  /// The number that `text` is; throws UsageError if it is none.
  double number() const;
};

struct NamedCall {
  std::string name;
  std::vector<CallArgument> arguments;
  /// The argument called `name`, or null.
  const CallArgument *find(std::string_view name) const;
  /// The argument's number, or `fallback` if it was not given.
  double number(std::string_view name, double fallback) const;
  /// Throws a UsageError that lists `known` if an argument is none of them.
  void expectOnly(const std::vector<std::string> &known) const;
};

/// Throws UsageError with the position and what was expected there.
std::vector<NamedCall> parseNamedCalls(std::string_view text);

/// The rules without the values of their numbers: what decides the structure
/// of a compiled training step. "adam(learning_rate=#)".
std::string callStructure(std::string_view text);

/// "a, b or c".
std::string listOf(const std::vector<std::string> &items);

} // namespace blocks
