//===- BrickOps.cpp - Syntax and verifiers of bricks ----------------------===//
#include "dialects/Blocks/Blocks.h"
#include "dialects/Blocks/FunctionSyntax.h"
#include "dialects/Blocks/ParameterSize.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FormatVariadic.h>
#include <llvm/Support/JSON.h>

#include <cmath>

using namespace mlir;

namespace blocks {
ParseResult parseRoles(AsmParser &parser, RolesAttr &roles);
void printRoles(AsmPrinter &printer, RolesAttr roles);
void printRoles(AsmPrinter &printer, Operation *, RolesAttr roles) {
  printRoles(printer, roles);
}

/// `roles [cost]`, or nothing for no roles.
static ParseResult parseOptionalRoles(OpAsmParser &parser, RolesAttr &roles) {
  if (succeeded(parser.parseOptionalKeyword("roles")))
    return parseRoles(parser, roles);
  roles = RolesAttr::empty(parser.getContext());
  return success();
}
static void printOptionalRoles(OpAsmPrinter &printer, Operation *,
                               RolesAttr roles) {
  if (roles.getValue().empty())
    return;
  printer << "roles ";
  printRoles(printer, roles);
}

//===--- Paths ------------------------------------------------------------===//

/// The symbols from the module's top down to `op`.
static SymbolRefAttr referenceTo(Operation *op) {
  SmallVector<StringRef> names;
  for (; op && SymbolTable::getSymbolName(op); op = op->getParentOp()) {
    names.push_back(SymbolTable::getSymbolName(op).getValue());
    if (!isa_and_nonnull<BrickOp>(op->getParentOp()))
      break;
  }
  SmallVector<FlatSymbolRefAttr> nested;
  for (StringRef name : llvm::drop_begin(llvm::reverse(names)))
    nested.push_back(FlatSymbolRefAttr::get(op->getContext(), name));
  return SymbolRefAttr::get(op->getContext(), names.back(), nested);
}

std::string BrickOp::getPath() { return brickPath(referenceTo(*this)); }
std::string ParameterOp::getPath() { return parameterPath(getReference()); }
SymbolRefAttr ParameterOp::getReference() { return referenceTo(*this); }

AnnotationAttr ParameterOp::getAnnotation() {
  Builder builder(getContext());
  auto brick = cast<BrickOp>((*this)->getParentOp());
  StringAttr none = builder.getStringAttr("");
  return AnnotationAttr::get(getContext(),
                             builder.getStringAttr(brick.getPath()), none,
                             getSymNameAttr(), getRoles(), none);
}

//===--- Names and sizes --------------------------------------------------===//

/// Reports what stands in a brick @algorithm at the module's top, where step
/// rules keep their state and checkpoints expect nothing else.
static LogicalResult checkNotReserved(Operation *op) {
  Operation *top = op;
  while (isa_and_nonnull<BrickOp>(top->getParentOp()))
    top = top->getParentOp();
  auto brick = dyn_cast<BrickOp>(top);
  if (!brick || brick.getSymName() != "algorithm")
    return success();
  InFlightDiagnostic error =
      emitError(op->getLoc())
      << "the name @algorithm is reserved for the state of step rules; give "
         "the brick another name";
  if (op != top)
    error.attachNote(top->getLoc()) << "the brick is here";
  return error;
}

LogicalResult checkSize(RankedTensorType type,
                        function_ref<InFlightDiagnostic()> emitError) {
  // No machine of today addresses more; products below cannot overflow.
  constexpr double limit = 0x1p56;
  double bytes = std::ceil(type.getElementTypeBitWidth() / 8.0);
  for (int64_t extent : type.getShape()) {
    if (extent <= 0)
      return emitError() << "has the extent " << extent
                         << ", expected positive ones";
    bytes *= double(extent);
  }
  if (bytes <= limit)
    return success();
  return emitError() << "would take " << llvm::formatv("{0:e2}", bytes).str()
                     << " bytes, more than a machine can address; make its "
                        "dimensions smaller";
}

LogicalResult checkPathName(StringRef name,
                            function_ref<InFlightDiagnostic()> emitError) {
  auto isUnreadable = [](unsigned char c) { return c < 32 || c == 127; };
  if (!name.empty() && !name.contains('/') && !name.contains('.') &&
      llvm::json::isUTF8(name) && llvm::none_of(name, isUnreadable))
    return success();
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::printEscapedString(name, stream);
  return emitError() << "the name \"" << text
                     << "\"; names are parts of paths such as "
                        "/mlp/linear_0.W, so they may not be empty nor hold "
                        "'/', '.', control characters or invalid UTF-8; "
                        "rename it";
}

//===--- blocks.brick -----------------------------------------------------===//

ParseResult BrickOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  if (parser.parseSymbolName(name, getSymNameAttrName(result.name),
                             result.attributes))
    return failure();
  Region *body = result.addRegion();
  if (succeeded(parser.parseOptionalEqual())) {
    StringAttr kind;
    NamedAttrList config;
    if (parser.parseAttribute(kind, getKindAttrName(result.name),
                              result.attributes) ||
        parser.parseOptionalAttrDict(config))
      return failure();
    result.addAttribute(getConfigAttrName(result.name),
                        config.getDictionary(parser.getContext()));
    OptionalParseResult parsed = parser.parseOptionalRegion(*body);
    if (parsed.has_value() && failed(*parsed))
      return failure();
  } else if (parser.parseRegion(*body)) {
    return failure();
  }
  if (body->empty())
    body->emplaceBlock();
  return success();
}

void BrickOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  if (getKind()) {
    printer << " = ";
    printer.printAttributeWithoutType(getKindAttr());
    printer << ' '
            << (getConfig() ? Attribute(*getConfig())
                            : DictionaryAttr::get(getContext()));
  }
  // A library brick that is not expanded yet has nothing to show.
  if (!isUnexpanded()) {
    printer << ' ';
    printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
  }
}

/// Two things in one brick with one name: say which paths would clash.
static LogicalResult reportTwice(BrickOp brick, StringRef name,
                                 Operation *second, Operation *first) {
  auto error = second->emitError()
               << "brick " << brick.getPath() << " holds two things named '"
               << name << "'";
  std::string path = brick.getPath();
  if (isa<ParameterOp>(second) && isa<ParameterOp>(first))
    error << ", so the path " << path << "." << name
          << " would name two parameters";
  else if (isa<BrickOp>(second) && isa<BrickOp>(first))
    error << ", so the path " << path << "/" << name
          << " would name two bricks";
  error << "; rename one";
  error.attachNote(first->getLoc()) << "the first is here";
  return error;
}

LogicalResult BrickOp::verify() {
  if (!isa_and_nonnull<ModuleOp, BrickOp>((*this)->getParentOp()))
    return emitOpError("stands at the module's top or inside a brick");
  auto named = checkPathName(getSymName(),
                             [&] { return emitError() << "a brick has "; });
  if (failed(named))
    return failure();
  if (getKind() && failed(checkNotReserved(*this)))
    return failure();
  if (isUnexpanded()) {
    auto *library =
        (*this)->getDialect()->getRegisteredInterface<BrickLibraryInterface>();
    return library ? library->verifyBrick(*this) : success();
  }
  llvm::StringMap<Operation *> names;
  for (Operation &op : getBody().front()) {
    if (!isa<BrickOp, ParameterOp, ApplicationOp>(op))
      return op.emitError()
             << "brick " << getPath() << " holds a " << op.getName()
             << "; only bricks, parameters and applications "
                "may stand in a brick";
    StringRef name = mlir::SymbolTable::getSymbolName(&op).getValue();
    auto [known, isNew] = names.try_emplace(name, &op);
    if (!isNew)
      return reportTwice(*this, name, &op, known->second);
  }
  return success();
}

