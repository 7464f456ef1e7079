//===- BrickExpander.cpp - Library bricks → parameters and applications ---===//
//
// See the header. Applications are built for the types that they are called
// with: a brick that works on any rank (Linear) gets @apply, @apply_1, ….
//
//===----------------------------------------------------------------------===//
#include "lib/Bricks/BrickExpander.h"

#include "lib/Bricks/BrickLibrary.h"
#include "lib/Support/NearMisses.h"

using namespace mlir;

namespace blocks {

//===--- Declaring --------------------------------------------------------===//

LogicalResult BrickExpander::declareAll() {
  SmallVector<BrickOp> tops(module.getOps<BrickOp>());
  for (BrickOp brick : tops)
    if (failed(declare(brick)))
      return failure();
  return success();
}

/// What goes on to children is checked where it is written, also in bricks
/// that have no parameters of their own.
static LogicalResult checkInherited(const BrickConfig &config) {
  return failure(failed(config.elementType()) || failed(initsOf(config)) ||
                 failed(config.initializer(weightsInit)) ||
                 failed(config.initializer(biasesInit)));
}

LogicalResult BrickExpander::declare(BrickOp brick) {
  if (brick.isUnexpanded()) {
    const BrickKind *kind = library.kindOf(brick);
    if (!kind)
      return failure();
    BrickDeclaration declaration(brick, library, usage);
    if (failed(declaration.config.checkKeys(withInits(kind->getSettings()))) ||
        failed(checkInherited(declaration.config)) ||
        failed(kind->declare(declaration)))
      return failure();
  }
  SmallVector<BrickOp> children(brick.getBodyBlock().getOps<BrickOp>());
  for (BrickOp child : children)
    if (failed(declare(child)))
      return failure();
  usage.check(brick);
  return success();
}

//===--- Looking up -------------------------------------------------------===//

BrickOp BrickExpander::lookupBrick(SymbolRefAttr reference) {
  return dyn_cast_or_null<BrickOp>(
      SymbolTable::lookupSymbolIn(module, reference));
}

BrickOp BrickExpander::findBrick(SymbolRefAttr reference, Location call) {
  if (BrickOp brick = lookupBrick(reference))
    return brick;
  std::vector<std::string> paths;
  module.walk([&](BrickOp brick) { paths.push_back(brick.getPath()); });
  emitError(call) << "there is no brick " << brickPath(reference)
                  << suggest(brickPath(reference), paths);
  return {};
}

DictionaryAttr optionsOf(ApplyOp apply) {
  NamedAttrList options;
  for (NamedAttribute attribute : apply->getDiscardableAttrs())
    if (!attribute.getNameDialect())
      options.append(attribute);
  return options.empty() ? DictionaryAttr()
                         : options.getDictionary(apply.getContext());
}

/// The application of this name for these types and options, if it is there.
static ApplicationOp existing(BrickOp brick, StringRef name, TypeRange types,
                              DictionaryAttr options) {
  for (auto application : brick.getBodyBlock().getOps<ApplicationOp>())
    if (application.getUserName() == name &&
        application->getAttr("blocks.options") == options &&
        TypeRange(application.getArgumentTypes()) == types)
      return application;
  return {};
}

static LogicalResult unknownApplication(BrickOp brick, StringRef name,
                                        ArrayRef<std::string> known,
                                        Location call) {
  InFlightDiagnostic error = emitError(call) << "brick " << brick.getPath()
                                             << " has no application '" << name
                                             << "'" << suggest(name, known);
  error.attachNote(brick.getLoc()) << "brick " << brick.getPath() << " is here";
  return error;
}

/// A brick that is written out by hand has no application for these types.
static LogicalResult noApplication(BrickOp brick, StringRef name,
                                   TypeRange types, Location call) {
  std::vector<std::string> names;
  for (auto application : brick.getBodyBlock().getOps<ApplicationOp>()) {
    names.push_back(application.getUserName().str());
    if (application.getUserName() != name)
      continue;
    InFlightDiagnostic error = emitError(call)
                               << brick.getPath() << "." << name << " takes ("
                               << application.getArgumentTypes() << "), found ("
                               << types << ")";
    error.attachNote(application.getLoc()) << "the application is here";
    return error;
  }
  return unknownApplication(brick, name, names, call);
}

static LogicalResult checkOptions(BrickOp brick, const BrickKind *kind,
                                  StringRef name, DictionaryAttr options,
                                  Location call) {
  if (!options)
    return success();
  std::vector<std::string> known;
  if (kind)
    for (StringRef option : kind->getOptions(name))
      known.push_back(option.str());
  for (NamedAttribute option : options)
    if (!llvm::is_contained(known, option.getName().getValue()))
      return emitError(call)
             << brick.getPath() << "." << name << " has no option '"
             << option.getName().getValue() << "'"
             << suggest(option.getName().getValue(), known);
  return success();
}

//===--- Building applications --------------------------------------------===//

FailureOr<ApplicationOp>
BrickExpander::instantiate(SymbolRefAttr reference, StringRef name,
                           TypeRange types, Location call, StringRef origin,
                           DictionaryAttr options) {
  BrickOp brick = findBrick(reference, call);
  if (!brick)
    return failure();
  std::string label = brick.getPath() + "." + name.str();
  if (options)
    llvm::raw_string_ostream(label) << " " << options;
  if (llvm::is_contained(open, label)) {
    emitError(call) << label << " applies itself";
    return failure();
  }
  if (ApplicationOp application = existing(brick, name, types, options))
    return application;
  if (!brick.getKind())
    return failed(checkOptions(brick, nullptr, name, options, call))
               ? failure()
               : noApplication(brick, name, types, call);
  const BrickKind *kind = library.kindOf(brick);
  if (!kind)
    return failure();
  std::vector<StringRef> known = kind->getApplications();
  if (!llvm::is_contained(known, name))
    return unknownApplication(
        brick, name, std::vector<std::string>(known.begin(), known.end()),
        call);
  if (failed(checkOptions(brick, kind, name, options, call)))
    return failure();
  open.push_back(label);
  auto result = build(brick, reference, name, types, call, origin, options);
  open.pop_back();
  return result;
}

/// `name`, or `name_1`, … when the brick has that already.
static std::string freeName(BrickOp brick, StringRef name) {
  std::string candidate = name.str();
  for (int i = 1; SymbolTable::lookupSymbolIn(brick, candidate); ++i)
    candidate = (name + "_" + Twine(i)).str();
  return candidate;
}

FailureOr<ApplicationOp> BrickExpander::build(BrickOp brick,
                                              SymbolRefAttr reference,
                                              StringRef name, TypeRange types,
                                              Location call, StringRef origin,
                                              DictionaryAttr options) {
  OpBuilder builder = OpBuilder::atBlockEnd(&brick.getBodyBlock());
  std::string symbol = freeName(brick, name);
  auto application = ApplicationOp::create(
      builder, brick.getLoc(), symbol, builder.getFunctionType(types, {}),
      symbol == name ? StringAttr() : builder.getStringAttr(name),
      /*sym_visibility=*/StringAttr(), /*arg_attrs=*/ArrayAttr(),
      /*res_attrs=*/ArrayAttr());
  if (options)
    application->setAttr("blocks.options", options);
  Block &body = application.getBody().emplaceBlock();
  body.addArguments(types, SmallVector<Location>(types.size(), brick.getLoc()));
  ApplicationBuilder inner(*this, brick, reference, application, call, origin);
  const BrickKind *kind = library.kindOf(brick);
  if (failed(kind->build(name, inner))) {
    application.erase();
    return failure();
  }
  inner.finish();
  return application;
}

LogicalResult BrickExpander::expandCalls() {
  SmallVector<ApplyOp> calls;
  module.walk([&](ApplyOp apply) { calls.push_back(apply); });
  for (ApplyOp apply : calls) {
    SymbolRefAttr callee = apply.getCallee();
    SymbolRefAttr brick = parentReference(callee);
    auto found = dyn_cast_or_null<ApplicationOp>(
        SymbolTable::lookupSymbolIn(module, callee));
    StringRef name =
        found ? found.getUserName() : callee.getLeafReference().getValue();
    FailureOr<ApplicationOp> application =
        instantiate(brick, name, apply.getOperandTypes(), apply.getLoc(),
                    /*origin=*/"", optionsOf(apply));
    if (failed(application))
      return failure();
    apply.setCalleeAttr(nestedReference(brick, application->getSymName()));
  }
  return success();
}

} // namespace blocks
