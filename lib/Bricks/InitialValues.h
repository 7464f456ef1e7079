//===- InitialValues.h - Which initializer a parameter gets ---------------===//
//
// Settings for initial values: `weights_init` and `biases_init`, as in Blocks,
// and `inits`, a dictionary by parameter's name or role: {W_state = …, filter =
// …}. A name goes before roles, a role before those it is a kind of, `inits`
// before the two older settings. All go from parents to children; a child's own
// win, so the most specific one decides. One that decides nothing is reported.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_BRICKS_INITIALVALUES_H
#define LIB_BRICKS_INITIALVALUES_H

#include "lib/Bricks/BrickConfig.h"

#include <map>
#include <set>

namespace blocks {

/// The settings that go from parents to children.
constexpr llvm::StringLiteral weightsInit = "weights_init";
constexpr llvm::StringLiteral biasesInit = "biases_init";
constexpr llvm::StringLiteral initsByRole = "inits";

/// `settings`, and `inits` if one of the two older ones is among them.
std::vector<llvm::StringRef>
withInits(llvm::ArrayRef<llvm::StringRef> settings);

/// The dictionary `inits`, checked; null if there is none.
mlir::FailureOr<mlir::DictionaryAttr> initsOf(const BrickConfig &config);

/// A setting for initial values: "weights_init" or "inits.NAME".
struct ChosenInit {
  std::string key; ///< Empty for none.
  InitializerAttrInterface init;
};
/// What the settings say for a parameter; `initKey` is the older setting that
/// it takes, or empty.
mlir::FailureOr<ChosenInit> chooseInit(const BrickConfig &config,
                                       llvm::StringRef name, Role role,
                                       llvm::StringRef initKey);

/// A child's settings with those of its parent for initial values where it has
/// none and its kind knows them.
mlir::DictionaryAttr pushInits(const BrickConfig &parent,
                               mlir::DictionaryAttr settings,
                               llvm::ArrayRef<llvm::StringRef> known);

/// Finds settings that no parameter took.
class InitUsage {
public:
  /// `warns`: what is found is reported.
  explicit InitUsage(bool warns) : warns(warns) {}

  /// A parameter of `brick` took the setting `key`.
  void note(BrickOp brick, llvm::StringRef key) {
    used[brick].insert(key.str());
  }
  /// All of `brick` is declared: takes over what its children used, and warns
  /// of what is left, unless it came from the parent.
  void check(BrickOp brick);

private:
  bool warns;
  std::map<mlir::Operation *, std::set<std::string>> used;
  std::set<mlir::Operation *> checked;
};

} // namespace blocks

#endif
