// Initialization: the initial values of state arrays, a function of (seed,
// path) alone: element i takes its 32 random bits from Philox with the site
// siteHash(path), step 0, loop index 0. Everything is computed in double by our
// own code, without libm and without contraction, then rounded once to the
// array's type, so that the values are bit-equal on every machine.
//
// Schemes and their values (defaults in brackets); u is uniform in [0, 1) with
// 24 bits, z a standard normal deviate:
//   constant           value [0]
//   constant_array     the elements 0, 1 … of an array of the extents extent0 …
//                      (values by these names), repeated along leading axes and
//                      axes of extent 1
//   seed               the run's seed itself
//   isotropic_gaussian mean [0] + std [1] * z
//   uniform            mean [0] + width * (u - 1/2); width, or std = width/√12
//   identity           mult [1] on the diagonal of a matrix
//   glorot_uniform     within ±gain·√(6 / (in + out))
//   glorot_normal      std gain·√(2 / (in + out))
//   he_uniform         within ±gain·√(6 / in)
//   he_normal          std gain·√(2 / in)
//   orthogonal         scale [1] times the first m columns of a random
//                      orthogonal matrix (rows × rows) times the first m rows
//                      of another (columns × columns), m the smaller extent; of
//                      a square matrix one of them alone
//   sparse             in each row of a matrix num_init elements (a fraction of
//                      them if below 1) by part 0, the rest by part 1
//   sparse_nd          the same; the axes axis0, axis1 … are the rows
//   permutation_matrix the columns of the identity in the order 0, 1 … (values
//                      by these names), or in a random one
//   gates              a part for each of as many equal parts of the last axis
// What a scheme draws by a part is what a parameter "PATH[i]" would get, in
// f64. Glorot and Bengio 2010, equations 12 and 16; He et al. 2015 (arXiv
// 1502.01852), equation 10, and the uniform of the same variance. gain [1].
// For a matrix (in, out) the fans are its dimensions; for filters (out, in,
// height, width) they are in·height·width and out·height·width.
#pragma once

#include "blocks/Array.h"
#include "blocks/Program.h"

#include <cstdint>

namespace blocks {

/// The initial array of `spec`. Throws InputError, naming the path, on an
/// unknown scheme, an unknown value name, or a shape that the scheme cannot do.
Array makeInitialArray(const StateSpec &spec, uint64_t seed);

/// The quantile of the standard normal distribution for 0 < p < 1, by PPND16
/// of Wichura's algorithm AS 241 (Applied Statistics 37, 1988); relative
/// accuracy about 1e-16.
double normalQuantile(double p);

/// log(x) for finite x > 0, within 2 units in the last place, without libm.
double portableLog(double x);

} // namespace blocks
