// Floating-point instructions of all widths, with roundings, flushing,
// saturation and NaN rules, against the host.
#include "Instructions.h"

#include "../ops/Half.h"

#include <algorithm>

namespace {

float flushed(float x) {
  return std::fabs(x) < std::numeric_limits<float>::min()
             ? std::copysign(0.0f, x)
             : x;
}

/// The float next to `exact` on one side of it.
float downward(double exact) {
  auto near = float(exact);
  return double(near) > exact ? std::nextafter(near, -INFINITY) : near;
}
float upward(double exact) {
  auto near = float(exact);
  return double(near) < exact ? std::nextafter(near, float(INFINITY)) : near;
}

template <class T> T least(T a, T b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) ? b : a;
  return a == b ? (std::signbit(a) ? a : b) : std::min(a, b);
}

void basics(InstructionTest &t) {
  t.two<float, float>("add.f32 %d, %a, %b;",
                      [](float a, float b) { return a + b; });
  t.two<float, float>("sub.rn.f32 %d, %a, %b;",
                      [](float a, float b) { return a - b; });
  t.two<float, float>("mul.f32 %d, %a, %b;",
                      [](float a, float b) { return a * b; });
  t.two<double, double>("div.rn.f64 %d, %a, %b;",
                        [](double a, double b) { return a / b; });
  t.two<float, float>("div.full.f32 %d, %a, %b;",
                      [](float a, float b) { return a / b; });
  t.three<float, float>(
      "fma.rn.f32 %d, %a, %b, %c;",
      [](float a, float b, float c) { return std::fma(a, b, c); });
  t.three<double, double>(
      "fma.rn.f64 %d, %a, %b, %c;",
      [](double a, double b, double c) { return std::fma(a, b, c); });
  t.one<float, float>("neg.f32 %d, %a;", [](float a) { return -a; });
  t.one<double, double>("abs.f64 %d, %a;",
                        [](double a) { return std::fabs(a); });
  t.two<float, float>("min.f32 %d, %a, %b;",
                      [](float a, float b) { return least(a, b); });
  t.two<double, double>("max.f64 %d, %a, %b;",
                        [](double a, double b) { return -least(-a, -b); });
  t.two<float, float>("max.NaN.f32 %d, %a, %b;", [](float a, float b) {
    return std::isnan(a) || std::isnan(b) ? NAN : -least(-a, -b);
  });
  t.two<float, float>("copysign.f32 %d, %a, %b;",
                      [](float a, float b) { return std::copysign(b, a); });
  t.one<float, float>("sqrt.rn.f32 %d, %a;",
                      [](float a) { return std::sqrt(a); });
  t.one<float, float>("rcp.approx.f32 %d, %a;", [](float a) { return 1 / a; });
  t.one<float, float>(
      "rsqrt.approx.f32 %d, %a;",
      [](float a) {
        return a == 0 ? std::copysign(INFINITY, a) : 1 / std::sqrt(a);
      },
      1e-6);
  t.one<float, float>(
      "ex2.approx.f32 %d, %a;", [](float a) { return std::exp2(a); }, 1e-6);
  t.one<float, float>(
      "lg2.approx.f32 %d, %a;", [](float a) { return std::log2(a); }, 1e-6);
  t.one<float, float>(
      "tanh.approx.f32 %d, %a;", [](float a) { return std::tanh(a); }, 1e-6);
  t.one<bool, float>(
      "testp.subnormal.f32 %p1, %a; selp.b32 %d, 1, 0, %p1;",
      [](float a) { return std::fpclassify(a) == FP_SUBNORMAL; });
  t.one<bool, double>("testp.finite.f64 %p1, %a; selp.b32 %d, 1, 0, %p1;",
                      [](double a) { return std::isfinite(a); });
}

void modifiers(InstructionTest &t) {
  t.two<float, float>("add.ftz.f32 %d, %a, %b;", [](float a, float b) {
    return flushed(flushed(a) + flushed(b));
  });
  t.two<float, float>("mul.sat.f32 %d, %a, %b;", [](float a, float b) {
    float p = a * b;
    return p > 0 ? std::min(p, 1.0f) : 0.0f;
  });
  t.two<float, float>("mul.rm.f32 %d, %a, %b;",
                      [](float a, float b) { return downward(double(a) * b); });
  t.two<float, float>("mul.rp.f32 %d, %a, %b;",
                      [](float a, float b) { return upward(double(a) * b); });
  // Numbers whose sum is exact in f64, so that it can be rounded afterwards.
  std::vector<float> near = {1, -1, 1e-7f, -1e-7f, 3.3f, 0.1f, -2.7f, 1e-10f};
  t.two<float, float>(
      "add.rz.f32 %d, %a, %b;",
      [](float a, float b) {
        double sum = double(a) + b;
        return sum > 0 ? downward(sum) : sum < 0 ? upward(sum) : 0.0f;
      },
      0, near, near);
  t.three<float, float>(
      "fma.rm.f32 %d, %a, %b, %c;",
      [](float a, float b, float c) { return downward(double(a) * b + c); }, 0,
      {1, 3, -5, 1.5f}, {0.1f, 7.3f}, {1, -1, 4, 1.0f / 3});
  t.one<float, float>("sqrt.rp.f32 %d, %a;",
                      [](float a) { return upward(std::sqrt(double(a))); }, 0,
                      {2, 3, 4, 0.1f, 1e20f});
}

