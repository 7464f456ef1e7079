//===- FilterParser.cpp - Text → predicate --------------------------------===//
//
// Grammar:  any  = all ('or' all)*
//           all  = one (['and'] one)*
//           one  = 'not' one | '(' any ')' | key ':' value
//
//===----------------------------------------------------------------------===//
#include "lib/Roles/FilterParser.h"

#include "lib/Support/NearMisses.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Regex.h>
#include <mlir/IR/BuiltinOps.h>

namespace blocks {
namespace {

using Node = std::shared_ptr<FilterNode>;

//===--- Predicates -------------------------------------------------------===//

struct Any : FilterNode {
  std::vector<Node> parts;
  bool matches(TagOp tag) const override {
    return llvm::any_of(parts, [&](const Node &n) { return n->matches(tag); });
  }
};
struct All : FilterNode {
  std::vector<Node> parts;
  bool matches(TagOp tag) const override {
    return llvm::all_of(parts, [&](const Node &n) { return n->matches(tag); });
  }
};
struct Not : FilterNode {
  Node part;
  bool matches(TagOp tag) const override { return !part->matches(tag); }
};
struct HasRole : FilterNode {
  Role role;
  bool matches(TagOp tag) const override {
    return tag.getAnnotation().getRoles().has(role);
  }
};
/// A glob over one field of the annotation.
struct Glob : FilterNode {
  mlir::StringAttr (AnnotationAttr::*field)() const;
  std::string glob;
  bool matches(TagOp tag) const override {
    return globMatches(glob, (tag.getAnnotation().*field)().getValue());
  }
};
struct Regex : FilterNode {
  explicit Regex(llvm::StringRef pattern) : regex(pattern) {}
  llvm::Regex regex;
  bool matches(TagOp tag) const override {
    return regex.match(annotationPath(tag.getAnnotation()));
  }
};
/// The kind of the brick that the annotation names, such as LSTM.
struct OfKind : FilterNode {
  std::string glob;
  bool matches(TagOp tag) const override {
    mlir::Operation *place = tag->getParentOfType<mlir::ModuleOp>();
    llvm::SmallVector<llvm::StringRef> names;
    tag.getAnnotation().getBrick().getValue().split(names, '/', -1, false);
    for (llvm::StringRef name : names)
      place = place ? mlir::SymbolTable::lookupSymbolIn(place, name) : nullptr;
    auto brick = llvm::dyn_cast_or_null<BrickOp>(place);
    return brick && brick.getKind() && globMatches(glob, *brick.getKind());
  }
};

//===--- Parser -----------------------------------------------------------===//

class Parser {
public:
  explicit Parser(llvm::StringRef text) : text(text) {}

  llvm::Expected<Node> parse() {
    llvm::Expected<Node> node = parseAny();
    if (node && !rest().empty())
      return failure("unexpected '" + rest().take_front(12).str() + "'");
    return node;
  }

private:
  llvm::Expected<Node> parseAny() {
    auto any = std::make_shared<Any>();
    do {
      llvm::Expected<Node> part = parseAll();
      if (!part)
        return part.takeError();
      any->parts.push_back(*part);
    } while (consumeWord("or"));
    return any->parts.size() == 1 ? any->parts.front() : Node(any);
  }

  llvm::Expected<Node> parseAll() {
    auto all = std::make_shared<All>();
    do {
      consumeWord("and");
      llvm::Expected<Node> part = parseOne();
      if (!part)
        return part.takeError();
      all->parts.push_back(*part);
    } while (!atEndOfAll());
    return all->parts.size() == 1 ? all->parts.front() : Node(all);
  }

  llvm::Expected<Node> parseOne() {
    if (consumeWord("not")) {
      llvm::Expected<Node> part = parseOne();
      if (!part)
        return part.takeError();
      auto node = std::make_shared<Not>();
      node->part = *part;
      return Node(node);
    }
    if (!rest().starts_with("("))
      return parseCriterion();
    size_t open = position++;
    llvm::Expected<Node> inner = parseAny();
    if (!inner)
      return inner.takeError();
    if (!rest().starts_with(")"))
      return failureAt(open, "this '(' is not closed");
    ++position;
    return inner;
  }

  llvm::Expected<Node> parseCriterion() {
    size_t start = text.size() - rest().size();
    llvm::StringRef key = rest().take_while(llvm::isAlpha);
    if (!rest().drop_front(key.size()).starts_with(":"))
      return failureAt(start, rest().empty() ? "the filter ends here, expected "
                                               "a criterion such as role:output"
                                             : "expected a criterion such as "
                                               "role:output or brick:/mlp/**");
    position += key.size() + 1;
    size_t valueStart = position;
    std::string value = parseValue();
    if (value.empty())
      return failureAt(valueStart, "'" + key.str() + ":' needs a value");
    return makeCriterion(key, value, start, valueStart);
  }

