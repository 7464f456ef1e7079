// Checks instructions one by one: a kernel of a few lines runs over all
// combinations of interesting values, and each result is compared with a
// function of the host.
#pragma once

#include "Gpu.h"

#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

/// The suffix of a register that holds a value of this C++ type.
template <class T> const char *registerType() {
  if constexpr (std::is_same_v<T, bool>)
    return "b32"; // a predicate travels as 0 or 1
  else
    return sizeof(T) == 2 ? "b16" : sizeof(T) == 4 ? "b32" : "b64";
}

template <class T> std::vector<T> interesting() {
  if constexpr (std::is_floating_point_v<T>) {
    using L = std::numeric_limits<T>;
    return {T(0),
            T(-0.0),
            T(1),
            T(-1),
            T(0.5),
            T(1.5),
            T(2.5),
            T(-2.5),
            T(3.14159),
            T(-1e-3),
            T(1e10),
            T(-7e18),
            T(65504),
            T(255.5),
            L::max(),
            L::lowest(),
            L::min(),
            L::denorm_min(),
            T(-3) * L::denorm_min(),
            L::infinity(),
            -L::infinity(),
            L::quiet_NaN(),
            T(2147483648.0),
            T(-2147483904.0),
            T(4294967296.0),
            T(33.3)};
  } else {
    using L = std::numeric_limits<T>;
    return {T(0),
            T(1),
            T(2),
            T(3),
            T(7),
            T(31),
            T(32),
            T(33),
            T(100),
            T(-1),
            T(-2),
            T(-100),
            L::max(),
            L::min(),
            T(L::max() - 1),
            T(0x5A5A5A5A5A5A5A5A),
            T(0x123456789ABCDEF0),
            T(0x8000),
            T(0x7FFF),
            T(0xFFFF)};
  }
}

/// Halves: the numbers as bits in a uint16_t.
inline std::vector<uint16_t> interestingHalves() {
  return {0x0000, 0x8000, 0x3C00, 0xBC00, 0x3800, 0x4248, 0x7BFF,
          0xFBFF, 0x0001, 0x83FF, 0x0400, 0x7C00, 0xFC00, 0x7E00,
          0x3F80, 0xC0A0, 0x4000, 0x3555, 0x2E66, 0x5640};
}

template <class T> bool sameValue(T found, T expected, double tolerance) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(expected))
      return std::isnan(found);
    if (tolerance == 0)
      return found == expected && std::signbit(found) == std::signbit(expected);
    if (std::isinf(expected) || std::isinf(found))
      return found == expected;
    double scale = std::max(1.0, std::fabs(double(expected)));
    return std::fabs(double(found) - double(expected)) <= tolerance * scale;
  } else {
    return found == expected;
  }
}

/// Runs `body` (which computes %d from %a, %b, %c) for all combinations.
class InstructionTest {
public:
  explicit InstructionTest(const Gpu &gpu) : gpu(gpu) {}

  template <class D, class A, class F>
  void one(const char *body, F expected, double tolerance = 0,
           std::vector<A> as = interesting<A>()) {
    run<D, A, A, A>(body, [&](A a, A, A) { return D(expected(a)); }, tolerance,
                    as, {A()}, {A()});
  }
  template <class D, class A, class B = A, class F>
  void two(const char *body, F expected, double tolerance = 0,
           std::vector<A> as = interesting<A>(),
           std::vector<B> bs = interesting<B>()) {
    run<D, A, B, A>(body, [&](A a, B b, A) { return D(expected(a, b)); },
                    tolerance, as, bs, {A()});
  }
  template <class D, class A, class B = A, class C = A, class F>
  void three(const char *body, F expected, double tolerance = 0,
             std::vector<A> as = interesting<A>(),
             std::vector<B> bs = interesting<B>(),
             std::vector<C> cs = interesting<C>()) {
    run<D, A, B, C>(
        body, [&](A a, B b, C c) { return D(expected(a, b, c)); }, tolerance,
        as, bs, cs);
  }

private:
  const Gpu &gpu;

