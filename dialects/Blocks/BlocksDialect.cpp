//===- BlocksDialect.cpp - Registration and small helpers -----------------===//
#include "dialects/Blocks/Blocks.h"

#include <llvm/ADT/TypeSwitch.h>
#include <mlir/IR/DialectImplementation.h>

using namespace mlir;

#include "dialects/Blocks/BlocksAttrInterfaces.cpp.inc"
#include "dialects/Blocks/BlocksDialect.cpp.inc"
#include "dialects/Blocks/BlocksEnums.cpp.inc"
#include "dialects/Blocks/BlocksOpInterfaces.cpp.inc"

namespace blocks {
ParseResult parseRoles(AsmParser &parser, RolesAttr &roles);
void printRoles(AsmPrinter &printer, RolesAttr roles);
} // namespace blocks

#define GET_ATTRDEF_CLASSES
#include "dialects/Blocks/BlocksAttributes.cpp.inc"

namespace blocks {

void BlocksDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Blocks/BlocksAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Blocks/BlocksOps.cpp.inc"
      >();
}

/// "/a/b" of the first `count` symbols.
static std::string joinPath(SymbolRefAttr reference, size_t count) {
  std::string path = "/" + reference.getRootReference().str();
  for (size_t i = 1; i < count; ++i)
    path += "/" + reference.getNestedReferences()[i - 1].getValue().str();
  return path;
}

std::string parameterPath(SymbolRefAttr reference) {
  size_t bricks = reference.getNestedReferences().size();
  if (bricks == 0)
    return reference.getRootReference().str();
  return joinPath(reference, bricks) + "." + reference.getLeafReference().str();
}

std::string brickPath(SymbolRefAttr reference) {
  return joinPath(reference, reference.getNestedReferences().size() + 1);
}

SymbolRefAttr nestedReference(SymbolRefAttr brick, StringRef name) {
  SmallVector<FlatSymbolRefAttr> nested(brick.getNestedReferences());
  nested.push_back(FlatSymbolRefAttr::get(brick.getContext(), name));
  return SymbolRefAttr::get(brick.getRootReference(), nested);
}

SymbolRefAttr parentReference(SymbolRefAttr reference) {
  ArrayRef<FlatSymbolRefAttr> nested = reference.getNestedReferences();
  if (nested.empty())
    return {};
  return SymbolRefAttr::get(reference.getRootReference(), nested.drop_back());
}

std::string shapeText(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasRank())
    return "unranked";
  if (shaped.getRank() == 0)
    return "scalar";
  std::string text;
  for (int64_t extent : shaped.getShape()) {
    text += text.empty() ? "" : "x";
    text += ShapedType::isDynamic(extent) ? "?" : std::to_string(extent);
  }
  return text;
}

} // namespace blocks