  /// Up to a blank or a parenthesis that the value did not open; or quoted.
  std::string parseValue() {
    char quote = position < text.size() ? text[position] : ' ';
    if (quote == '\'' || quote == '"') {
      size_t end = text.find(quote, position + 1);
      end = end == llvm::StringRef::npos ? text.size() : end;
      std::string value = text.slice(position + 1, end).str();
      position = std::min(end + 1, text.size());
      return value;
    }
    size_t start = position;
    for (int depth = 0; position < text.size(); ++position) {
      char c = text[position];
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (llvm::isSpace(c) || depth < 0)
        break;
    }
    return text.slice(start, position).str();
  }

  llvm::Expected<Node> makeCriterion(llvm::StringRef key,
                                     const std::string &value, size_t keyAt,
                                     size_t valueAt) {
    if (key == "role")
      return makeRole(value, valueAt);
    if (key == "brick")
      return makeGlob(&AnnotationAttr::getBrick, value);
    if (key == "kind") {
      auto node = std::make_shared<OfKind>();
      node->glob = value;
      return Node(node);
    }
    if (key == "name")
      return makeGlob(&AnnotationAttr::getName, value);
    if (key == "application")
      return makeGlob(&AnnotationAttr::getApplication, value);
    if (key == "call")
      return makeGlob(&AnnotationAttr::getCall, value);
    if (key == "regex")
      return makeRegex(value, valueAt);
    return failureAt(keyAt, "there is no criterion '" + key.str() + ":'" +
                                suggest(key, {"role", "brick", "kind", "name",
                                              "application", "call", "regex"}));
  }

  llvm::Expected<Node> makeRole(const std::string &value, size_t at) {
    std::optional<Role> role = symbolizeRole(value);
    if (!role) {
      std::vector<std::string> names;
      for (uint64_t i = 0; i <= getMaxEnumValForRole(); ++i)
        names.push_back(stringifyRole(Role(i)).str());
      return failureAt(at, "there is no role '" + value + "'" +
                               suggest(value, names));
    }
    auto node = std::make_shared<HasRole>();
    node->role = *role;
    return Node(node);
  }

  static Node makeGlob(mlir::StringAttr (AnnotationAttr::*field)() const,
                       const std::string &value) {
    auto node = std::make_shared<Glob>();
    node->field = field;
    node->glob = value;
    return node;
  }

  llvm::Expected<Node> makeRegex(const std::string &value, size_t at) {
    auto node = std::make_shared<Regex>(value);
    std::string problem;
    if (!node->regex.isValid(problem))
      return failureAt(at, "the regular expression '" + value +
                               "' does not work: " + problem);
    return Node(node);
  }

  //===--- Text -----------------------------------------------------------===//

  llvm::StringRef rest() {
    position = std::min(text.find_first_not_of(" \t\n", position), text.size());
    return text.drop_front(position);
  }
  bool startsWithWord(llvm::StringRef word) {
    llvm::StringRef after = rest();
    return after.consume_front(word) &&
           (after.empty() || llvm::isSpace(after.front()) ||
            after.front() == '(');
  }
  bool consumeWord(llvm::StringRef word) {
    bool found = startsWithWord(word);
    position += found ? word.size() : 0;
    return found;
  }
  bool atEndOfAll() {
    return rest().empty() || rest().starts_with(")") || startsWithWord("or");
  }

  llvm::Error failure(const std::string &message) {
    return failureAt(position, message);
  }
  llvm::Error failureAt(size_t at, const std::string &message) {
    return llvm::createStringError("filter '" + text.str() + "', column " +
                                   std::to_string(at + 1) + ": " + message);
  }

  llvm::StringRef text;
  size_t position = 0;
};

} // namespace

llvm::Expected<std::shared_ptr<FilterNode>> parseFilter(llvm::StringRef text) {
  return Parser(text).parse();
}

bool globMatches(llvm::StringRef glob, llvm::StringRef text) {
  if (glob == "/**" && text.empty())
    return true;
  if (glob.starts_with("/**") && globMatches(glob.drop_front(3), text))
    return true; // the slash belongs to the depth: "/a/**" fits "/a"
  if (glob.consume_front("**")) {
    for (size_t skipped = 0; skipped <= text.size(); ++skipped)
      if (globMatches(glob, text.drop_front(skipped)))
        return true;
    return false;
  }
  if (glob.consume_front("*")) {
    for (size_t skipped = 0; skipped <= text.size(); ++skipped) {
      if (globMatches(glob, text.drop_front(skipped)))
        return true;
      if (skipped < text.size() && text[skipped] == '/')
        return false;
    }
    return false;
  }
  if (glob.empty() || text.empty())
    return glob.empty() && text.empty();
  return glob.front() == text.front() &&
         globMatches(glob.drop_front(), text.drop_front());
}

} // namespace blocks
