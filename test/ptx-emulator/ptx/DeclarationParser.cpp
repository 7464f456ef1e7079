// Declarations of PTX; see DeclarationParser.h.
#include "DeclarationParser.h"

#include <cstring>
#include <map>

namespace ptxemu {
namespace {

const std::map<std::string, Space> spaces = {{".global", Space::global},
                                             {".const", Space::constant},
                                             {".shared", Space::shared},
                                             {".local", Space::local},
                                             {".param", Space::param}};

class DeclarationParser {
public:
  explicit DeclarationParser(Cursor &cursor) : cursor(cursor) {}

  /// Space, alignment, vector and type, in the orders that compilers write.
  Variable readHead() {
    Variable head;
    bool aligned = false;
    unsigned vector = 1;
    while (cursor.peek().kind == Token::directive) {
      std::string word = cursor.next().text;
      if (auto space = spaces.find(word); space != spaces.end() && !pointer)
        head.space = space->second;
      else if (word == ".align" && !pointer)
        aligned = true, head.alignment = unsigned(cursor.integer());
      else if (word == ".align")
        cursor.integer(); // what a pointer parameter points to
      else if (word == ".ptr")
        pointer = true;
      else if (word == ".v2" || word == ".v4")
        vector = word == ".v2" ? 2 : 4;
      else if (word == ".attribute")
        cursor.skipPast(")");
      else if (Type type = parseType(word); type != Type::none)
        head.type = type;
      else if (!pointer || !spaces.count(word))
        cursor.fail("unknown directive '" + word + "' of a variable");
    }
    head.size = sizeOf(head.type) * vector;
    if (!aligned)
      head.alignment = unsigned(head.size);
    return head;
  }

  Variable readNamed(const Variable &head) {
    Variable variable = head;
    variable.name = cursor.expectName();
    bool array = false;
    uint64_t count = 1;
    while (cursor.take("[")) {
      array = true;
      count *= cursor.is("]") ? 0 : uint64_t(cursor.integer());
      cursor.expect("]");
    }
    variable.size = head.size * count;
    if (cursor.take("="))
      readInitializer(variable, array && count == 0);
    return variable;
  }

private:
  Cursor &cursor;
  bool pointer = false;

  void readInitializer(Variable &variable, bool sizedByValues) {
    uint64_t at = 0;
    readValues(variable, at);
    if (sizedByValues)
      variable.size = at;
    variable.bytes.resize(variable.size);
  }

  void readValues(Variable &variable, uint64_t &at) {
    if (cursor.take("{")) {
      while (!cursor.take("}")) {
        readValues(variable, at);
        cursor.take(",");
      }
      return;
    }
    if (cursor.peek().kind == Token::name)
      readSymbol(variable, at);
    else
      readNumber(variable, at);
    at += sizeOf(variable.type);
  }

  void readSymbol(Variable &variable, uint64_t at) {
    std::string name = cursor.expectName();
    bool generic = name == "generic" && cursor.take("(");
    if (generic) {
      name = cursor.expectName();
      cursor.expect(")");
    }
    int64_t addend = cursor.is("+") || cursor.is("-") ? cursor.integer() : 0;
    variable.relocations.push_back({at, name, addend, generic});
    variable.bytes.resize(at + sizeOf(variable.type));
  }

  void readNumber(Variable &variable, uint64_t at) {
    Operand value = cursor.number();
    uint64_t bits = uint64_t(value.value);
    if (variable.type == Type::f64)
      bits = value.bits64;
    else if (variable.type == Type::f32 || value.kind == Operand::floating)
      bits = value.bits32;
    unsigned size = sizeOf(variable.type);
    variable.bytes.resize(at + size);
    std::memcpy(variable.bytes.data() + at, &bits, std::min(size, 8u));
  }
};

} // namespace

std::vector<Variable> readVariables(Cursor &cursor) {
  DeclarationParser parser(cursor);
  Variable head = parser.readHead();
  std::vector<Variable> variables;
  do
    variables.push_back(parser.readNamed(head));
  while (cursor.take(","));
  cursor.expect(";");
  return variables;
}

std::vector<Variable> readParameters(Cursor &cursor) {
  cursor.expect("(");
  std::vector<Variable> parameters;
  while (!cursor.take(")")) {
    DeclarationParser parser(cursor);
    Variable head = parser.readHead();
    parameters.push_back(parser.readNamed(head));
    cursor.take(",");
  }
  return parameters;
}

} // namespace ptxemu
