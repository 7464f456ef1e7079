// See WideMath.h. Series and reductions of their arguments by textbook
// identities; what would cancel is computed by another one.
#include "lib/Conversion/LinalgToCpu/WideMath.h"

#include <limits>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/LLVMIR/LLVMDialect.h>
#include <mlir/Dialect/Math/IR/Math.h>
#include <mlir/Dialect/SCF/IR/SCF.h>

using namespace mlir;

namespace blocks {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kPi = 3.14159265358979323846;

using Predicate = arith::CmpFPredicate;

/// Writes the body of one function.
class Writer {
public:
  Writer(ModuleOp module, func::FuncOp function)
      : module(module),
        builder(OpBuilder::atBlockBegin(&function.getBody().front())),
        loc(builder.getUnknownLoc()) {}

  void finish(Value result) { func::ReturnOp::create(builder, loc, result); }

  // --- Arithmetic ------------------------------------------------------------

  Value number(double value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getF64FloatAttr(value));
  }
  Value word(int64_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI64IntegerAttr(value));
  }
  Value add(Value a, Value b) {
    return arith::AddFOp::create(builder, loc, a, b);
  }
  Value sub(Value a, Value b) {
    return arith::SubFOp::create(builder, loc, a, b);
  }
  Value mul(Value a, Value b) {
    return arith::MulFOp::create(builder, loc, a, b);
  }
  Value mul(Value a, double b) { return mul(a, number(b)); }
  Value div(Value a, Value b) {
    return arith::DivFOp::create(builder, loc, a, b);
  }
  Value neg(Value a) { return arith::NegFOp::create(builder, loc, a); }
  Value fma(Value a, Value b, Value c) {
    return math::FmaOp::create(builder, loc, a, b, c);
  }
  Value abs(Value a) { return math::AbsFOp::create(builder, loc, a); }
  Value sqrt(Value a) { return math::SqrtOp::create(builder, loc, a); }
  Value trunc(Value a) { return math::TruncOp::create(builder, loc, a); }
  Value roundEven(Value a) {
    return math::RoundEvenOp::create(builder, loc, a);
  }
  Value withSignOf(Value a, Value sign) {
    return math::CopySignOp::create(builder, loc, a, sign);
  }
  Value is(Value a, Predicate predicate, Value b) {
    return arith::CmpFOp::create(builder, loc, predicate, a, b);
  }
  Value less(Value a, double b) { return is(a, Predicate::OLT, number(b)); }
  Value greater(Value a, double b) { return is(a, Predicate::OGT, number(b)); }
  Value equal(Value a, double b) { return is(a, Predicate::OEQ, number(b)); }
  Value isNaN(Value a) { return is(a, Predicate::UNO, a); }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  }
  Value both(Value a, Value b) {
    return arith::AndIOp::create(builder, loc, a, b);
  }

  // --- Bits ------------------------------------------------------------------

  Value bits(Value a) {
    return arith::BitcastOp::create(builder, loc, builder.getI64Type(), a);
  }
  Value fromBits(Value a) {
    return arith::BitcastOp::create(builder, loc, builder.getF64Type(), a);
  }
  Value toWord(Value a) {
    return arith::FPToSIOp::create(builder, loc, builder.getI64Type(), a);
  }
  Value toNumber(Value a) {
    return arith::SIToFPOp::create(builder, loc, builder.getF64Type(), a);
  }
  Value addWords(Value a, Value b) {
    return arith::AddIOp::create(builder, loc, a, b);
  }
  Value subWords(Value a, Value b) {
    return arith::SubIOp::create(builder, loc, a, b);
  }
  Value andWords(Value a, int64_t mask) {
    return arith::AndIOp::create(builder, loc, a, word(mask));
  }
  Value shiftLeft(Value a, int64_t by) {
    return arith::ShLIOp::create(builder, loc, a, word(by));
  }
  Value shiftRight(Value a, int64_t by) {
    return arith::ShRSIOp::create(builder, loc, a, word(by));
  }
  Value sameWord(Value a, int64_t b) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, a,
                                 word(b));
  }
  /// 2^n for -1023 < n < 1024.
  Value powerOfTwo(Value n) {
    return fromBits(shiftLeft(addWords(n, word(1023)), 52));
  }

  // --- Forms -----------------------------------------------------------------

  /// c[0] + c[1] x + c[2] x² + …
  Value polynomial(Value x, ArrayRef<double> coefficients) {
    Value sum = number(coefficients.back());
    for (double coefficient : llvm::reverse(coefficients.drop_back()))
      sum = fma(sum, x, number(coefficient));
    return sum;
  }

  /// Takes `first` through `count` steps; a step gets the number, counted down
  /// to 1.
  Value repeat(int64_t count, Value first,
               function_ref<Value(Value, Value)> step) {
    auto index = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(builder, loc, value);
    };
    auto loop = scf::ForOp::create(builder, loc, index(0), index(count),
                                   index(1), first);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value done = arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                            loop.getInductionVar());
    Value left = toNumber(subWords(word(count), done));
    Value next = step(left, loop.getRegionIterArgs()[0]);
    scf::YieldOp::create(builder, loc, next);
    return loop.getResult(0);
  }

  Value call(StringRef name, ValueRange operands) {
    return func::CallOp::create(builder, loc, getWideFunction(module, name),
                                operands)
        .getResult(0);
  }

