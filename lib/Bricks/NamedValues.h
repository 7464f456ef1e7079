//===- NamedValues.h - Values by their short names ------------------------===//
//
// What a recurrent step takes and gives: sequences, states and contexts are
// found by name, in the order in which they were set.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_BRICKS_NAMEDVALUES_H
#define LIB_BRICKS_NAMEDVALUES_H

#include "dialects/Blocks/Blocks.h"

#include <llvm/ADT/MapVector.h>

#include <map>
#include <string>

namespace blocks {

class NamedValues {
public:
  /// Adds a value, or replaces the one of this name.
  void set(llvm::StringRef name, mlir::Value value) {
    values[name.str()] = value;
  }
  /// The value of this name; null if there is none.
  mlir::Value operator[](llvm::StringRef name) const {
    return values.lookup(name.str());
  }
  auto begin() const { return values.begin(); }
  auto end() const { return values.end(); }
  /// Adds all of `others`, or replaces those of their names.
  void setAll(const NamedValues &others) {
    for (auto &[name, value] : others)
      set(name, value);
  }
  bool empty() const { return values.empty(); }
  size_t size() const { return values.size(); }

private:
  llvm::MapVector<std::string, mlir::Value, std::map<std::string, unsigned>>
      values;
};

} // namespace blocks

#endif