float value(uint16_t h, bool brain) {
  return brain ? ptxemu::bfloatToFloat(h) : ptxemu::halfToFloat(h);
}
uint16_t rounded(double exact, bool brain) {
  // The exact value to odd in f32 first, then to nearest.
  float odd = ptxemu::toOddFloat(exact);
  return brain ? ptxemu::floatToBfloat(odd) : ptxemu::floatToHalf(odd);
}

/// Compares halves, all NaNs being alike.
void half(InstructionTest &t, const std::string &name, bool brain,
          double (*f)(double, double, double), int operands) {
  auto text = [&](const std::string &type) {
    std::string args = operands == 3   ? "%a, %b, %c"
                       : operands == 2 ? "%a, %b"
                                       : "%a";
    return name + (brain ? ".b" : ".") + type + " %d, " + args + ";";
  };
  auto expected = [&](uint16_t a, uint16_t b, uint16_t c) {
    double exact = f(value(a, brain), value(b, brain), value(c, brain));
    return std::isnan(exact) ? uint16_t(0x7FFF) : rounded(exact, brain);
  };
  auto values = interestingHalves();
  // NaNs become one: %d is replaced where it is not equal to itself.
  std::string canonical = brain ? " { .reg .pred %q; setp.nan.bf16 %q, %d, %d; "
                                  "selp.b16 %d, 0x7FFF, %d, %q; }"
                                : " { .reg .pred %q; setp.nan.f16 %q, %d, %d; "
                                  "selp.b16 %d, 0x7FFF, %d, %q; }";
  std::vector<uint16_t> third =
      operands == 3 ? values : std::vector<uint16_t>{0};
  t.three<uint16_t, uint16_t>((text("f16") + canonical).c_str(), expected, 0,
                              values, operands > 1 ? values : third, third);
}

void halves(InstructionTest &t) {
  for (bool brain : {false, true}) {
    half(t, "add", brain, [](double a, double b, double) { return a + b; }, 2);
    half(t, "mul", brain, [](double a, double b, double) { return a * b; }, 2);
    half(
        t, "fma.rn", brain,
        [](double a, double b, double c) { return ptxemu::fmaToOdd(a, b, c); },
        3);
    half(t, "neg", brain, [](double a, double, double) { return -a; }, 1);
  }
  half(
      t, "min", false, [](double a, double b, double) { return least(a, b); },
      2);
  half(
      t, "fma.rn.relu", false,
      [](double a, double b, double c) {
        double r = ptxemu::fmaToOdd(a, b, c);
        return r <= 0 ? 0.0 : r;
      },
      3);
  t.one<float, uint16_t>(
      "cvt.f32.f16 %d, %a;", [](uint16_t a) { return value(a, false); }, 0,
      interestingHalves());
  t.one<float, uint16_t>(
      "cvt.f32.bf16 %d, %a;", [](uint16_t a) { return value(a, true); }, 0,
      interestingHalves());
  auto finite = [](float a) { return !std::isnan(a); };
  auto numbers = interesting<float>();
  std::erase_if(numbers, [&](float a) { return !finite(a); });
  t.one<uint16_t, float>(
      "cvt.rn.f16.f32 %d, %a;", [](float a) { return rounded(a, false); }, 0,
      numbers);
  t.one<uint16_t, float>(
      "cvt.rn.bf16.f32 %d, %a;", [](float a) { return rounded(a, true); }, 0,
      numbers);
  t.two<uint32_t, float>(
      "cvt.rn.bf16x2.f32 %d, %a, %b;",
      [](float a, float b) {
        return uint32_t(rounded(a, true)) << 16 | rounded(b, true);
      },
      0, numbers, numbers);
  t.one<uint32_t, uint32_t>("cvt.rna.tf32.f32 %d, %a;", [](uint32_t a) {
    return (a & 0x7F800000) == 0x7F800000 ? a : (a + 0x1000) & 0xFFFFE000;
  });
  t.two<uint32_t, uint32_t>("set.gtu.f16x2.f16x2 %d, %a, %b;",
                            [](uint32_t a, uint32_t b) {
                              auto half = [&](int s) {
                                bool holds = !(value(uint16_t(a >> s), false) <=
                                               value(uint16_t(b >> s), false));
                                return holds ? 0x3C00u << s : 0u;
                              };
                              return half(0) | half(16);
                            },
                            0, {0x3C007E00, 0x00018001},
                            {0x3C003800, 0xBC000400});
  t.two<uint32_t, uint32_t>(
      "add.f16x2 %d, %a, %b;",
      [](uint32_t a, uint32_t b) {
        auto sum = [&](int s) {
          return uint32_t(rounded(double(value(uint16_t(a >> s), false)) +
                                      value(uint16_t(b >> s), false),
                                  false))
                 << s;
        };
        return sum(0) | sum(16);
      },
      0, {0x3C003C00, 0x00018001, 0x7BFF3555},
      {0x40003800, 0xBC000400, 0x3C000001});
}

} // namespace

int main(int, char **argv) {
  Gpu gpu(argv[1]);
  InstructionTest test(gpu);
  basics(test);
  modifiers(test);
  halves(test);
  return checkSummary();
}
