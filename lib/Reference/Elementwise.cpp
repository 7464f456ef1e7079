//===- Elementwise.cpp - arith and math, element by element ---------------===//
//
// Tables with one line an operation: its name and what it computes from one
// element of each operand. Floating-point functions are computed in double and
// rounded once to the element type, which for + - * / and sqrt is the same as
// computing in f32. Integers get their operands sign-extended; operations on
// unsigned numbers see the bits alone.
//
//===----------------------------------------------------------------------===//
#include "lib/Reference/Ops.h"

#include <llvm/ADT/APInt.h>
#include <llvm/ADT/TypeSwitch.h>

#include <algorithm>
#include <bit>
#include <cmath>

using namespace mlir;

namespace blocks::reference {

namespace {
struct RealUnary {
  StringRef name;
  double (*of)(double);
};
struct RealBinary {
  StringRef name;
  double (*of)(double, double);
};
struct IntegerBinary {
  StringRef name;
  int64_t (*of)(int64_t, int64_t);
};
struct BitsBinary {
  StringRef name;
  uint64_t (*of)(uint64_t, uint64_t);
};
struct RealTest {
  StringRef name;
  bool (*of)(double);
};
} // namespace

static double roundHalfEven(double x) { return std::nearbyint(x); }

static double signOf(double x) { return std::signbit(x) ? -1 : 1; }

/// The larger one; NaN if either is, and +0 is larger than -0.
static double maximum(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::nan("");
  return a == b ? (std::signbit(a) ? b : a) : std::max(a, b);
}
static double minimum(double a, double b) { return -maximum(-a, -b); }

static constexpr RealUnary realUnary[] = {
    {"arith.negf", [](double x) { return -x; }},
    {"math.absf", [](double x) { return std::fabs(x); }},
    {"math.ceil", [](double x) { return std::ceil(x); }},
    {"math.floor", [](double x) { return std::floor(x); }},
    {"math.round", [](double x) { return std::round(x); }},
    {"math.roundeven", roundHalfEven},
    {"math.trunc", [](double x) { return std::trunc(x); }},
    {"math.exp", [](double x) { return std::exp(x); }},
    {"math.exp2", [](double x) { return std::exp2(x); }},
    {"math.expm1", [](double x) { return std::expm1(x); }},
    {"math.log", [](double x) { return std::log(x); }},
    {"math.log1p", [](double x) { return std::log1p(x); }},
    {"math.log2", [](double x) { return std::log2(x); }},
    {"math.log10", [](double x) { return std::log10(x); }},
    {"math.sqrt", [](double x) { return std::sqrt(x); }},
    {"math.rsqrt", [](double x) { return 1 / std::sqrt(x); }},
    {"math.cbrt", [](double x) { return std::cbrt(x); }},
    {"math.sin", [](double x) { return std::sin(x); }},
    {"math.cos", [](double x) { return std::cos(x); }},
    {"math.tan", [](double x) { return std::tan(x); }},
    {"math.asin", [](double x) { return std::asin(x); }},
    {"math.acos", [](double x) { return std::acos(x); }},
    {"math.atan", [](double x) { return std::atan(x); }},
    {"math.sinh", [](double x) { return std::sinh(x); }},
    {"math.cosh", [](double x) { return std::cosh(x); }},
    {"math.tanh", [](double x) { return std::tanh(x); }},
    {"math.asinh", [](double x) { return std::asinh(x); }},
    {"math.acosh", [](double x) { return std::acosh(x); }},
    {"math.atanh", [](double x) { return std::atanh(x); }},
    {"math.erf", [](double x) { return std::erf(x); }},
    {"math.erfc", [](double x) { return std::erfc(x); }},
};

static constexpr RealBinary realBinary[] = {
    {"arith.addf", [](double a, double b) { return a + b; }},
    {"arith.subf", [](double a, double b) { return a - b; }},
    {"arith.mulf", [](double a, double b) { return a * b; }},
    {"arith.divf", [](double a, double b) { return a / b; }},
    {"arith.remf", [](double a, double b) { return std::fmod(a, b); }},
    {"arith.maximumf", maximum},
    {"arith.minimumf", minimum},
    {"arith.maxnumf", [](double a, double b) { return std::fmax(a, b); }},
    {"arith.minnumf", [](double a, double b) { return std::fmin(a, b); }},
    {"math.atan2", [](double a, double b) { return std::atan2(a, b); }},
    {"math.powf", [](double a, double b) { return std::pow(a, b); }},
    {"math.copysign",
     [](double a, double b) { return std::fabs(a) * signOf(b); }},
};

static constexpr RealTest realTests[] = {
    {"math.isnan", [](double x) { return std::isnan(x); }},
    {"math.isinf", [](double x) { return std::isinf(x); }},
    {"math.isfinite", [](double x) { return std::isfinite(x); }},
    {"math.isnormal", [](double x) { return std::isnormal(x); }},
};

// Sums and products are taken on bits, where overflow is defined; dividing by 0
// is undefined in arith and gives 0 here.
static constexpr IntegerBinary integerBinary[] = {
    {"arith.divsi",
     [](int64_t a, int64_t b) -> int64_t {
       return b == 0 ? 0 : b == -1 ? int64_t(-uint64_t(a)) : a / b;
     }},
    {"arith.remsi",
     [](int64_t a, int64_t b) -> int64_t {
       return b == 0 || b == -1 ? 0 : a % b;
     }},
    {"arith.maxsi", [](int64_t a, int64_t b) { return std::max(a, b); }},
    {"arith.minsi", [](int64_t a, int64_t b) { return std::min(a, b); }},
    {"arith.shrsi",
     [](int64_t a, int64_t b) { return a >> std::min<int64_t>(b, 63); }},
};

static constexpr BitsBinary bitsBinary[] = {
    {"arith.addi", [](uint64_t a, uint64_t b) { return a + b; }},
    {"arith.subi", [](uint64_t a, uint64_t b) { return a - b; }},
    {"arith.muli", [](uint64_t a, uint64_t b) { return a * b; }},
    {"arith.divui", [](uint64_t a, uint64_t b) { return b ? a / b : 0; }},
    {"arith.remui", [](uint64_t a, uint64_t b) { return b ? a % b : 0; }},
    {"arith.andi", [](uint64_t a, uint64_t b) { return a & b; }},
    {"arith.ori", [](uint64_t a, uint64_t b) { return a | b; }},
    {"arith.xori", [](uint64_t a, uint64_t b) { return a ^ b; }},
    {"arith.maxui", [](uint64_t a, uint64_t b) { return std::max(a, b); }},
    {"arith.minui", [](uint64_t a, uint64_t b) { return std::min(a, b); }},
    {"arith.shli", [](uint64_t a, uint64_t b) { return b < 64 ? a << b : 0; }},
    {"arith.shrui", [](uint64_t a, uint64_t b) { return b < 64 ? a >> b : 0; }},
};

/// The row of a table with this operation's name; null if there is none.
template <typename Table>
static auto find(const Table &table, Operation *op) -> decltype(&*table) {
  StringRef name = op->getName().getStringRef();
  auto row = llvm::find_if(table, [&](auto &r) { return r.name == name; });
  return row == std::end(table) ? nullptr : row;
}

/// A tensor of the operation's result type and the first operand's shape.
static Tensor resultLike(Operation *op, const Tensor &operand) {
  return Tensor(getElementTypeOrSelf(op->getResult(0)), operand.shape());
}

/// Sets every element of the result to valueOf(its number).
template <typename Function>
static Tensor fillReal(Operation *op, const Tensor &like, Function valueOf) {
  Tensor result = resultLike(op, like);
  for (int64_t i = 0; i < result.size(); ++i)
    result.setReal(i, valueOf(i));
  return result;
}
template <typename Function>
static Tensor fillInteger(Operation *op, const Tensor &like, Function valueOf) {
  Tensor result = resultLike(op, like);
  for (int64_t i = 0; i < result.size(); ++i)
    result.setInteger(i, int64_t(valueOf(i)));
  return result;
}

//===--- Operations that no table holds -----------------------------------===//

static Tensor compareReals(arith::CmpFOp op, const Tensor &a, const Tensor &b) {
  return fillInteger(op, a, [&](int64_t i) {
    return arith::applyCmpPredicate(op.getPredicate(), APFloat(a.real(i)),
                                    APFloat(b.real(i)));
  });
}

/// The bits of an integer element.
static APInt bitsOf(const Tensor &tensor, int64_t i) {
  Type type = tensor.elementType();
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  return APInt(width, unsignedBits(tensor.integer(i), type));
}

static Tensor compareIntegers(arith::CmpIOp op, const Tensor &a,
                              const Tensor &b) {
  return fillInteger(op, a, [&](int64_t i) {
    return arith::applyCmpPredicate(op.getPredicate(), bitsOf(a, i),
                                    bitsOf(b, i));
  });
}

/// The condition is one element, or one for each element of the values.
static Tensor select(Operation *op, const Tensor &condition, const Tensor &a,
                     const Tensor &b) {
  Tensor result = resultLike(op, a);
  for (int64_t i = 0; i < result.size(); ++i) {
    bool first = condition.integer(condition.rank() == 0 ? 0 : i) != 0;
    result.setElement(i, first ? a : b, i);
  }
  return result;
}

/// x·x·…·x, |n| times, inverted for negative n.
static double integerPower(double x, int64_t n) {
  double power = 1;
  for (uint64_t i = 0, count = uint64_t(n < 0 ? -n : n); i < count; ++i)
    power *= x;
  return n < 0 ? 1 / power : power;
}

static Tensor integerPowers(Operation *op, const Tensor &x, const Tensor &n) {
  return fillReal(
      op, x, [&](int64_t i) { return integerPower(x.real(i), n.integer(i)); });
}

static Tensor fusedMultiplyAdd(Operation *op, Operands in) {
  return fillReal(op, *in[0], [&](int64_t i) {
    double a = in[0]->real(i), b = in[1]->real(i), c = in[2]->real(i);
    return in[0]->elementType().isF32()
               ? double(std::fma(float(a), float(b), float(c)))
               : std::fma(a, b, c);
  });
}

static Tensor clamp(Operation *op, Operands in) {
  return fillReal(op, *in[0], [&](int64_t i) {
    return minimum(maximum(in[0]->real(i), in[1]->real(i)), in[2]->real(i));
  });
}

static std::optional<Tensor> special(Operation *op, Operands in) {
  return llvm::TypeSwitch<Operation *, std::optional<Tensor>>(op)
      .Case(
          [&](arith::CmpFOp cmp) { return compareReals(cmp, *in[0], *in[1]); })
      .Case([&](arith::CmpIOp cmp) {
        return compareIntegers(cmp, *in[0], *in[1]);
      })
      .Case([&](arith::SelectOp) { return select(op, *in[0], *in[1], *in[2]); })
      .Case([&](math::FPowIOp) { return integerPowers(op, *in[0], *in[1]); })
      .Case([&](math::FmaOp) { return fusedMultiplyAdd(op, in); })
      .Case([&](math::ClampFOp) { return clamp(op, in); })
      .Case([&](math::AbsIOp) {
        return fillInteger(op, *in[0], [&](int64_t i) {
          return bitsOf(*in[0], i).abs().getSExtValue();
        });
      })
      .Default([](Operation *) { return std::nullopt; });
}

std::optional<Tensor> elementwise(Operation *op, Operands in) {
  if (auto *row = find(realUnary, op))
    return fillReal(op, *in[0],
                    [&](int64_t i) { return row->of(in[0]->real(i)); });
  if (auto *row = find(realBinary, op))
    return fillReal(op, *in[0], [&](int64_t i) {
      return row->of(in[0]->real(i), in[1]->real(i));
    });
  if (auto *row = find(realTests, op))
    return fillInteger(op, *in[0],
                       [&](int64_t i) { return row->of(in[0]->real(i)); });
  if (auto *row = find(integerBinary, op))
    return fillInteger(op, *in[0], [&](int64_t i) {
      return row->of(in[0]->integer(i), in[1]->integer(i));
    });
  if (auto *row = find(bitsBinary, op))
    return fillInteger(op, *in[0], [&](int64_t i) {
      return row->of(bitsOf(*in[0], i).getZExtValue(),
                     bitsOf(*in[1], i).getZExtValue());
    });
  if (op->getNumOperands() == 1)
    if (std::optional<Tensor> converted = arithCast(op, *in[0]))
      return converted;
  return special(op, in);
}

//===--- Activations ------------------------------------------------------===//

Tensor rectifier(const Tensor &input, double leak) {
  Tensor result(input.elementType(), input.shape());
  double slope = input.round(leak);
  for (int64_t i = 0; i < input.size(); ++i) {
    double x = input.real(i);
    // Without a leak, -inf becomes 0 and not 0·inf.
    result.setReal(i, x <= 0 ? (slope == 0 ? 0 : slope * x) : x);
  }
  return result;
}

Tensor logistic(const Tensor &input) {
  Tensor result(input.elementType(), input.shape());
  for (int64_t i = 0; i < input.size(); ++i)
    result.setReal(i,
                   1 / input.round(1 + input.round(std::exp(-input.real(i)))));
  return result;
}

} // namespace blocks::reference