private:
  ModuleOp module;
  OpBuilder builder;
  Location loc;
};

/// 1/0!, 1/1!, 1/2!, … or of them each `step`th, with alternating signs.
SmallVector<double> factorials(int count, int first, int step, bool alternate) {
  SmallVector<double> result;
  double factorial = 1;
  for (int n = 1, used = 0; used < count; ++n) {
    if (n - 1 >= first && (n - 1 - first) % step == 0) {
      result.push_back((alternate && used % 2 ? -1 : 1) / factorial);
      ++used;
    }
    factorial *= n;
  }
  return result;
}

/// 1, 1/3, 1/5, …, with alternating signs if wanted.
SmallVector<double> oddInverses(int count, bool alternate) {
  SmallVector<double> result;
  for (int n = 0; n < count; ++n)
    result.push_back((alternate && n % 2 ? -1.0 : 1.0) / (2 * n + 1));
  return result;
}

// --- Exponentials and logarithms ---------------------------------------------

constexpr double kLog2Hi = 0x1.62e42feep-1, kLog2Lo = 0x1.a39ef35793c76p-33;

/// x = n ln 2 + r with |r| below 0.35; e^r is a series.
Value emitExp(Writer &w, ValueRange x) {
  Value clamped = w.select(w.greater(x[0], 710), w.number(710), x[0]);
  clamped = w.select(w.less(clamped, -746), w.number(-746), clamped);
  Value safe = w.select(w.isNaN(x[0]), w.number(0), clamped);
  Value n = w.roundEven(w.mul(safe, 1.4426950408889634074));
  Value r = w.fma(n, w.number(-kLog2Hi), safe);
  r = w.fma(n, w.number(-kLog2Lo), r);
  Value power = w.polynomial(r, factorials(14, 0, 1, false));
  Value whole = w.toWord(n), half = w.shiftRight(whole, 1);
  power = w.mul(power, w.powerOfTwo(half));
  power = w.mul(power, w.powerOfTwo(w.subWords(whole, half)));
  return w.select(w.isNaN(x[0]), x[0], power);
}

