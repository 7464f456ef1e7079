//===- RuleSpec.h - Step rules and regularizers by name ------------------===//
//
// The small language in which command lines name step rules and regularizers:
// a comma composes calls, each call has options by name. Numbers, quoted
// strings, `true`, `false` and `none` are values. This file only reads text and
// checks it against a table of what exists; it knows neither rules nor passes.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_STEPRULES_RULESPEC_H
#define LIB_STEPRULES_RULESPEC_H

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace blocks {

/// The value of an option; std::monostate is `none`.
using RuleValue = std::variant<std::monostate, double, bool, std::string>;

/// One `key=value` of a call.
struct RuleOption {
  std::string name;
  RuleValue value;
};

/// One call of a composition.
struct RuleCall {
  std::string name;
  std::vector<RuleOption> options;

  /// The value given for `name`; null if it was left out.
  const RuleValue *find(llvm::StringRef name) const;
  /// Values of options that `checkRules` has seen: the given one, or a default.
  double number(llvm::StringRef name, double otherwise) const;
  std::string text(llvm::StringRef name, llvm::StringRef otherwise) const;
  bool flag(llvm::StringRef name, bool otherwise) const;
  /// The number, or nothing when the option is absent or `none`.
  std::optional<double> maybeNumber(llvm::StringRef name) const;
};

/// What an option may hold.
enum class RuleType { Number, Text, Flag };

struct RuleOptionSpec {
  llvm::StringRef name;
  RuleType type;
  bool mayBeNone = false;
};

/// A rule that exists, for checking.
struct RuleSpec {
  llvm::StringRef name;
  std::vector<RuleOptionSpec> options;
};

/// Reads a composition. Errors show the text and the column.
llvm::Expected<std::vector<RuleCall>> parseRules(llvm::StringRef text);

/// Whether `text` is a composition of step rules with options that they have.
llvm::Error checkStepRules(llvm::StringRef text);

/// Checks names and types of `calls` against `known`. `what` names the kind of
/// thing in errors ("step rule", "regularizer").
llvm::Error checkRules(llvm::ArrayRef<RuleCall> calls,
                       llvm::ArrayRef<RuleSpec> known, llvm::StringRef what);

} // namespace blocks

#endif
