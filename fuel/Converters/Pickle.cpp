// Pickle: access to the values of a pickle. See Pickle.h.
#include "fuel/Converters/Pickle.h"

#include "blocks/Error.h"
#include "fuel/Converters/PickleReader.h"
#include "runtime/Base/NpyFormat.h"

namespace fuel {

using blocks::InputError;
using Kind = PickleValue::Kind;

Pickle::Pickle(std::span<const std::byte> bytes, const std::string &where)
    : where(where) {
  top = PickleReader(*this, bytes).run();
}

// As when Python builds it, the last value of a key counts.
const PickleValue &Pickle::at(const PickleValue &dict,
                              std::string_view key) const {
  if (dict.kind != Kind::Dict)
    throw InputError(where + " holds no dictionary; expected one with '" +
                     std::string(key) + "'");
  for (size_t i = dict.items.size(); i >= 2; i -= 2)
    if (dict.items[i - 2]->kind == Kind::Text && dict.items[i - 2]->text == key)
      return *dict.items[i - 1];
  throw InputError(where + " has no entry '" + std::string(key) + "'");
}

std::vector<int64_t> Pickle::integers(const PickleValue &list,
                                      std::string_view name, int64_t low,
                                      int64_t high) const {
  std::string what = "entry '" + std::string(name) + "' of " + where;
  if (list.kind != Kind::List && list.kind != Kind::Tuple)
    throw InputError(what + " is no list");
  std::vector<int64_t> numbers;
  for (const PickleValue *item : list.items) {
    if (item->kind != Kind::Int)
      throw InputError(what + " holds something else than whole numbers");
    if (item->integer < low || item->integer > high)
      throw InputError(what + " holds " + std::to_string(item->integer) +
                       "; expected numbers from " + std::to_string(low) +
                       " to " + std::to_string(high));
    numbers.push_back(item->integer);
  }
  return numbers;
}

blocks::Array Pickle::array(const PickleValue &value, std::string_view name,
                            blocks::DType dtype) const {
  std::string what = "entry '" + std::string(name) + "' of " + where;
  if (value.kind != Kind::Array)
    throw InputError(what + " is no array of NumPy");
  size_t width = blocks::dtypeSize(dtype);
  if (value.dtype != dtype || (value.bigEndian && width > 1))
    throw InputError(what + " has elements of type " +
                     std::string(blocks::dtypeName(value.dtype)) +
                     (value.bigEndian ? ", big-endian" : "") + "; expected " +
                     std::string(blocks::dtypeName(dtype)));
  if (value.text.empty()) // Without elements, or never filled.
    return blocks::Array(dtype, value.shape);
  blocks::NpyHeader header;
  header.dtype = dtype;
  header.elementBytes = width;
  header.shape = value.shape;
  header.fortranOrder = value.fortranOrder;
  return blocks::copyNpyData(std::as_bytes(std::span(value.text)), header);
}

} // namespace fuel
