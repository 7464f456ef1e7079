//===- RuleSpec.cpp - Checks of rule compositions -------------------------===//
//
// The text itself is read by runtime/Base/NamedCalls.
//
//===----------------------------------------------------------------------===//
#include "lib/StepRules/RuleSpec.h"

#include "blocks/Error.h"
#include "lib/Support/NearMisses.h"
#include "runtime/Base/NamedCalls.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FormatVariadic.h>

#include <cmath>

namespace blocks {
namespace {

llvm::Error failure(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

/// What the text of an argument stands for.
RuleValue valueOf(const CallArgument &argument) {
  double number;
  if (argument.quoted)
    return argument.text;
  if (argument.text == "true" || argument.text == "false")
    return argument.text == "true";
  if (argument.text == "none")
    return std::monostate();
  if (!llvm::StringRef(argument.text).getAsDouble(number))
    return number;
  return argument.text;
}

llvm::StringRef typeName(RuleType type) {
  switch (type) {
  case RuleType::Number:
    return "a number";
  case RuleType::Text:
    return "a text in quotes";
  case RuleType::Flag:
    return "true or false";
  }
  llvm_unreachable("all types are named");
}

std::string valueText(const RuleValue &value) {
  if (auto *number = std::get_if<double>(&value))
    return llvm::formatv("{0}", *number).str();
  if (auto *flag = std::get_if<bool>(&value))
    return *flag ? "true" : "false";
  if (auto *text = std::get_if<std::string>(&value))
    return "\"" + *text + "\"";
  return "none";
}

bool fits(const RuleValue &value, const RuleOptionSpec &spec) {
  if (std::holds_alternative<std::monostate>(value))
    return spec.mayBeNone;
  switch (spec.type) {
  case RuleType::Number:
    return std::holds_alternative<double>(value);
  case RuleType::Text:
    return std::holds_alternative<std::string>(value);
  case RuleType::Flag:
    return std::holds_alternative<bool>(value);
  }
  llvm_unreachable("all types are checked");
}

llvm::Error checkOption(const RuleCall &call, const RuleOption &option,
                        const RuleSpec &rule, llvm::StringRef what) {
  for (const RuleOptionSpec &spec : rule.options) {
    if (spec.name != option.name)
      continue;
    if (auto *number = std::get_if<double>(&option.value);
        number && !std::isfinite(*number))
      return failure("option '" + option.name + "' of " + what + " '" +
                     call.name + "' must be a finite number");
    if (fits(option.value, spec))
      return llvm::Error::success();
    return failure("option '" + option.name + "' of " + what + " '" +
                   call.name + "' is " + typeName(spec.type) + "; found " +
                   valueText(option.value));
  }
  std::vector<std::string> names;
  for (const RuleOptionSpec &spec : rule.options)
    names.push_back(spec.name.str());
  return failure(what + " '" + call.name + "' has no option '" + option.name +
                 "'" +
                 (names.empty() ? std::string("; it has none")
                                : suggest(option.name, names)));
}

} // namespace

const RuleValue *RuleCall::find(llvm::StringRef name) const {
  for (const RuleOption &option : options)
    if (option.name == name)
      return &option.value;
  return nullptr;
}

double RuleCall::number(llvm::StringRef name, double otherwise) const {
  return maybeNumber(name).value_or(otherwise);
}

std::optional<double> RuleCall::maybeNumber(llvm::StringRef name) const {
  const RuleValue *value = find(name);
  if (!value || !std::holds_alternative<double>(*value))
    return std::nullopt;
  return std::get<double>(*value);
}

std::string RuleCall::text(llvm::StringRef name,
                           llvm::StringRef otherwise) const {
  const RuleValue *value = find(name);
  if (!value || !std::holds_alternative<std::string>(*value))
    return otherwise.str();
  return std::get<std::string>(*value);
}

bool RuleCall::flag(llvm::StringRef name, bool otherwise) const {
  const RuleValue *value = find(name);
  if (!value || !std::holds_alternative<bool>(*value))
    return otherwise;
  return std::get<bool>(*value);
}

llvm::Expected<std::vector<RuleCall>> parseRules(llvm::StringRef text) {
  std::vector<RuleCall> calls;
  try {
    for (NamedCall &call : parseNamedCalls(text.str())) {
      RuleCall &rule = calls.emplace_back();
      rule.name = std::move(call.name);
      for (const CallArgument &argument : call.arguments)
        rule.options.push_back({argument.name, valueOf(argument)});
    }
  } catch (const Error &error) {
    return failure(error.what());
  }
  return calls;
}

llvm::Error checkRules(llvm::ArrayRef<RuleCall> calls,
                       llvm::ArrayRef<RuleSpec> known, llvm::StringRef what) {
  for (const RuleCall &call : calls) {
    const RuleSpec *rule = llvm::find_if(
        known, [&](const RuleSpec &spec) { return spec.name == call.name; });
    if (rule == known.end()) {
      std::vector<std::string> names;
      for (const RuleSpec &spec : known)
        names.push_back(spec.name.str());
      return failure("there is no " + what + " '" + call.name + "'" +
                     suggest(call.name, names));
    }
    for (const RuleOption &option : call.options)
      if (llvm::Error error = checkOption(call, option, *rule, what))
        return error;
  }
  return llvm::Error::success();
}

} // namespace blocks
