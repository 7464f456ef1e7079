// The outer parser of PTX: module directives, variables and function headers.
// Bodies are read by BodyParser.
#include "BodyParser.h"
#include "DeclarationParser.h"

namespace ptxemu {
namespace {

class ModuleParser {
public:
  explicit ModuleParser(const std::string &text)
      : text(text), cursor(tokenize(text)) {}

  Module run() {
    readHeader();
    while (!cursor.atEnd())
      readTopLevel();
    return std::move(module);
  }

private:
  const std::string &text;
  Cursor cursor;
  Module module;

  void readHeader() {
    cursor.expect(".version");
    std::string version = cursor.next().text; // "8.4"
    size_t dot = version.find('.');
    if (dot == std::string::npos)
      cursor.fail("'.version' wants a number such as 8.0");
    module.version = unsigned(std::atoi(version.c_str()) * 10 +
                              std::atoi(version.c_str() + dot + 1));
    cursor.expect(".target");
    readTarget();
    if (cursor.take(".address_size") && cursor.integer() != 64)
      cursor.fail("only '.address_size 64' is emulated");
  }

  void readTarget() {
    std::string name = cursor.expectName();
    if (name.rfind("sm_", 0) != 0)
      cursor.fail("unknown target '" + name + "'");
    module.target = unsigned(std::atoi(name.c_str() + 3));
    if (std::isalpha(static_cast<unsigned char>(name.back())))
      module.targetSuffix = name.back();
    while (cursor.take(","))
      cursor.expectName(); // "debug", "texmode_independent"
  }

  void readTopLevel() {
    if (cursor.is(".file") || cursor.is(".loc"))
      return cursor.skipLine();
    if (cursor.take(".section")) {
      cursor.next();
      return cursor.skipBraces();
    }
    if (cursor.is(".pragma") || cursor.is(".alias"))
      return cursor.skipPast(";");
    bool external = false;
    while (cursor.is(".extern") || cursor.is(".visible") ||
           cursor.is(".weak") || cursor.is(".common"))
      external |= cursor.next().text == ".extern";
    if (cursor.is(".entry") || cursor.is(".func"))
      return readFunction();
    for (Variable &variable : readVariables(cursor)) {
      variable.external = external;
      module.variables.push_back(std::move(variable));
    }
  }

  void readFunction() {
    Function function;
    function.entry = cursor.next().text == ".entry";
    function.line = cursor.peek().line;
    if (cursor.take(".attribute"))
      cursor.skipPast(")");
    if (cursor.is("("))
      function.returns = readParameters(cursor);
    function.name = cursor.expectName();
    if (cursor.is("("))
      function.params = readParameters(cursor);
    readFunctionDirectives(function);
    if (cursor.is("{")) {
      function.hasBody = true;
      BodyParser(text, cursor, function).run();
    } else {
      cursor.expect(";");
    }
    add(std::move(function));
  }

  /// A body replaces a declaration that came before it.
  void add(Function function) {
    for (Function &known : module.functions)
      if (known.name == function.name) {
        if (function.hasBody)
          known = std::move(function);
        return;
      }
    module.functions.push_back(std::move(function));
  }

  void readFunctionDirectives(Function &function) {
    while (cursor.peek().kind == Token::directive) {
      std::string directive = cursor.next().text;
      if (directive == ".maxntid")
        readExtents(function.maxThreads);
      else if (directive == ".reqntid")
        readExtents(function.requiredThreads);
      else if (directive == ".pragma")
        cursor.skipPast(";");
      else if (directive == ".minnctapersm" || directive == ".maxnreg" ||
               directive == ".maxnctapersm")
        cursor.integer();
      else if (directive != ".noreturn" && directive != ".weak" &&
               directive != ".visible")
        cursor.fail("unknown directive '" + directive + "' of a function");
    }
  }

  void readExtents(unsigned (&extents)[3]) {
    for (unsigned &extent : extents)
      extent = 1;
    unsigned count = 0;
    do
      extents[count++] = unsigned(cursor.integer());
    while (count < 3 && cursor.take(","));
  }
};

} // namespace

Module parsePtx(const std::string &text) { return ModuleParser(text).run(); }

} // namespace ptxemu