LogicalResult ParameterOp::verify() {
  if (!isa_and_nonnull<BrickOp>((*this)->getParentOp()))
    return emitOpError("stands inside a brick");
  auto named = checkPathName(getSymName(),
                             [&] { return emitError() << "a parameter has "; });
  if (failed(named))
    return failure();
  if (!getRoles().has(Role::AlgorithmState) && failed(checkNotReserved(*this)))
    return failure();
  auto sized = checkSize(getTensorType(), [&] {
    return emitError() << "parameter " << getPath() << " of type " << getType()
                       << " ";
  });
  if (failed(sized))
    return failure();
  return checkInitializer(getInit(), getTensorType().getShape(), [&] {
    return emitError() << "parameter " << getPath() << " of shape "
                       << shapeText(getType()) << ": ";
  });
}

//===--- blocks.application -----------------------------------------------===//

ParseResult ApplicationOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseLikeFunction<ApplicationOp>(parser, result);
}

void ApplicationOp::print(OpAsmPrinter &printer) {
  printLikeFunction(printer, *this);
}

LogicalResult ApplicationOp::verify() {
  if (!isa_and_nonnull<BrickOp>((*this)->getParentOp()))
    return emitOpError("stands inside a brick");
  if (!isa_and_nonnull<ReturnOp>(
          getBody().front().empty() ? nullptr : &getBody().front().back()))
    return emitOpError("must end with blocks.return");
  return checkNotReserved(*this);
}

/// The name in `blocks.name`, or the default for value `i` of `count`.
static std::string nameOr(StringAttr given, StringRef prefix, unsigned i,
                          unsigned count, StringRef single) {
  if (given)
    return given.str();
  return count == 1 ? single.str() : prefix.str() + std::to_string(i);
}

std::string ApplicationOp::getArgumentName(unsigned i) {
  return nameOr(getArgAttrOfType<StringAttr>(i, "blocks.name"), "input_", i,
                getNumArguments(), "input_");
}
std::string ApplicationOp::getResultName(unsigned i) {
  return nameOr(getResultAttrOfType<StringAttr>(i, "blocks.name"), "output_", i,
                getResultTypes().size(), "output");
}

LogicalResult ReturnOp::verify() {
  auto function = cast<FunctionOpInterface>((*this)->getParentOp());
  if (getOperandTypes() != TypeRange(function.getResultTypes()))
    return emitOpError("returns (")
           << getOperandTypes() << "), but "
           << (isa<KernelOp>(function) ? "kernel " : "application ")
           << function.getName() << " declares (" << function.getResultTypes()
           << ")";
  return success();
}

//===--- Users of symbols -------------------------------------------------===//

/// The parameter that `reference` names, or null after an error that says what
/// was found.
static ParameterOp lookupParameter(Operation *user, SymbolRefAttr reference,
                                   SymbolTableCollection &symbols) {
  Operation *module = user->getParentOfType<ModuleOp>();
  Operation *found = symbols.lookupSymbolIn(module, reference);
  if (auto parameter = dyn_cast_or_null<ParameterOp>(found))
    return parameter;
  user->emitOpError() << "there is no parameter " << parameterPath(reference);
  return {};
}

static LogicalResult checkType(Operation *user, Type type,
                               ParameterOp parameter) {
  if (type == parameter.getType())
    return success();
  InFlightDiagnostic error = user->emitOpError()
                             << "uses " << parameter.getPath() << " as " << type
                             << ", but it is " << parameter.getType();
  error.attachNote(parameter.getLoc()) << "declared here";
  return error;
}

LogicalResult GetOp::verifySymbolUses(SymbolTableCollection &symbols) {
  ParameterOp parameter = lookupParameter(*this, getParameter(), symbols);
  return success(parameter &&
                 succeeded(checkType(*this, getType(), parameter)));
}

LogicalResult AssignOp::verifySymbolUses(SymbolTableCollection &symbols) {
  ParameterOp parameter = lookupParameter(*this, getParameter(), symbols);
  return success(parameter &&
                 succeeded(checkType(*this, getValue().getType(), parameter)));
}

LogicalResult StepOp::verifySymbolUses(SymbolTableCollection &symbols) {
  ParameterOp parameter = lookupParameter(*this, getParameter(), symbols);
  return success(
      parameter &&
      succeeded(checkType(*this, getGradient().getType(), parameter))); // C1
}

