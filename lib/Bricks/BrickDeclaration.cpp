//===- BrickDeclaration.cpp - Filling a brick with parameters, children ---===//
//
// See the header. Names are checked here, so that a clash is reported with the
// paths of the two parameters that it would give one name.
//
//===----------------------------------------------------------------------===//
#include "lib/Bricks/BrickDeclaration.h"

#include "dialects/Blocks/ParameterSize.h"
#include "lib/Bricks/BrickExpander.h"
#include "lib/Bricks/BrickLibrary.h"

using namespace mlir;

namespace blocks {

std::string defaultBrickName(StringRef kind) { return kind.lower(); }

/// The initializer that stands for "nothing was said".
static InitializerAttrInterface defaultInit(MLIRContext *context,
                                            StringRef initKey) {
  if (initKey == weightsInit)
    return GlorotUniformInitAttr::get(context, llvm::APFloat(1.0));
  return ConstantInitAttr::get(context, llvm::APFloat(0.0));
}

LogicalResult BrickDeclaration::parameter(StringRef name,
                                          ArrayRef<int64_t> shape, Role role,
                                          StringRef initKey,
                                          InitializerAttrInterface otherwise) {
  FailureOr<ChosenInit> chosen = chooseInit(config, name, role, initKey);
  FailureOr<Type> elements = config.elementType();
  if (failed(chosen) || failed(elements))
    return failure();
  if (!chosen->key.empty())
    usage.note(brick, chosen->key);
  InitializerAttrInterface init = chosen->init;
  if (!init)
    init = otherwise ? otherwise : defaultInit(brick.getContext(), initKey);
  auto type = RankedTensorType::get(shape, *elements);
  auto sized = checkSize(type, [&] {
    return config.error() << "needs a parameter " << name << " of type " << type
                          << ", which ";
  });
  if (failed(sized))
    return failure();
  auto checked = checkInitializer(init, shape, [&] {
    return config.error() << "cannot initialize " << name << " of shape "
                          << shapeText(type) << " by " << init << ": ";
  });
  if (failed(checked))
    return failure();
  ParameterOp::create(builder, brick.getLoc(), name, type,
                      RolesAttr::of(brick.getContext(), role), init,
                      SymbolRefAttr());
  return success();
}

/// `settings` with the parent's element type and initial values where they have
/// none and the child's kind knows them.
static DictionaryAttr pushSettings(const BrickConfig &parent,
                                   DictionaryAttr settings,
                                   ArrayRef<StringRef> known) {
  NamedAttrList pushed(pushInits(parent, settings, known));
  if (Attribute dtype = parent.get(dtypeSetting);
      dtype && !settings.get(dtypeSetting))
    pushed.set(dtypeSetting, dtype);
  return pushed.getDictionary(settings.getContext());
}

LogicalResult BrickDeclaration::child(StringRef name, StringRef kind,
                                      DictionaryAttr settings) {
  auto named = checkPathName(
      name, [&] { return config.error() << "has a child with "; });
  if (failed(named))
    return failure();
  if (Operation *clash = SymbolTable(brick).lookup(name)) {
    auto error = config.error() << "has two children named '" << name
                                << "': their parameters, such as "
                                << brick.getPath() << "/" << name
                                << ".W, would share a path; name one of them "
                                   "with {kind = …, name = …}";
    error.attachNote(clash->getLoc()) << "the first is here";
    return error;
  }
  if (const BrickKind *known = library.find(kind))
    settings = pushSettings(config, settings, known->getSettings());
  BrickOp::create(builder, brick.getLoc(), name, builder.getStringAttr(kind),
                  settings)
      .getBody()
      .emplaceBlock();
  return success();
}

LogicalResult BrickDeclaration::fix(NamedAttrList &settings, StringRef setting,
                                    StringRef key, Attribute value) const {
  Attribute given = settings.get(key);
  if (given && given != value)
    return config.error() << "has " << key << " = " << given << " in "
                          << setting << ", but needs " << value
                          << " there; leave it out";
  settings.set(key, value);
  return success();
}

const BrickKind *BrickDeclaration::findKind(StringRef kind) const {
  return library.find(kind);
}

LogicalResult BrickDeclaration::declareChild(StringRef name) {
  auto child = cast<BrickOp>(SymbolTable::lookupSymbolIn(brick, name));
  return BrickExpander(brick->getParentOfType<ModuleOp>(), library, usage)
      .declare(child);
}

bool BrickDeclaration::hasSymbol(StringRef name) {
  return SymbolTable::lookupSymbolIn(brick, name) != nullptr;
}

FailureOr<BrickDeclaration::ChildSpec>
BrickDeclaration::childSpec(StringRef key, Attribute text) const {
  MLIRContext *context = text.getContext();
  if (auto kind = dyn_cast<StringAttr>(text))
    return ChildSpec{kind.str(), "", DictionaryAttr::get(context)};
  auto settings = dyn_cast<DictionaryAttr>(text);
  auto kind = settings ? settings.getAs<StringAttr>("kind") : StringAttr();
  if (!kind)
    return config.error() << "has " << text << " in " << key
                          << ", expected a kind such as \"Tanh\" or "
                             "{kind = \"LeakyRectifier\", leak = 0.1}";
  auto name = settings.getAs<StringAttr>("name");
  NamedAttrList rest(settings);
  rest.erase("kind");
  rest.erase("name");
  return ChildSpec{kind.str(), name ? name.str() : "",
                   rest.getDictionary(context)};
}

} // namespace blocks
