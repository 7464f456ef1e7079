// Function bodies of PTX; see BodyParser.h.
#include "BodyParser.h"
#include "DeclarationParser.h"

namespace ptxemu {

void BodyParser::run() {
  readScope();
  // Labels at the very end need something to stand before.
  Instruction last;
  last.line = cursor.peek().line;
  last.opcode = "ret";
  last.text = "ret; (end of the function)";
  last.labels = std::move(pendingLabels);
  function.body.push_back(std::move(last));
}

void BodyParser::readScope() {
  cursor.expect("{");
  scopes.emplace_back();
  ++scopeCount;
  while (!cursor.take("}")) {
    if (cursor.atEnd())
      cursor.fail("the body of '" + function.name + "' has no end");
    readStatement();
  }
  scopes.pop_back();
}

void BodyParser::readStatement() {
  if (cursor.is("{"))
    return readScope();
  if (cursor.take(";") || readDirective())
    return;
  if (cursor.peek().kind == Token::name && cursor.peek(1).text == ":")
    return readLabel();
  readInstruction();
}

bool BodyParser::readDirective() {
  if (cursor.peek().kind != Token::directive)
    return false;
  if (cursor.is(".loc") || cursor.is(".file"))
    cursor.skipLine();
  else if (cursor.is(".pragma"))
    cursor.skipPast(";");
  else if (cursor.take(".reg"))
    readRegisters();
  else
    for (Variable &variable : readVariables(cursor)) {
      variable.name = declare(variable.name);
      function.variables.push_back(std::move(variable));
    }
  return true;
}

void BodyParser::readRegisters() {
  Type type = Type::none;
  while (cursor.peek().kind == Token::directive)
    type = parseType(cursor.next().text);
  if (type == Type::none)
    cursor.fail("registers need a type");
  do {
    std::string name = cursor.expectName();
    if (!cursor.take("<")) {
      function.registers[declare(name)] = type;
      continue;
    }
    int64_t count = cursor.integer();
    cursor.expect(">");
    for (int64_t i = 0; i < count; ++i)
      function.registers[declare(name + std::to_string(i))] = type;
  } while (cursor.take(","));
  cursor.expect(";");
}

void BodyParser::readLabel() {
  std::string label = cursor.next().text;
  cursor.expect(":");
  if (cursor.is(".branchtargets"))
    return readBranchTargets(label);
  if (cursor.is(".callprototype") || cursor.is(".calltargets"))
    return cursor.skipPast(";");
  pendingLabels.push_back(label);
}

void BodyParser::readBranchTargets(const std::string &label) {
  cursor.next();
  do
    function.branchTargets[label].push_back(cursor.expectName());
  while (cursor.take(","));
  cursor.expect(";");
}

void BodyParser::readInstruction() {
  Instruction instruction;
  instruction.line = cursor.peek().line;
  size_t begin = cursor.peek().begin;
  instruction.labels = std::move(pendingLabels);
  pendingLabels.clear();
  if (cursor.take("@")) {
    instruction.guardNegated = cursor.take("!");
    instruction.guard = resolve(cursor.expectName());
  }
  instruction.opcode = cursor.expectName();
  while (cursor.peek().kind == Token::directive)
    instruction.modifiers.push_back(cursor.next().text);
  while (!cursor.is(";")) {
    if (cursor.atEnd())
      cursor.fail("an instruction has no ';'");
    instruction.operands.push_back(readOperand());
    if (!cursor.is(";"))
      cursor.expect(",");
  }
  instruction.text = text.substr(begin, cursor.next().finish - begin);
  for (char &c : instruction.text)
    if (c == '\t' || c == '\n' || c == '\r')
      c = ' ';
  function.body.push_back(std::move(instruction));
}

Operand BodyParser::readOperand() {
  if (cursor.take("["))
    return readAddress();
  if (cursor.take("{"))
    return readList("}");
  if (cursor.take("("))
    return readList(")");
  Operand operand;
  operand.negated = cursor.take("!");
  if (cursor.peek().kind == Token::number || cursor.is("-") || cursor.is("+"))
    return cursor.number();
  operand.kind = Operand::name;
  operand.text = readName();
  if (operand.text == "_")
    operand.kind = Operand::sink;
  if (cursor.take("|"))
    operand.second = readName();
  else if (cursor.is("+") || cursor.is("-"))
    operand.value = cursor.integer();
  return operand;
}

Operand BodyParser::readAddress() {
  Operand operand;
  operand.kind = Operand::address;
  if (cursor.peek().kind == Token::name) {
    operand.text = readName();
    if (!cursor.is("]"))
      operand.value = cursor.integer();
  } else {
    operand.value = cursor.integer();
  }
  cursor.expect("]");
  return operand;
}

Operand BodyParser::readList(const char *close) {
  Operand operand;
  operand.kind = Operand::vector;
  while (!cursor.take(close)) {
    operand.elements.push_back(readOperand());
    cursor.take(",");
  }
  return operand;
}

/// A name, with the ".x" of a special register.
std::string BodyParser::readName() {
  const Token &token = cursor.peek();
  std::string name = resolve(cursor.expectName());
  const Token &suffix = cursor.peek();
  if (token.text[0] == '%' && suffix.kind == Token::directive &&
      suffix.begin == token.finish)
    name += cursor.next().text;
  return name;
}

std::string BodyParser::declare(const std::string &name) {
  std::string unique =
      scopes.size() == 1 ? name : name + "@" + std::to_string(scopeCount);
  scopes.back()[name] = unique;
  return unique;
}

std::string BodyParser::resolve(const std::string &name) const {
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope)
    if (auto found = scope->find(name); found != scope->end())
      return found->second;
  return name;
}

} // namespace ptxemu
