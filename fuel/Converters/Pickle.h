// Pickle: reads the part of Python's pickles (protocols 0 to 4) that data sets
// use: numbers, strings, lists, tuples, dictionaries and NumPy arrays of
// numbers. Nothing is executed: the few global names that such files contain
// stand for themselves, any other is an error. Sizes are bounded by the bytes
// there are.
#pragma once

#include "blocks/Array.h"

#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fuel {

struct PickleValue {
  enum class Kind : uint8_t {
    None,
    Bool,
    Int,
    Float,
    Text, ///< A string of either kind; `text`.
    List, ///< `items`.
    Tuple,
    Dict,     ///< `items`: key, value, key, value …
    Array,    ///< `dtype`, `shape`, `text`: the elements' bytes.
    DType,    ///< `dtype`.
    Function, ///< A global name; `text`.
  };
  Kind kind = Kind::None;
  bool bigEndian = false, fortranOrder = false, unicode = false;
  blocks::DType dtype = blocks::DType::UInt8;
  int64_t integer = 0; ///< Also of Bool.
  double real = 0;
  std::string_view text;
  std::vector<const PickleValue *> items;
  blocks::Shape shape;
};

/// The object in a pickle. Values point into the bytes, which must outlive it.
class Pickle {
public:
  /// `where` names the bytes in errors.
  Pickle(std::span<const std::byte> bytes, const std::string &where);
  const PickleValue &root() const { return *top; }

  /// What a dictionary holds under `key`. InputError if there is nothing.
  const PickleValue &at(const PickleValue &dict, std::string_view key) const;
  /// A list of whole numbers, each in [low, high].
  std::vector<int64_t> integers(const PickleValue &list, std::string_view name,
                                int64_t low, int64_t high) const;
  /// An array's elements in C order. InputError unless of type `dtype`.
  blocks::Array array(const PickleValue &value, std::string_view name,
                      blocks::DType dtype) const;

private:
  friend class PickleReader;
  std::string where;
  std::deque<PickleValue> values;
  std::deque<std::string> strings; ///< Texts that are not in the bytes.
  const PickleValue *top = nullptr;
};

} // namespace fuel
