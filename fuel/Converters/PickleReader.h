// PickleReader: the stack machine that a pickle is a program for. See Pickle.h.
#pragma once

#include "fuel/Converters/Pickle.h"

#include <unordered_map>

namespace fuel {

class PickleReader {
public:
  PickleReader(Pickle &pickle, std::span<const std::byte> bytes);
  /// Runs to the end and returns the object.
  const PickleValue *run();

private:
  using Kind = PickleValue::Kind;
  [[noreturn]] void fail(const std::string &what) const;

  // Bytes.
  std::string_view take(uint64_t count);
  uint64_t number(int bytes);
  std::string_view line();
  int64_t decimal(std::string_view digits) const;

  // Stack.
  PickleValue &make(Kind kind);
  void push(PickleValue *value);
  PickleValue *pop();
  PickleValue *pop(Kind kind, const char *what);
  PickleValue *peek(Kind kind, const char *what);
  std::vector<const PickleValue *> popToMark();
  void pushInteger(int64_t value);
  void pushText(std::string_view text, bool unicode);
  void pushItems(Kind kind, std::vector<const PickleValue *> items);
  void pushGlobal(std::string_view module, std::string_view name);
  std::string_view keep(std::string text);

  // Groups of instructions; false if `code` is none of theirs.
  bool number(char code);
  bool text(char code);
  bool container(char code);
  bool memo(char code);
  bool object(char code);
  bool other(char code);

  std::string_view unquoted(std::string_view literal);
  std::string_view unescaped(std::string_view literal);
  std::string latin1(std::string_view utf8) const;
  void appendItems(std::vector<const PickleValue *> items);
  void setItems(std::vector<const PickleValue *> items);
  void remember(uint64_t number);
  void recall(uint64_t number);
  void reduce();
  PickleValue *dtypeOf(const PickleValue &arguments);
  void build();
  void buildType(PickleValue &type, const PickleValue &state);
  void buildArray(PickleValue &array, const PickleValue &state);

  Pickle &pickle;
  std::string_view bytes;
  size_t position = 0;
  std::vector<PickleValue *> stack; ///< A null is a mark.
  std::unordered_map<uint64_t, PickleValue *> memory;
  uint64_t keptBytes = 0;
};

} // namespace fuel