LogicalResult StepOp::verify() {
  for (StepOp other : (*this)->getBlock()->getOps<StepOp>()) {
    if (other == *this)
      return success();
    if (other.getParameter() != getParameter())
      continue;
    InFlightDiagnostic error = emitOpError("C2: ")
                               << parameterPath(getParameter())
                               << " has two steps in one graph";
    error.attachNote(other.getLoc()) << "the first is here";
    return error;
  }
  return success();
}

/// Operand or result types that differ from an application's.
static LogicalResult compareTypes(ApplyOp apply, ApplicationOp application,
                                  TypeRange found, ArrayRef<Type> expected,
                                  StringRef what) {
  auto report = [&]() {
    InFlightDiagnostic error = apply.emitOpError()
                               << "of " << brickPath(apply.getCallee()) << ": ";
    error.attachNote(application.getLoc()) << "application declared here";
    return error;
  };
  if (found.size() != expected.size())
    return report() << "has " << found.size() << " " << what
                    << "s, the application " << expected.size();
  for (auto [i, pair] : llvm::enumerate(llvm::zip(found, expected)))
    if (std::get<0>(pair) != std::get<1>(pair))
      return report() << what << " " << i << " is " << std::get<0>(pair)
                      << ", expected " << std::get<1>(pair);
  return success();
}

/// A call whose application is not there: of an unexpanded library brick, whose
/// signature the library knows, or a mistake.
static LogicalResult verifyLibraryCall(ApplyOp apply,
                                       SymbolTableCollection &symbols) {
  Operation *module = apply->getParentOfType<ModuleOp>();
  SymbolRefAttr reference = apply.getCallee();
  SmallVector<FlatSymbolRefAttr> rest;
  BrickOp brick;
  while (SymbolRefAttr parent = parentReference(reference)) {
    rest.insert(rest.begin(),
                FlatSymbolRefAttr::get(reference.getLeafReference()));
    reference = parent;
    brick =
        dyn_cast_or_null<BrickOp>(symbols.lookupSymbolIn(module, reference));
    if (brick)
      break;
  }
  if (!brick)
    return apply.emitOpError() << "there is no brick "
                               << brickPath(parentReference(apply.getCallee()));
  auto *library =
      apply->getDialect()->getRegisteredInterface<BrickLibraryInterface>();
  if (brick.getKind() && library)
    return library->verifyCall(apply, brick, rest);
  InFlightDiagnostic error = apply.emitOpError()
                             << "brick " << brick.getPath()
                             << " has no application "
                             << apply.getCallee().getLeafReference();
  error.attachNote(brick.getLoc()) << "brick declared here";
  return error;
}

LogicalResult ApplyOp::verifySymbolUses(SymbolTableCollection &symbols) {
  Operation *module = (*this)->getParentOfType<ModuleOp>();
  SymbolRefAttr brickReference = parentReference(getCallee());
  if (!brickReference)
    return emitOpError("names no brick; write @brick::@application");
  if (auto application = dyn_cast_or_null<ApplicationOp>(
          symbols.lookupSymbolIn(module, getCallee()))) {
    if (failed(compareTypes(*this, application, getOperandTypes(),
                            application.getArgumentTypes(), "argument")))
      return failure();
    return compareTypes(*this, application, getResultTypes(),
                        application.getResultTypes(), "result");
  }
  return verifyLibraryCall(*this, symbols);
}

} // namespace blocks

namespace blocks {
/// The result of a broadcast has the shape of `like`, so it is not written.
static ParseResult parseBroadcastResult(OpAsmParser &, Type input, Type like,
                                        Type &result) {
  result = cast<RankedTensorType>(like).clone(
      cast<RankedTensorType>(input).getElementType());
  return success();
}
static void printBroadcastResult(OpAsmPrinter &, Operation *, Type, Type,
                                 Type) {}
} // namespace blocks

#define GET_OP_CLASSES
#include "dialects/Blocks/BlocksOps.cpp.inc"
