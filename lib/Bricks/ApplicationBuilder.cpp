//===- ApplicationBuilder.cpp - Building the body of an application -------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//
#include "lib/Bricks/ApplicationBuilder.h"

#include "lib/Bricks/BrickExpander.h"
#include "lib/Support/NearMisses.h"

using namespace mlir;

namespace blocks {

ApplicationBuilder::ApplicationBuilder(BrickExpander &expander, BrickOp brick,
                                       SymbolRefAttr reference,
                                       ApplicationOp application, Location call,
                                       StringRef origin)
    : config(brick), ops(OpBuilder::atBlockEnd(&application.getBody().front())),
      expander(expander), brick(brick), reference(reference),
      application(application), call(call), origin(origin) {}

//===--- Errors -----------------------------------------------------------===//

InFlightDiagnostic ApplicationBuilder::error() {
  InFlightDiagnostic diagnostic = emitError(call) << getPath() << " ";
  diagnostic.attachNote(brick.getLoc())
      << "brick " << getPath() << " (\"" << *brick.getKind()
      << "\") is declared here";
  return diagnostic;
}

std::string ApplicationBuilder::originText() const {
  return origin.empty() ? "" : " (" + origin + ")";
}

LogicalResult ApplicationBuilder::expectExtent(unsigned i, int64_t axis,
                                               int64_t extent, StringRef what) {
  auto type = cast<RankedTensorType>(argument(i).getType());
  if (extentsFit(type.getDimSize(axis), extent) && !type.isDynamicDim(axis))
    return success();
  if (type.isDynamicDim(axis))
    return error() << "expects " << extent << " " << what << " on axis " << axis
                   << ", but its input" << originText() << " has shape "
                   << shapeText(type)
                   << ", whose extent there is unknown; give it in the type";
  return error() << "expects " << extent << " " << what << " on axis " << axis
                 << ", found " << type.getDimSize(axis) << ": its input"
                 << originText() << " has shape " << shapeText(type);
}

//===--- Arguments and parameters -----------------------------------------===//

Block::BlockArgListType ApplicationBuilder::arguments() {
  return application.getBody().getArguments();
}
Value ApplicationBuilder::argument(unsigned i) { return arguments()[i]; }

LogicalResult ApplicationBuilder::takes(ArrayRef<StringRef> names,
                                        unsigned optional) {
  size_t found = arguments().size();
  if (found > names.size() || found + optional < names.size()) {
    InFlightDiagnostic diagnostic = error();
    diagnostic << "takes " << names.size() << " argument"
               << (names.size() == 1 ? "" : "s") << " (";
    llvm::interleaveComma(names, diagnostic);
    return diagnostic << (optional ? ", the last optional" : "")
                      << ") in its application '" << application.getUserName()
                      << "', found " << found;
  }
  nameArguments(std::vector<std::string>(names.begin(), names.begin() + found));
  return success();
}

void ApplicationBuilder::nameArguments(ArrayRef<std::string> names) {
  for (StringRef name : names)
    argumentAttrs.push_back(ops.getDictionaryAttr(
        ops.getNamedAttr("blocks.name", ops.getStringAttr(name))));
}

/// "inputs, mask": the names of arguments as errors list them.
static std::string listOf(ArrayRef<ArgumentName> names) {
  std::string text;
  for (const ArgumentName &name : names)
    text += (text.empty() ? "" : ", ") + name.name +
            (name.optional ? " (optional)" : "");
  return text;
}

FailureOr<NamedValues>
ApplicationBuilder::bindArguments(ArrayRef<ArgumentName> names) {
  std::vector<std::string> known, given;
  for (const ArgumentName &name : names)
    known.push_back(name.name);
  if (Attribute text = option("arguments")) {
    auto list = dyn_cast<ArrayAttr>(text);
    if (!list || !llvm::all_of(list, llvm::IsaPred<StringAttr>))
      return error() << "has the option arguments = " << text
                     << ", expected a list of names";
    for (Attribute name : list)
      given.push_back(cast<StringAttr>(name).str());
    if (given.size() != arguments().size())
      return error() << "is called with " << arguments().size()
                     << " arguments, but the option 'arguments' names "
                     << given.size();
  } else if (arguments().size() <= known.size()) {
    given.assign(known.begin(), known.begin() + arguments().size());
  } else {
    return error() << "takes " << listOf(names) << " in its application '"
                   << application.getUserName() << "', found "
                   << arguments().size() << " arguments";
  }
  NamedValues values;
  for (auto [name, value] : llvm::zip(given, arguments())) {
    if (!llvm::is_contained(known, name))
      return error() << "takes no argument '" << name
                     << "' in its application '" << application.getUserName()
                     << "'" << suggest(name, known);
    if (values[name])
      return error() << "is given the argument '" << name << "' twice";
    values.set(name, value);
  }
  for (const ArgumentName &name : names)
    if (!name.optional && !values[name.name])
      return error() << "needs the argument '" << name.name
                     << "' in its application '" << application.getUserName()
                     << "', which takes " << listOf(names);
  nameArguments(given);
  return values;
}

Attribute ApplicationBuilder::option(StringRef key) {
  auto options = application->getAttrOfType<DictionaryAttr>("blocks.options");
  return options ? options.get(key) : Attribute();
}

FailureOr<bool> ApplicationBuilder::flag(StringRef key, bool otherwise) {
  Attribute value = option(key);
  if (!value)
    return otherwise;
  if (isa<UnitAttr>(value))
    return true;
  if (auto flag = dyn_cast<BoolAttr>(value))
    return flag.getValue();
  return error() << "has the option " << key << " = " << value
                 << ", expected true or false";
}

const BrickLibrary &ApplicationBuilder::getLibrary() {
  return expander.getLibrary();
}

RankedTensorType ApplicationBuilder::floats(unsigned i, int64_t rank) {
  Type found = argument(i).getType();
  auto type = dyn_cast<RankedTensorType>(found);
  if (!type ||
      !(type.getElementType().isF32() || type.getElementType().isF64())) {
    error() << "works on f32 or f64, found an input" << originText()
            << " of type " << found
            << "; convert it with blocks.cast before the brick";
    return {};
  }
  if (type.getRank() < rank) {
    error() << "needs an input of at least " << rank << " axes, found"
            << originText() << " shape " << shapeText(type);
    return {};
  }
  return failed(checkElementType(type)) ? RankedTensorType() : type;
}

LogicalResult ApplicationBuilder::checkElementType(RankedTensorType type) {
  for (auto parameter : brick.getBodyBlock().getOps<ParameterOp>()) {
    Type own = parameter.getTensorType().getElementType();
    if (own != type.getElementType())
      return error() << "has parameters of " << own << ", but its input"
                     << originText() << " is " << type.getElementType()
                     << "; convert it with blocks.cast, or give the brick the "
                        "setting dtype = "
                     << type.getElementType();
  }
  return success();
}

Value ApplicationBuilder::parameter(StringRef name) {
  auto declared = cast<ParameterOp>(SymbolTable::lookupSymbolIn(brick, name));
  return GetOp::create(ops, getLoc(), declared.getTensorType(),
                       nestedReference(reference, name));
}

SmallVector<BrickOp> ApplicationBuilder::children() {
  return SmallVector<BrickOp>(brick.getBodyBlock().getOps<BrickOp>());
}

BrickOp ApplicationBuilder::lookupBrick(SymbolRefAttr callee) {
  return expander.lookupBrick(callee);
}

//===--- Children ---------------------------------------------------------===//

FailureOr<ApplyOp> ApplicationBuilder::apply(SymbolRefAttr callee,
                                             StringRef name, ValueRange inputs,
                                             StringRef inputOrigin,
                                             DictionaryAttr options) {
  FailureOr<ApplicationOp> target = expander.instantiate(
      callee, name, inputs.getTypes(), call,
      inputOrigin.empty() ? StringRef(origin) : inputOrigin, options);
  if (failed(target))
    return failure();
  auto applied =
      ApplyOp::create(ops, getLoc(), target->getResultTypes(),
                      nestedReference(callee, target->getSymName()), inputs);
  if (options)
    applied->setDiscardableAttrs(options);
  return applied;
}

FailureOr<Value> ApplicationBuilder::applyChild(StringRef child, Value input) {
  FailureOr<ApplyOp> applied =
      apply(nestedReference(reference, child), "apply", input);
  if (failed(applied))
    return failure();
  if (applied->getNumResults() != 1)
    return error() << "needs one result of " << brickPath(reference) << "/"
                   << child << ", which gives " << applied->getNumResults();
  return Value(applied->getResult(0));
}

FailureOr<Value> ApplicationBuilder::applyActivation(StringRef child,
                                                     Value input) {
  FailureOr<Value> output = applyChild(child, input);
  if (failed(output) || output->getType() == input.getType())
    return output;
  return error() << "needs an activation that keeps shapes, but "
                 << brickPath(reference) << "/" << child << " makes "
                 << output->getType() << " of " << input.getType();
}

ApplicationOp ApplicationBuilder::applicationOf(ApplyOp apply) {
  BrickOp target = expander.lookupBrick(parentReference(apply.getCallee()));
  return cast<ApplicationOp>(SymbolTable::lookupSymbolIn(
      target, apply.getCallee().getLeafReference()));
}

//===--- Results ----------------------------------------------------------===//

void ApplicationBuilder::result(Value value, StringRef name,
                                ArrayRef<Role> roles) {
  results.push_back(value);
  NamedAttrList attrs;
  attrs.append("blocks.name", ops.getStringAttr(name));
  if (!roles.empty())
    attrs.append("blocks.roles", RolesAttr::of(ops.getContext(), roles));
  resultAttrs.push_back(attrs.getDictionary(ops.getContext()));
}

Value ApplicationBuilder::auxiliary(Value value, StringRef name,
                                    ArrayRef<Role> further) {
  RolesAttr roles = RolesAttr::of(ops.getContext(), Role::Auxiliary);
  for (Role role : further)
    roles = roles.with(role);
  auto annotation = AnnotationAttr::get(
      ops.getContext(), ops.getStringAttr(getPath()),
      ops.getStringAttr(application.getUserName()), ops.getStringAttr(name),
      roles, ops.getStringAttr(""));
  return TagOp::create(ops, getLoc(), value, annotation);
}

void ApplicationBuilder::addNorms() {
  for (auto own : brick.getBodyBlock().getOps<ParameterOp>()) {
    Value value = parameter(own.getSymName());
    Value squares = arith::MulFOp::create(ops, getLoc(), value, value);
    Value sum = ReduceOp::create(
        ops, getLoc(), ReduceKind::Sum, squares,
        llvm::to_vector(llvm::seq<int64_t>(0, own.getTensorType().getRank())));
    auxiliary(math::SqrtOp::create(ops, getLoc(), sum),
              (own.getSymName() + "_norm").str());
  }
}

void ApplicationBuilder::nameLike(ApplicationOp first, ApplicationOp last) {
  argumentAttrs.clear();
  for (auto [i, argument] : llvm::enumerate(arguments()))
    argumentAttrs.push_back(ops.getDictionaryAttr(ops.getNamedAttr(
        "blocks.name", ops.getStringAttr(first.getArgumentName(i)))));
  for (auto [i, attrs] : llvm::enumerate(resultAttrs))
    attrs = ops.getDictionaryAttr(ops.getNamedAttr(
        "blocks.name", ops.getStringAttr(last.getResultName(i))));
}

void ApplicationBuilder::finish() {
  ReturnOp::create(ops, getLoc(), results);
  application.setFunctionType(ops.getFunctionType(
      application.getArgumentTypes(), ValueRange(results).getTypes()));
  application.setArgAttrsAttr(ops.getArrayAttr(argumentAttrs));
  application.setResAttrsAttr(ops.getArrayAttr(resultAttrs));
}

} // namespace blocks
