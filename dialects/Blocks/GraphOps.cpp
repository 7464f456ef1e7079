//===- GraphOps.cpp - Syntax and verifiers of graphs ----------------------===//
#include "dialects/Blocks/Blocks.h"
#include "dialects/Blocks/FunctionSyntax.h"

#include <llvm/ADT/StringSet.h>
#include <llvm/Support/JSON.h>

using namespace mlir;

namespace blocks {

ParseResult GraphOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseLikeFunction<GraphOp>(parser, result);
}

void GraphOp::print(OpAsmPrinter &printer) {
  printLikeFunction(printer, *this);
}

StringRef GraphOp::getSourceName(unsigned i) {
  auto name = getArgAttrOfType<StringAttr>(i, "blocks.source");
  return name ? name.getValue() : StringRef();
}

SmallVector<StringRef> GraphOp::getAxisNames(unsigned i) {
  auto type = cast<RankedTensorType>(getArgumentTypes()[i]);
  SmallVector<StringRef> names(type.getRank(), "");
  if (auto axes = getArgAttrOfType<ArrayAttr>(i, "blocks.axes"))
    for (auto [name, attr] : llvm::zip(names, axes))
      name = cast<StringAttr>(attr).getValue();
  if (!names.empty() && names[0].empty() && type.isDynamicDim(0))
    names[0] = "batch";
  return names;
}

/// Names stand in logs, messages and files: text without control characters.
static bool isReadableName(StringRef name) {
  return !name.empty() && llvm::json::isUTF8(name) &&
         llvm::none_of(name,
                       [](unsigned char c) { return c < 32 || c == 127; });
}

/// Checks one argument: a ranked tensor with a source and fitting axes.
static LogicalResult verifySource(GraphOp graph, unsigned i,
                                  llvm::StringSet<> &seen) {
  auto type = dyn_cast<RankedTensorType>(graph.getArgumentTypes()[i]);
  if (!type)
    return graph.emitOpError()
           << "argument " << i << " must be a ranked tensor";
  StringRef source = graph.getSourceName(i);
  if (source.empty())
    return graph.emitOpError()
           << "argument " << i
           << " names no source; add {blocks.source = \"features\"}";
  if (!isReadableName(source))
    return graph.emitOpError() << "argument " << i
                               << " names a source with "
                                  "control characters or invalid UTF-8";
  if (!seen.insert(source).second)
    return graph.emitOpError() << "names source \"" << source << "\" twice";
  Attribute axes = graph.getArgAttr(i, "blocks.axes");
  if (!axes)
    return success();
  auto list = dyn_cast<ArrayAttr>(axes);
  if (!list || !llvm::all_of(list, llvm::IsaPred<StringAttr>))
    return graph.emitOpError()
           << "axes of source \"" << source << "\" must be an array of strings";
  if (int64_t(list.size()) != type.getRank())
    return graph.emitOpError()
           << "source \"" << source << "\" has rank " << type.getRank()
           << ", but blocks.axes names " << list.size() << " axes";
  return success();
}

LogicalResult GraphOp::verify() {
  if (!getResultTypes().empty())
    return emitOpError("has no results; use blocks.output");
  llvm::StringSet<> sources, outputs;
  for (unsigned i = 0; i < getNumArguments(); ++i)
    if (failed(verifySource(*this, i, sources)))
      return failure();
  for (OutputOp output : getBody().front().getOps<OutputOp>())
    if (!outputs.insert(output.getName()).second)
      return output.emitOpError()
             << "graph @" << getSymName() << " has two outputs named \""
             << output.getName() << "\"";
  return success();
}

LogicalResult OutputOp::verify() {
  if (!isReadableName(getName()))
    return emitOpError("needs a name without control characters or invalid "
                       "UTF-8, such as \"cost\"");
  auto type = cast<RankedTensorType>(getValue().getType());
  if (getAggregate() != AggregateKind::Last && type.getRank() != 0)
    return emitOpError() << "\"" << getName() << "\" is aggregated by "
                         << stringifyAggregateKind(getAggregate())
                         << ", so it must be a scalar; found "
                         << shapeText(type);
  if (getRoles().has(Role::Cost) && type.getRank() != 0)
    return emitOpError() << "cost \"" << getName()
                         << "\" must be a scalar; found " << shapeText(type)
                         << "; reduce it to its mean first";
  return success();
}

} // namespace blocks
