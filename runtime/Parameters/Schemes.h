// What the initialization schemes share: reading a scheme's numbers, storing an
// element of any numeric type, errors that name the parameter; and the schemes
// that are made of others or work on whole matrices (ComposedSchemes.cpp,
// OrthogonalScheme.cpp). Internal to this folder.
#pragma once

#include "blocks/Array.h"
#include "blocks/Program.h"

#include <initializer_list>
#include <string_view>

namespace blocks {

/// Throws InputError: "initial values of '/a.W' (f32, 3x4), scheme 'x': WHAT".
[[noreturn]] void fail(const StateSpec &spec, const std::string &what);

/// The scheme's numbers by name, with a check that no others were given.
class Values {
public:
  Values(const StateSpec &spec, std::initializer_list<std::string_view> known);
  bool has(const std::string &name) const;
  double get(const std::string &name, double otherwise) const;

private:
  const StateSpec &spec;
};

/// Writes element `i` of an array of any numeric type.
void store(Array &array, int64_t i, double value);

/// The values of part `i` of a scheme, of shape `shape`, in f64: those of a
/// parameter with the path "PATH[i]".
Array drawPart(const StateSpec &spec, size_t i, const InitializerSpec &part,
               const Shape &shape, uint64_t seed);

/// For each of `rows` rows, `count` different numbers below `columns`, in a
/// random order.
std::vector<int64_t> drawChoices(const StateSpec &spec, int64_t rows,
                                 int64_t count, int64_t columns, uint64_t seed);

void fillOrthogonal(Array &array, const StateSpec &spec, uint64_t seed);
void fillArray(Array &array, const StateSpec &spec);
void fillSparse(Array &array, const StateSpec &spec, uint64_t seed);
void fillPermutation(Array &array, const StateSpec &spec, uint64_t seed);
void fillGates(Array &array, const StateSpec &spec, uint64_t seed);

} // namespace blocks