  template <class D, class A, class B, class C, class F>
  void run(const std::string &body, F expected, double tolerance,
           const std::vector<A> &as, const std::vector<B> &bs,
           const std::vector<C> &cs) {
    std::vector<A> a;
    std::vector<B> b;
    std::vector<C> c;
    for (A x : as)
      for (B y : bs)
        for (C z : cs)
          a.push_back(x), b.push_back(y), c.push_back(z);
    using Stored = std::conditional_t<std::is_same_v<D, bool>, uint32_t, D>;
    Buffer<A> bufferA(gpu, a);
    Buffer<B> bufferB(gpu, b);
    Buffer<C> bufferC(gpu, c);
    Buffer<Stored> results(gpu, a.size());
    auto count = uint32_t(a.size());
    CUmodule module = gpu.load(text<D, A, B, C>(body));
    gpu.run(gpu.function(module, "test"), (count + 95) / 96, 96, 0,
            results.get(), bufferA.get(), bufferB.get(), bufferC.get(), count);
    const std::vector<Stored> &found = results.read();
    int wrong = 0;
    for (size_t i = 0; i < found.size() && wrong < 3; ++i) {
      auto wanted = Stored(expected(a[i], b[i], c[i]));
      if (!sameValue(found[i], wanted, tolerance)) {
        ++wrong;
        std::ostringstream what;
        what.precision(17);
        what << body << " of " << show(a[i]) << ", " << show(b[i]) << ", "
             << show(c[i]) << " is " << show(found[i]) << ", expected "
             << show(wanted);
        checkFailed(__FILE__, __LINE__, what.str());
      }
    }
    gpu.cuModuleUnload(module);
  }

  template <class T> static std::string show(T value) {
    std::ostringstream text;
    text.precision(17);
    if constexpr (std::is_integral_v<T>)
      text << std::hex << "0x" << uint64_t(value);
    else
      text << value;
    return text.str();
  }

  template <class T> static std::string loadOf(char name, int offset) {
    std::string suffix = registerType<T>(), n(1, name);
    return "ld.param.u64 %p, [test_param_" + std::to_string(offset) +
           "]; mul.wide.u32 %o, %i, " + std::to_string(sizeof(T)) +
           "; add.u64 %p, %p, %o; ld.global." + suffix + " %" + n + ", [%p];\n";
  }

  template <class D, class A, class B, class C>
  static std::string text(const std::string &body) {
    std::string d = registerType<D>();
    return std::string(
               ".version 8.6\n.target sm_90\n.address_size 64\n"
               ".visible .entry test(.param .u64 test_param_0, "
               ".param .u64 test_param_1, .param .u64 test_param_2, "
               ".param .u64 test_param_3, .param .u32 test_param_4)\n{\n"
               ".reg .pred %out, %p1, %p2; .reg .b64 %p, %o, %w<4>;\n"
               ".reg .b32 %i, %n, %t<4>; .reg .b16 %h<8>; .reg .") +
           d + " %d;\n.reg ." + registerType<A>() + " %a; .reg ." +
           registerType<B>() + " %b; .reg ." + registerType<C>() +
           " %c;\nmov.u32 %i, %ctaid.x; mov.u32 %n, %ntid.x; mov.u32 %t0, "
           "%tid.x;\nmad.lo.u32 %i, %i, %n, %t0; ld.param.u32 %n, "
           "[test_param_4];\nsetp.ge.u32 %out, %i, %n; @%out bra DONE;\n" +
           loadOf<A>('a', 1) + loadOf<B>('b', 2) + loadOf<C>('c', 3) + body +
           "\nld.param.u64 %p, [test_param_0]; mul.wide.u32 %o, %i, " +
           std::to_string(std::is_same_v<D, bool> ? 4 : sizeof(D)) +
           "; add.u64 %p, %p, %o; st.global." + d +
           " [%p], %d;\nDONE: ret;\n}\n";
  }
};