/// x = 2^e m with m around 1; ln m = 2 artanh((m - 1) / (m + 1)).
Value emitLog(Writer &w, ValueRange x) {
  Value isTiny = w.less(x[0], std::numeric_limits<double>::min());
  Value scaled = w.select(isTiny, w.mul(x[0], 0x1p54), x[0]);
  Value bits = w.bits(scaled);
  Value exponent =
      w.subWords(w.andWords(w.shiftRight(bits, 52), 0x7ff), w.word(1023));
  exponent = w.addWords(exponent, w.select(isTiny, w.word(-54), w.word(0)));
  Value mantissa = w.fromBits(w.addWords(
      w.andWords(bits, (int64_t(1) << 52) - 1), w.word(int64_t(1023) << 52)));
  Value isLarge = w.greater(mantissa, 1.4142135623730951);
  mantissa = w.select(isLarge, w.mul(mantissa, 0.5), mantissa);
  exponent = w.addWords(exponent, w.select(isLarge, w.word(1), w.word(0)));
  Value s = w.div(w.sub(mantissa, w.number(1)), w.add(mantissa, w.number(1)));
  Value tail = w.polynomial(w.mul(s, s), oddInverses(13, false));
  Value e = w.toNumber(exponent);
  Value low = w.fma(e, w.number(kLog2Lo), w.mul(w.mul(s, 2), tail));
  Value result = w.fma(e, w.number(kLog2Hi), low);
  result = w.select(w.equal(x[0], kInfinity), x[0], result);
  result = w.select(w.equal(x[0], 0), w.number(-kInfinity), result);
  result = w.select(w.less(x[0], 0), w.number(kNaN), result);
  return w.select(w.isNaN(x[0]), x[0], result);
}

/// (e^x - 1) by x (u - 1) / ln u with u = e^x: the error of u cancels.
Value emitExpm1(Writer &w, ValueRange x) {
  Value u = w.call("exp", x[0]);
  Value less = w.sub(u, w.number(1));
  Value result = w.mul(x[0], w.div(less, w.call("log", u)));
  result = w.select(w.greater(x[0], 40), u, result);
  result = w.select(w.less(x[0], -40), w.number(-1), result);
  return w.select(w.equal(less, 0), x[0], result);
}

/// ln(1 + x) by x ln u / (u - 1) with u = 1 + x.
Value emitLog1p(Writer &w, ValueRange x) {
  Value u = w.add(x[0], w.number(1));
  Value less = w.sub(u, w.number(1));
  Value logarithm = w.call("log", u);
  Value result = w.mul(x[0], w.div(logarithm, less));
  result = w.select(w.equal(u, kInfinity), u, result);
  result = w.select(w.equal(u, 0), logarithm, result);
  return w.select(w.equal(less, 0), x[0], result);
}

Value emitLog2(Writer &w, ValueRange x) {
  return w.mul(w.call("log", x[0]), 1.4426950408889634074);
}
Value emitLog10(Writer &w, ValueRange x) {
  return w.mul(w.call("log", x[0]), 0.43429448190325182765);
}

/// With t = e^(2|x|) - 1: t / (t + 2).
Value emitTanh(Writer &w, ValueRange x) {
  Value size = w.abs(x[0]);
  Value t = w.call("expm1", w.mul(size, 2));
  Value result = w.div(t, w.add(t, w.number(2)));
  result = w.select(w.greater(size, 22), w.number(1), result);
  return w.withSignOf(result, x[0]);
}

/// |x|^y by logarithms; a negative x needs a whole y.
Value emitPow(Writer &w, ValueRange x) {
  Value power = w.call("exp", w.mul(x[1], w.call("log", w.abs(x[0]))));
  Value isWhole = w.is(w.trunc(x[1]), Predicate::OEQ, x[1]);
  Value half = w.mul(x[1], 0.5);
  Value isOdd = w.both(isWhole, w.is(w.trunc(half), Predicate::ONE, half));
  Value isNegative = w.less(x[0], 0);
  Value signedPower = w.select(isOdd, w.neg(power), power);
  signedPower = w.select(isWhole, signedPower, w.number(kNaN));
  Value result = w.select(isNegative, signedPower, power);
  result = w.select(w.equal(x[0], 1), w.number(1), result);
  return w.select(w.equal(x[1], 0), w.number(1), result);
}

/// One step of Newton's after the logarithm's estimate.
Value emitCbrt(Writer &w, ValueRange x) {
  Value size = w.abs(x[0]);
  Value root = w.call("exp", w.mul(w.call("log", size), 1.0 / 3));
  Value error = w.fma(w.mul(root, root), root, w.neg(size));
  Value better = w.sub(root, w.div(error, w.mul(w.mul(root, root), 3)));
  Value isPlain = w.both(w.greater(size, 0), w.less(size, kInfinity));
  return w.withSignOf(w.select(isPlain, better, x[0]), x[0]);
}

// --- Angles ------------------------------------------------------------------

