// Integer instructions, bits, comparisons and conversions, against the host.
#include "Instructions.h"

#include <algorithm>

namespace {

/// Makes %d from predicate %p1.
#define TRUTH " selp.b32 %d, 1, 0, %p1;"

void integers(InstructionTest &t) {
  t.two<uint32_t, uint32_t>("add.s32 %d, %a, %b;",
                            [](auto a, auto b) { return a + b; });
  t.two<uint64_t, uint64_t>("sub.u64 %d, %a, %b;",
                            [](auto a, auto b) { return a - b; });
  t.two<int32_t, int32_t>("add.sat.s32 %d, %a, %b;", [](auto a, auto b) {
    return std::clamp<int64_t>(int64_t(a) + b, INT32_MIN, INT32_MAX);
  });
  t.two<uint16_t, uint16_t>("mul.lo.u16 %d, %a, %b;",
                            [](auto a, auto b) { return uint32_t(a) * b; });
  t.two<int32_t, int16_t>("mul.wide.s16 %d, %a, %b;",
                          [](auto a, auto b) { return int(a) * b; });
  t.two<uint32_t, uint32_t>("mul.hi.u32 %d, %a, %b;", [](auto a, auto b) {
    return uint64_t(a) * b >> 32;
  });
  t.two<int64_t, int64_t>("mul.hi.s64 %d, %a, %b;", [](auto a, auto b) {
    return int64_t((__int128(a) * b) >> 64);
  });
  t.two<uint64_t, uint64_t>("mul.lo.s64 %d, %a, %b;",
                            [](auto a, auto b) { return a * b; });
  t.two<int64_t, int32_t>("mul.wide.s32 %d, %a, %b;",
                          [](auto a, auto b) { return int64_t(a) * b; });
  t.three<uint32_t, uint32_t>("mad.lo.s32 %d, %a, %b, %c;",
                              [](auto a, auto b, auto c) { return a * b + c; });
  t.three<uint32_t, int32_t>(
      "mad.hi.s32 %d, %a, %b, %c;", [](auto a, auto b, auto c) {
        return uint32_t(int64_t(a) * b >> 32) + uint32_t(c);
      });
  t.three<uint64_t, uint32_t, uint32_t, uint64_t>(
      "mad.wide.u32 %d, %a, %b, %c;",
      [](auto a, auto b, auto c) { return uint64_t(a) * b + c; });
  t.two<int32_t, int32_t>("div.s32 %d, %a, %b;", [](auto a, auto b) {
    return b == 0 ? -1 : int32_t(int64_t(a) / b);
  });
  t.two<uint32_t, uint32_t>("rem.u32 %d, %a, %b;",
                            [](auto a, auto b) { return b == 0 ? a : a % b; });
  t.two<int64_t, int64_t>("rem.s64 %d, %a, %b;", [](auto a, auto b) {
    return b == 0 ? a : b == -1 ? 0 : a % b;
  });
  t.two<int32_t, int32_t>("min.s32 %d, %a, %b;",
                          [](auto a, auto b) { return std::min(a, b); });
  t.two<uint64_t, uint64_t>("max.u64 %d, %a, %b;",
                            [](auto a, auto b) { return std::max(a, b); });
  t.one<uint32_t, int32_t>("abs.s32 %d, %a;", [](auto a) {
    return a < 0 ? 0u - uint32_t(a) : uint32_t(a);
  });
  t.one<uint64_t, uint64_t>("neg.s64 %d, %a;", [](auto a) { return 0 - a; });
  t.three<uint32_t, int32_t>(
      "sad.s32 %d, %a, %b, %c;", [](auto a, auto b, auto c) {
        return uint32_t(c) +
               (a < b ? uint32_t(b) - uint32_t(a) : uint32_t(a) - uint32_t(b));
      });
  t.three<uint32_t, uint32_t>("mad24.lo.u32 %d, %a, %b, %c;",
                              [](auto a, auto b, auto c) {
                                return (a & 0xFFFFFF) * (b & 0xFFFFFF) + c;
                              });
  t.three<uint32_t, uint32_t>(
      "dp4a.u32.s32 %d, %a, %b, %c;", [](auto a, auto b, auto c) {
        for (int i = 0; i < 32; i += 8)
          c += uint32_t(int(uint8_t(a >> i)) * int8_t(b >> i));
        return c;
      });
  // A 64-bit sum and difference in halves, through the carry.
  t.two<uint64_t, uint64_t>(
      "mov.b64 {%t0,%t1}, %a; mov.b64 {%t2,%t3}, %b; add.cc.u32 %t0, %t0, %t2; "
      "addc.u32 %t1, %t1, %t3; mov.b64 %d, {%t0,%t1};",
      [](auto a, auto b) { return a + b; });
  t.two<uint64_t, uint64_t>(
      "mov.b64 {%t0,%t1}, %a; mov.b64 {%t2,%t3}, %b; sub.cc.u32 %t0, %t0, %t2; "
      "subc.u32 %t1, %t1, %t3; mov.b64 %d, {%t0,%t1};",
      [](auto a, auto b) { return a - b; });
  t.two<uint64_t, uint32_t>("mad.lo.cc.u32 %t0, %a, %b, %a; madc.hi.u32 %t1, "
                            "%a, %b, 0; mov.b64 %d, {%t0,%t1};",
                            [](auto a, auto b) { return uint64_t(a) * b + a; });
}

void bits(InstructionTest &t) {
  t.two<uint32_t, uint32_t>("and.b32 %d, %a, %b;",
                            [](auto a, auto b) { return a & b; });
  t.two<uint64_t, uint64_t>("xor.b64 %d, %a, %b;",
                            [](auto a, auto b) { return a ^ b; });
  t.one<uint16_t, uint16_t>("not.b16 %d, %a;", [](auto a) { return ~a; });
  t.one<uint32_t, uint32_t>("cnot.b32 %d, %a;", [](auto a) { return a == 0; });
  t.two<uint32_t, uint32_t>("shl.b32 %d, %a, %b;",
                            [](auto a, auto b) { return b > 31 ? 0 : a << b; });
  t.two<int32_t, int32_t, uint32_t>("shr.s32 %d, %a, %b;", [](auto a, auto b) {
    return a >> std::min(b, 31u);
  });
  t.two<uint64_t, uint64_t, uint32_t>(
      "shr.u64 %d, %a, %b;",
      [](auto a, auto b) { return b > 63 ? 0 : a >> b; });
  t.three<uint32_t, uint32_t>(
      "shf.l.wrap.b32 %d, %a, %b, %c;", [](auto a, auto b, auto c) {
        return (uint64_t(b) << 32 | a) << (c & 31) >> 32;
      });
  t.three<uint32_t, uint32_t>(
      "shf.r.clamp.b32 %d, %a, %b, %c;", [](auto a, auto b, auto c) {
        return (uint64_t(b) << 32 | a) >> std::min(c, 32u);
      });
  t.one<uint32_t, uint64_t>("popc.b64 %d, %a;",
                            [](auto a) { return std::popcount(a); });
  t.one<uint32_t, uint32_t>("clz.b32 %d, %a;",
                            [](auto a) { return std::countl_zero(a); });
  t.one<uint32_t, uint32_t>("brev.b32 %d, %a;", [](auto a) {
    uint32_t r = 0;
    for (int i = 0; i < 32; ++i)
      r |= (a >> i & 1) << (31 - i);
    return r;
  });
  t.one<uint32_t, int32_t>("bfind.s32 %d, %a;", [](auto a) {
    auto u = uint32_t(a < 0 ? ~a : a);
    return u ? 31 - std::countl_zero(u) : -1;
  });
  std::vector<uint32_t> small = {0, 1, 4, 8, 16, 31, 32, 40};
  t.three<uint32_t, uint32_t>(
      "bfe.u32 %d, %a, %b, %c;",
      [](auto a, auto b, auto c) {
        uint64_t field = b >= 32 ? 0 : a >> b;
        return c >= 32 ? field : field & ((1u << c) - 1);
      },
      0, interesting<uint32_t>(), small, small);
  t.three<int32_t, int32_t, uint32_t, uint32_t>(
      "bfe.s32 %d, %a, %b, %c;",
      [](auto a, auto b, auto c) {
        if (c == 0)
          return 0;
        int32_t result = 0, sign = a >> std::min(b + c - 1, 31u) & 1;
        for (uint32_t i = 0; i < 32; ++i)
          result |= int32_t(
              uint32_t(i < c && b + i < 32 ? a >> (b + i) & 1 : sign) << i);
        return result;
      },
      0, interesting<int32_t>(), small, small);
  t.three<uint32_t, uint32_t>(
      "bfi.b32 %d, %a, 0x12345678, %b, %c;",
      [](auto a, auto b, auto c) {
        uint32_t result = 0x12345678;
        for (uint32_t i = 0; i < c && b + i < 32; ++i)
          result = (result & ~(1u << (b + i))) |
                   ((i < 32 ? a >> i & 1 : 0) << (b + i));
        return result;
      },
      0, interesting<uint32_t>(), small, small);
  t.three<uint32_t, uint32_t>(
      "lop3.b32 %d, %a, %b, %c, 0xE8;",
      [](auto a, auto b, auto c) { return (a & b) | (a & c) | (b & c); });
  t.three<uint32_t, uint32_t>("lop3.b32 %d, %a, %b, %c, 0x1D;", [](auto a,
                                                                   auto b,
                                                                   auto c) {
    uint32_t r = 0;
    for (int i = 0; i < 32; ++i)
      r |= (0x1Du >> ((a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1)) & 1)
           << i;
    return r;
  });
  t.two<uint32_t, uint32_t>("prmt.b32 %d, %a, %b, 0x7654;",
                            [](auto, auto b) { return b; });
  t.two<uint32_t, uint32_t>("prmt.b32 %d, %a, %b, 0x5410;", [](auto a, auto b) {
    return (a & 0xFFFF) | b << 16;
  });
  t.two<uint32_t, uint32_t>("prmt.b32 %d, %a, %b, 0x8091;", [](auto a, auto) {
    auto sign = [&](int i) { return a >> (8 * i + 7) & 1 ? 0xFFu : 0u; };
    return sign(0) << 24 | (a & 0xFF) << 16 | sign(1) << 8 | (a >> 8 & 0xFF);
  });
  t.two<uint64_t, uint32_t>("mov.b64 %d, {%a, %b};", [](auto a, auto b) {
    return uint64_t(b) << 32 | a;
  });
  t.one<uint32_t, uint32_t>("mov.b32 {%h0, %h1}, %a; mov.b32 %d, {%h1, %h0};",
                            [](auto a) { return a << 16 | a >> 16; });
}

void comparisons(InstructionTest &t) {
  t.two<bool, int32_t>("setp.lt.s32 %p1, %a, %b;" TRUTH,
                       [](auto a, auto b) { return a < b; });
  t.two<bool, uint32_t>("setp.hs.u32 %p1, %a, %b;" TRUTH,
                        [](auto a, auto b) { return a >= b; });
  t.two<bool, uint64_t>("setp.ne.b64 %p1, %a, %b;" TRUTH,
                        [](auto a, auto b) { return a != b; });
  t.two<bool, float>("setp.lt.f32 %p1, %a, %b;" TRUTH,
                     [](auto a, auto b) { return a < b; });
  t.two<bool, float>("setp.ltu.f32 %p1, %a, %b;" TRUTH,
                     [](auto a, auto b) { return !(a >= b); });
  t.two<bool, float>("setp.ne.f32 %p1, %a, %b;" TRUTH,
                     [](auto a, auto b) { return a < b || a > b; });
  t.two<bool, double>("setp.neu.f64 %p1, %a, %b;" TRUTH,
                      [](auto a, auto b) { return a != b; });
  t.two<bool, float>("setp.num.f32 %p1, %a, %b;" TRUTH, [](auto a, auto b) {
    return !std::isnan(a) && !std::isnan(b);
  });
  t.two<bool, float>("setp.nan.f32 %p1, %a, %b;" TRUTH, [](auto a, auto b) {
    return std::isnan(a) || std::isnan(b);
  });
  t.two<bool, int32_t>(
      "setp.gt.s32 %p2, %a, 5; setp.lt.and.s32 %p1, %a, %b, %p2;" TRUTH,
      [](auto a, auto b) { return a < b && a > 5; });
  t.two<bool, int32_t>(
      "setp.gt.s32 %p2, %a, 5; setp.lt.or.s32 %p1, %a, %b, !%p2;" TRUTH,
      [](auto a, auto b) { return a < b || a <= 5; });
  t.two<bool, int32_t>("setp.eq.s32 %p2|%p1, %a, %b;" TRUTH,
                       [](auto a, auto b) { return a != b; });
  t.two<uint32_t, float>("set.gt.u32.f32 %d, %a, %b;",
                         [](auto a, auto b) { return a > b ? ~0u : 0u; });
  t.two<float, float>("set.gt.f32.f32 %d, %a, %b;",
                      [](auto a, auto b) { return a > b ? 1.0f : 0.0f; });
  t.two<uint32_t, int32_t>("slct.u32.s32 %d, 1, %b, %a;", [](auto a, auto b) {
    return a >= 0 ? 1u : uint32_t(b);
  });
  t.two<bool, int32_t>("setp.eq.s32 %p1, %a, %b; not.pred %p2, %p1; xor.pred "
                       "%p1, %p1, %p2; and.pred %p1, %p1, %p2;" TRUTH,
                       [](auto a, auto b) { return a != b; });
}

template <class D> D saturating(double value) {
  if (std::isnan(value))
    return 0;
  using L = std::numeric_limits<D>;
  if (value >= std::ldexp(1.0, L::digits))
    return L::max();
  return value <= double(L::min()) ? L::min() : D(value);
}

void conversions(InstructionTest &t) {
  t.one<uint64_t, uint32_t>("cvt.u64.u32 %d, %a;", [](auto a) { return a; });
  t.one<int64_t, int32_t>("cvt.s64.s32 %d, %a;", [](auto a) { return a; });
  t.one<uint32_t, uint64_t>("cvt.u32.u64 %d, %a;", [](auto a) { return a; });
  t.one<int32_t, int32_t>("cvt.s32.s8 %d, %a;",
                          [](auto a) { return int8_t(a); });
  t.one<uint32_t, uint32_t>("cvt.u32.u8 %d, %a;",
                            [](auto a) { return uint8_t(a); });
  t.one<int32_t, uint16_t>("cvt.s32.s16 %d, %a;",
                           [](auto a) { return int16_t(a); });
  t.one<uint32_t, int32_t>("cvt.sat.u8.s32 %d, %a;",
                           [](auto a) { return std::clamp(a, 0, 255); });
  t.one<float, int32_t>("cvt.rn.f32.s32 %d, %a;",
                        [](auto a) { return float(a); });
  t.one<float, uint32_t>("cvt.rz.f32.u32 %d, %a;", [](auto a) {
    auto near = float(a);
    return double(near) > double(a) ? std::nextafter(near, 0.0f) : near;
  });
  t.one<double, uint64_t>("cvt.rn.f64.u64 %d, %a;",
                          [](auto a) { return double(a); });
  t.one<int32_t, float>("cvt.rzi.s32.f32 %d, %a;", [](auto a) {
    return saturating<int32_t>(std::trunc(double(a)));
  });
  t.one<int32_t, float>("cvt.rni.s32.f32 %d, %a;", [](auto a) {
    return saturating<int32_t>(std::nearbyint(double(a)));
  });
  t.one<uint32_t, float>("cvt.rmi.u32.f32 %d, %a;", [](auto a) {
    return saturating<uint32_t>(std::floor(double(a)));
  });
  t.one<int64_t, double>("cvt.rpi.s64.f64 %d, %a;", [](auto a) {
    return saturating<int64_t>(std::ceil(a));
  });
  t.one<float, float>("cvt.rmi.f32.f32 %d, %a;",
                      [](auto a) { return std::floor(a); });
  t.one<float, float>("cvt.sat.f32.f32 %d, %a;",
                      [](auto a) { return a > 0 ? std::min(a, 1.0f) : 0.0f; });
  t.one<float, double>("cvt.rn.f32.f64 %d, %a;",
                       [](auto a) { return float(a); });
  t.one<double, float>("cvt.f64.f32 %d, %a;", [](auto a) { return double(a); });
  t.one<float, double>("cvt.rp.f32.f64 %d, %a;", [](auto a) {
    auto near = float(a);
    return double(near) < a ? std::nextafter(near, INFINITY) : near;
  });
}

} // namespace

int main(int, char **argv) {
  Gpu gpu(argv[1]);
  InstructionTest test(gpu);
  integers(test);
  bits(test);
  comparisons(test);
  conversions(test);
  return checkSummary();
}
