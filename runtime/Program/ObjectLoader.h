// ObjectLoader: makes a relocatable object callable, in a fraction of a
// millisecond and without a linker. Sections are laid out in one mapping (code,
// constants, data), relocated while it is writable, and then protected: code is
// never writable. Names are bound from a given table only.
#pragma once

#include "runtime/Abi/SymbolTable.h"

#include <cstddef>
#include <map>
#include <span>
#include <string>

namespace blocks {

/// Pages of the process, unmapped at the end.
class Mapping {
public:
  Mapping() = default;
  explicit Mapping(size_t bytes); ///< Readable, writable, zero.
  ~Mapping();
  Mapping(Mapping &&other) noexcept;
  Mapping &operator=(Mapping &&other) noexcept;

  std::byte *data() const { return begin; }
  size_t size() const { return length; }
  /// `protection` as for mprotect; whole pages.
  void protect(size_t offset, size_t bytes, int protection);

private:
  std::byte *begin = nullptr;
  size_t length = 0;
};

class LoadedObject {
public:
  /// Keeps no reference to `object`. Throws CorruptError if the object is
  /// damaged, uses what no compiled program needs (thread-local data,
  /// constructors), or refers to a name that is not in `symbols`.
  LoadedObject(std::span<const std::byte> object,
               std::span<const RuntimeSymbol> symbols);

  /// The address of a function that the object defines; throws CorruptError.
  void *function(const std::string &name) const;
  size_t bytes() const { return mapping.size(); }

private:
  Mapping mapping;
  std::map<std::string, void *> functions;
};

} // namespace blocks
