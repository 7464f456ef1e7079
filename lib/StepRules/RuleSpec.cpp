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

namespace blocks {
namespace {

llvm::Error failure(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

<<<<<<< HEAD
/// A recursive-descent parser over the text; each method reads one construct.
class Parser {
public:
  explicit Parser(llvm::StringRef text) : text(text) {}

  llvm::Expected<std::vector<RuleCall>> parse() {
    std::vector<RuleCall> calls;
    do {
      llvm::Expected<RuleCall> call = parseCall();
      if (!call)
        return call.takeError();
      calls.push_back(std::move(*call));
    } while (consume(','));
    if (position < text.size())
      return expected("',' or the end");
    return calls;
  }

private:
  llvm::Expected<RuleCall> parseCall() {
    RuleCall call;
    if (llvm::Error error = parseName("the name of a rule", call.name))
      return error;
    if (!consume('(') || consume(')'))
      return call;
    do {
      RuleOption option;
      if (llvm::Error error = parseOption(option))
        return error;
      if (call.find(option.name))
        return failure("'" + call.name + "' is given option '" + option.name +
                       "' twice");
      call.options.push_back(std::move(option));
    } while (consume(','));
    if (!consume(')'))
      return expected("',' or ')'");
    return call;
  }

  llvm::Error parseOption(RuleOption &option) {
    if (llvm::Error error = parseName("the name of an option", option.name))
      return error;
    if (!consume('='))
      return expected("'=' and a value after '" + option.name + "'");
    return parseValue(option.value);
  }

  llvm::Error parseName(llvm::StringRef what, std::string &name) {
    skipBlanks();
    llvm::StringRef word =
        rest().take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    if (word.empty() || llvm::isDigit(word.front()))
      return expected(what);
    position += word.size();
    name = word.str();
    return llvm::Error::success();
  }

  llvm::Error parseValue(RuleValue &value) {
    skipBlanks();
    if (rest().starts_with("\"") || rest().starts_with("'"))
      return parseText(value);
    llvm::StringRef word = rest().take_while([](char c) {
      return llvm::isAlnum(c) || c == '_' || c == '.' || c == '+' || c == '-';
    });
    double number;
    if (word == "true" || word == "false")
      value = word == "true";
    else if (word == "none")
      value = std::monostate();
    else if (!word.empty() && !word.getAsDouble(number))
      value = number;
    else
      return expected("a number, \"text\", true, false or none");
    position += word.size();
    return llvm::Error::success();
  }

  llvm::Error parseText(RuleValue &value) {
    size_t end = text.find(text[position], position + 1);
    if (end == llvm::StringRef::npos)
      return failure("the quote at column " + llvm::Twine(position + 1) +
                     " of '" + text + "' is not closed");
    value = text.slice(position + 1, end).str();
    position = end + 1;
    return llvm::Error::success();
  }

  bool consume(char c) {
    skipBlanks();
    if (position >= text.size() || text[position] != c)
      return false;
    ++position;
    return true;
  }

  llvm::StringRef rest() const { return text.drop_front(position); }
  void skipBlanks() { position += rest().size() - rest().ltrim().size(); }

  llvm::Error expected(const llvm::Twine &what) {
    skipBlanks();
    std::string found =
        rest().empty() ? "the end" : "'" + rest().take_front(10).str() + "'";
    return failure("expected " + what + " at column " +
                   llvm::Twine(position + 1) + " of '" + text + "', found " +
                   found);
  }

  llvm::StringRef text;
  size_t position = 0;
};
=======
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
>>>>>>> ac9c4c8 ([step-rules] Read rules with the one parser of named calls)

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
