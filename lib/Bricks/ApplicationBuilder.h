//===- ApplicationBuilder.h - Building the body of an application ---------===//
//
// What BrickKind::build works with: the arguments, the brick's parameters and
// children, and where the results go. Errors name the brick's path and point to
// the call, with a note at the brick.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_BRICKS_APPLICATIONBUILDER_H
#define LIB_BRICKS_APPLICATIONBUILDER_H

#include "lib/Bricks/BrickConfig.h"
#include "lib/Bricks/NamedValues.h"

namespace blocks {

class BrickExpander;
class BrickLibrary;

/// An argument that a call may give by its name.
struct ArgumentName {
  std::string name;
  bool optional = false;
};

class ApplicationBuilder {
public:
  ApplicationBuilder(BrickExpander &expander, BrickOp brick,
                     mlir::SymbolRefAttr reference, ApplicationOp application,
                     mlir::Location call, llvm::StringRef origin);

  BrickConfig config;
  mlir::OpBuilder ops;

  mlir::Location getLoc() { return brick.getLoc(); }
  std::string getPath() { return brick.getPath(); }
  /// The reference to this brick from the module's top.
  mlir::SymbolRefAttr getReference() const { return reference; }

  /// Names the arguments; reports a wrong number of them. The last `optional`
  /// ones may be missing.
  mlir::LogicalResult takes(llvm::ArrayRef<llvm::StringRef> names,
                            unsigned optional = 0);
  /// The arguments by name: as the call's option `arguments` lists them, or
  /// the first of `names` in order. Reports unknown and missing ones.
  mlir::FailureOr<NamedValues>
  bindArguments(llvm::ArrayRef<ArgumentName> names);
  mlir::Value argument(unsigned i);
  mlir::Block::BlockArgListType arguments();
  /// The type of argument `i`, which is a ranked tensor of f32 or f64 with at
  /// least `rank` axes and the element type of the brick's parameters; null
  /// after an error.
  mlir::RankedTensorType floats(unsigned i, int64_t rank);

  /// An option of the call; null if it was not given.
  mlir::Attribute option(llvm::StringRef key);
  /// An option that is true or false.
  mlir::FailureOr<bool> flag(llvm::StringRef key, bool otherwise);
  /// The brick itself, and the kinds that there are.
  BrickOp getBrick() { return brick; }
  const BrickLibrary &getLibrary();

  /// The brick's children in order.
  llvm::SmallVector<BrickOp> children();
  /// The brick of this path from the module's top, or null.
  BrickOp lookupBrick(mlir::SymbolRefAttr reference);
  /// The value of an own parameter.
  mlir::Value parameter(llvm::StringRef name);
  /// Applies `application` of a brick; `origin` says what the inputs are, for
  /// errors. Returns the operation that was built.
  mlir::FailureOr<ApplyOp> apply(mlir::SymbolRefAttr brick,
                                 llvm::StringRef application,
                                 mlir::ValueRange inputs,
                                 llvm::StringRef origin = "",
                                 mlir::DictionaryAttr options = {});
  /// Applies a child to one value.
  mlir::FailureOr<mlir::Value> applyChild(llvm::StringRef child,
                                          mlir::Value input);
  /// The same for a child that the user chose to act element by element:
  /// reports a result of another type.
  mlir::FailureOr<mlir::Value> applyActivation(llvm::StringRef child,
                                               mlir::Value input);

  /// Adds a result with its name and further roles.
  void result(mlir::Value value, llvm::StringRef name,
              llvm::ArrayRef<Role> roles = {});
  /// Names a value that is neither argument nor result; its role is AUXILIARY,
  /// and those given.
  mlir::Value auxiliary(mlir::Value value, llvm::StringRef name,
                        llvm::ArrayRef<Role> roles = {});

  /// Blocks' auxiliary values `<parameter>_norm` of the own parameters: the
  /// square root of the sum of squares. What nobody asks for costs nothing.
  void addNorms();

  /// Takes the names of arguments and results from the applications that a
  /// chain starts and ends with.
  void nameLike(ApplicationOp first, ApplicationOp last);
  ApplicationOp applicationOf(ApplyOp apply);

  /// An error at the call that starts with the brick's path and a blank.
  mlir::InFlightDiagnostic error();
  /// " (the output of /mlp/linear_0)" or nothing.
  std::string originText() const;
  /// Checks one extent of argument `i` against what the brick expects:
  /// "/mlp/linear_1 expects 500 features on axis 1, found 400".
  mlir::LogicalResult expectExtent(unsigned i, int64_t axis, int64_t extent,
                                   llvm::StringRef what);

  /// Writes the return, the signature and the names.
  void finish();

private:
  mlir::LogicalResult checkElementType(mlir::RankedTensorType type);
  void nameArguments(llvm::ArrayRef<std::string> names);

  BrickExpander &expander;
  BrickOp brick;
  mlir::SymbolRefAttr reference;
  ApplicationOp application;
  mlir::Location call;
  std::string origin;
  llvm::SmallVector<mlir::Value> results;
  llvm::SmallVector<mlir::Attribute> argumentAttrs, resultAttrs;
};

} // namespace blocks

#endif