/// The sine of x + turns · π/2.
Value emitWave(Writer &w, Value x, int64_t turns) {
  Value n = w.roundEven(w.mul(x, 2 / kPi));
  Value isPlain = w.less(w.abs(n), 0x1p53);
  n = w.select(isPlain, n, w.number(0));
  Value back = w.neg(n);
  Value r = w.fma(back, w.number(0x1.921fb54442d18p+0), x);
  r = w.fma(back, w.number(0x1.1a62633145c07p-54), r);
  Value quarter = w.addWords(w.toWord(n), w.word(turns));
  Value square = w.mul(r, r);
  Value sine = w.mul(r, w.polynomial(square, factorials(9, 1, 2, true)));
  Value cosine = w.polynomial(square, factorials(10, 0, 2, true));
  Value isOdd = w.sameWord(w.andWords(quarter, 1), 1);
  Value isBack = w.sameWord(w.andWords(quarter, 2), 2);
  Value result = w.select(isOdd, cosine, sine);
  result = w.select(isBack, w.neg(result), result);
  return w.select(isPlain, result, w.number(kNaN));
}

Value emitSin(Writer &w, ValueRange x) { return emitWave(w, x[0], 0); }
Value emitCos(Writer &w, ValueRange x) { return emitWave(w, x[0], 1); }

/// The argument is brought below 1 by the inverse, and halved twice by
/// tan(a/2) = t / (1 + √(1 + t²)).
Value emitAtan(Writer &w, ValueRange x) {
  Value size = w.abs(x[0]);
  Value isLarge = w.greater(size, 1);
  Value t = w.select(isLarge, w.div(w.number(1), size), size);
  for (int i = 0; i < 2; ++i)
    t = w.div(t, w.add(w.number(1), w.sqrt(w.fma(t, t, w.number(1)))));
  Value angle =
      w.mul(w.mul(t, 4), w.polynomial(w.mul(t, t), oddInverses(13, true)));
  angle = w.select(isLarge, w.sub(w.number(kPi / 2), angle), angle);
  return w.withSignOf(angle, x[0]);
}

Value emitAtan2(Writer &w, ValueRange yx) {
  Value y = w.abs(yx[0]), x = w.abs(yx[1]);
  Value both = w.both(w.equal(y, kInfinity), w.equal(x, kInfinity));
  Value ratio = w.div(y, x);
  ratio = w.select(w.both(w.equal(y, 0), w.equal(x, 0)), w.number(0), ratio);
  ratio = w.select(both, w.number(1), ratio);
  Value angle = w.call("atan", ratio);
  Value isLeft = w.less(w.withSignOf(w.number(1), yx[1]), 0);
  angle = w.select(isLeft, w.sub(w.number(kPi), angle), angle);
  return w.withSignOf(angle, yx[0]);
}

Value emitAsin(Writer &w, ValueRange x) {
  Value cosine =
      w.sqrt(w.mul(w.sub(w.number(1), x[0]), w.add(w.number(1), x[0])));
  return w.call("atan2", {x[0], cosine});
}

Value emitAcos(Writer &w, ValueRange x) {
  Value a = w.sqrt(w.sub(w.number(1), x[0]));
  Value b = w.sqrt(w.add(w.number(1), x[0]));
  return w.mul(w.call("atan2", {a, b}), 2);
}

// --- The error function ------------------------------------------------------

/// 2/√π e^(-x²) x (1 + 2x²/3 (1 + 2x²/5 (1 + …))): no term cancels another.
Value emitErfSeries(Writer &w, Value x) {
  Value twice = w.mul(w.mul(x, x), 2);
  Value sum = w.repeat(60, w.number(1), [&](Value n, Value inner) {
    Value odd = w.fma(n, w.number(2), w.number(1));
    return w.fma(w.div(twice, odd), inner, w.number(1));
  });
  Value bell = w.call("exp", w.neg(w.mul(x, x)));
  return w.mul(w.mul(w.mul(bell, x), sum), 1.12837916709551257390);
}

