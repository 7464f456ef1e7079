//===- InitialValues.cpp - Which initializer a parameter gets -------------===//
#include "lib/Bricks/InitialValues.h"

using namespace mlir;

namespace blocks {

std::vector<StringRef> withInits(ArrayRef<StringRef> settings) {
  std::vector<StringRef> known = settings.vec();
  if (llvm::is_contained(known, weightsInit) ||
      llvm::is_contained(known, biasesInit))
    known.push_back(initsByRole);
  return known;
}

//===--- Choosing ---------------------------------------------------------===//

FailureOr<DictionaryAttr> initsOf(const BrickConfig &config) {
  Attribute text = config.get(initsByRole);
  if (!text)
    return DictionaryAttr();
  auto inits = dyn_cast<DictionaryAttr>(text);
  if (!inits || !llvm::all_of(inits, [](NamedAttribute entry) {
        return isa<InitializerAttrInterface>(entry.getValue());
      }))
    return config.wrong(initsByRole,
                        "initializers by role or parameter's name, such as "
                        "{weight = #blocks.orthogonal, bias = "
                        "#blocks.constant<0.0>}");
  return inits;
}

FailureOr<ChosenInit> chooseInit(const BrickConfig &config, StringRef name,
                                 Role role, StringRef initKey) {
  FailureOr<DictionaryAttr> inits = initsOf(config);
  if (failed(inits))
    return failure();
  SmallVector<StringRef> keys{name};
  if (isRole(role, Role::Parameter))
    for (std::optional<Role> r = role; r && r != Role::Persistent;
         r = parentRole(*r))
      keys.push_back(stringifyRole(*r));
  for (StringRef key : keys)
    if (Attribute init = *inits ? inits->get(key) : Attribute())
      return ChosenInit{("inits." + key).str(),
                        cast<InitializerAttrInterface>(init)};
  FailureOr<InitializerAttrInterface> init = config.initializer(initKey);
  if (failed(init))
    return failure();
  return ChosenInit{*init ? initKey.str() : "", *init};
}

//===--- Pushing ----------------------------------------------------------===//

/// True if a child's own older setting is meant for what `key` names.
static bool isOverridden(DictionaryAttr settings, StringRef key) {
  std::optional<Role> role = symbolizeRole(key);
  if (!role)
    return false;
  return (isRole(*role, Role::Weight) && settings.get(weightsInit)) ||
         (isRole(*role, Role::Bias) && settings.get(biasesInit));
}

static DictionaryAttr mergedInits(DictionaryAttr settings, DictionaryAttr own,
                                  DictionaryAttr pushed) {
  NamedAttrList merged(own ? own.getValue() : ArrayRef<NamedAttribute>());
  for (NamedAttribute entry : pushed)
    if (!merged.get(entry.getName()) &&
        !isOverridden(settings, entry.getName().getValue()))
      merged.append(entry);
  return merged.getDictionary(settings.getContext());
}

DictionaryAttr pushInits(const BrickConfig &parent, DictionaryAttr settings,
                         ArrayRef<StringRef> known) {
  NamedAttrList pushed(settings);
  auto inits = dyn_cast_or_null<DictionaryAttr>(parent.get(initsByRole));
  Attribute own = settings.get(initsByRole);
  if (inits && llvm::is_contained(withInits(known), initsByRole) &&
      (!own || isa<DictionaryAttr>(own)))
    pushed.set(initsByRole,
               mergedInits(settings, cast_or_null<DictionaryAttr>(own), inits));
  for (StringRef key : {StringRef(weightsInit), StringRef(biasesInit)})
    if (Attribute init = parent.get(key);
        init && !settings.get(key) && llvm::is_contained(known, key))
      pushed.append(key, init);
  return pushed.getDictionary(settings.getContext());
}

//===--- Unused ones ------------------------------------------------------===//

/// All settings of a brick for initial values.
static std::map<std::string, Attribute> initSettings(BrickOp brick) {
  std::map<std::string, Attribute> settings;
  BrickConfig config(brick);
  for (StringRef key : {StringRef(weightsInit), StringRef(biasesInit)})
    if (Attribute init = config.get(key))
      settings[key.str()] = init;
  if (auto inits = dyn_cast_or_null<DictionaryAttr>(config.get(initsByRole)))
    for (NamedAttribute entry : inits)
      settings["inits." + entry.getName().str()] = entry.getValue();
  return settings;
}

void InitUsage::check(BrickOp brick) {
  if (!checked.insert(brick).second)
    return;
  std::map<std::string, Attribute> own = initSettings(brick), above;
  std::set<std::string> &here = used[brick];
  for (auto child : brick.getBodyBlock().getOps<BrickOp>())
    for (const std::string &key : used[child])
      if (auto known = own.find(key);
          known != own.end() && known->second == initSettings(child)[key])
        here.insert(key);
  if (auto parent = dyn_cast_or_null<BrickOp>(brick->getParentOp()))
    above = initSettings(parent);
  for (auto &[key, init] : own) {
    auto inherited = above.find(key);
    if (!warns || here.count(key) ||
        (inherited != above.end() && inherited->second == init))
      continue;
    emitWarning(brick.getLoc())
        << "brick " << brick.getPath() << " has " << key << " = " << init
        << ", which initializes nothing: no parameter of it or below it takes "
           "this setting, or each has a more specific one";
  }
}

} // namespace blocks
