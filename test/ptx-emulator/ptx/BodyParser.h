// Reads the body of a function: register and variable declarations, labels
// and instructions. Nested scopes rename what they declare.
#pragma once

#include "Cursor.h"

namespace ptxemu {

class BodyParser {
public:
  BodyParser(const std::string &text, Cursor &cursor, Function &function)
      : text(text), cursor(cursor), function(function) {}
  void run();

private:
  const std::string &text;
  Cursor &cursor;
  Function &function;
  /// Names of each open scope, with what they are called in the function.
  std::vector<std::map<std::string, std::string>> scopes;
  std::vector<std::string> pendingLabels;
  unsigned scopeCount = 0;

  void readScope();
  void readStatement();
  bool readDirective();
  void readRegisters();
  void readLabel();
  void readBranchTargets(const std::string &label);
  void readInstruction();
  Operand readOperand();
  Operand readAddress();
  Operand readList(const char *close);
  std::string declare(const std::string &name);
  std::string resolve(const std::string &name) const;
  std::string readName();
};

} // namespace ptxemu