/// e^(-x²)/√π / (x + 1/2 / (x + 2/2 / (x + 3/2 / …))), for x of 2 and more.
Value emitErfcFraction(Writer &w, Value x) {
  Value denominator = w.repeat(90, x, [&](Value n, Value inner) {
    return w.add(x, w.div(w.mul(n, 0.5), inner));
  });
  Value bell = w.call("exp", w.neg(w.mul(x, x)));
  return w.mul(w.div(bell, denominator), 0.56418958354775628695);
}

Value emitErf(Writer &w, ValueRange x) {
  Value size = w.abs(x[0]);
  Value isLarge = w.greater(size, 2);
  Value small = emitErfSeries(w, w.select(isLarge, w.number(1), size));
  Value large = w.sub(
      w.number(1), emitErfcFraction(w, w.select(isLarge, size, w.number(2))));
  Value result = w.withSignOf(w.select(isLarge, large, small), x[0]);
  return w.select(w.isNaN(x[0]), x[0], result);
}

Value emitErfc(Writer &w, ValueRange x) {
  Value isLarge = w.greater(x[0], 2);
  Value large = emitErfcFraction(w, w.select(isLarge, x[0], w.number(2)));
  return w.select(isLarge, large, w.sub(w.number(1), w.call("erf", x[0])));
}

// --- Whole numbers -----------------------------------------------------------

/// Halves go away from zero. Adding the number before 1/2 leaves 1/2 itself
/// above, and what is just below it below, 1.
Value emitRound(Writer &w, ValueRange x) {
  Value half = w.withSignOf(w.number(0x1.fffffffffffffp-2), x[0]);
  Value isWhole = w.is(w.abs(x[0]), Predicate::OGE, w.number(0x1p52));
  return w.select(isWhole, x[0], w.trunc(w.add(x[0], half)));
}

/// The remainder towards zero. The quotient may be one off: its rounding.
Value emitRem(Writer &w, ValueRange xy) {
  Value y = w.abs(xy[1]), x = w.abs(xy[0]);
  Value r = w.fma(w.neg(w.trunc(w.div(x, y))), y, x);
  r = w.select(w.less(r, 0), w.add(r, y), r);
  r = w.select(w.is(r, Predicate::OGE, y), w.sub(r, y), r);
  r = w.select(w.equal(y, kInfinity), x, r);
  return w.withSignOf(r, xy[0]);
}

struct WideFunction {
  StringLiteral name;
  unsigned operands;
  Value (*emit)(Writer &, ValueRange);
};

constexpr WideFunction kFunctions[] = {
    {"acos", 1, emitAcos},   {"asin", 1, emitAsin},   {"atan", 1, emitAtan},
    {"atan2", 2, emitAtan2}, {"cbrt", 1, emitCbrt},   {"cos", 1, emitCos},
    {"erf", 1, emitErf},     {"erfc", 1, emitErfc},   {"exp", 1, emitExp},
    {"expm1", 1, emitExpm1}, {"log", 1, emitLog},     {"log10", 1, emitLog10},
    {"log1p", 1, emitLog1p}, {"log2", 1, emitLog2},   {"pow", 2, emitPow},
    {"rem", 2, emitRem},     {"round", 1, emitRound}, {"sin", 1, emitSin},
    {"tanh", 1, emitTanh}};

} // namespace

func::FuncOp getWideFunction(ModuleOp module, StringRef name) {
  std::string symbol = (name + "_f64").str();
  if (auto known = module.lookupSymbol<func::FuncOp>(symbol))
    return known;
  const WideFunction *found = llvm::find_if(
      kFunctions, [&](const WideFunction &f) { return f.name == name; });
  if (found == std::end(kFunctions))
    return {};
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  SmallVector<Type> types(found->operands, builder.getF64Type());
  auto function = func::FuncOp::create(
      builder, builder.getUnknownLoc(), symbol,
      builder.getFunctionType(types, builder.getF64Type()));
  function.setPrivate();
  function->setAttr(
      "llvm.linkage",
      LLVM::LinkageAttr::get(builder.getContext(), LLVM::Linkage::Internal));
  Block *body = function.addEntryBlock();
  Writer writer(module, function);
  writer.finish(found->emit(writer, body->getArguments()));
  return function;
}

} // namespace blocks
