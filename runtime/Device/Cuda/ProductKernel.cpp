// The text of the product's kernels: see ProductKernel.h. It is written once,
// with `$T` for the type, `$S` for the logarithm of its bytes and `$0` for
// zero.
#include "runtime/Device/Cuda/ProductKernel.h"

namespace blocks::cuda {

namespace {
constexpr const char *head = R"(.version 6.3
.target sm_75
.address_size 64
)";

/// Thread (tx, ty) of block (x, y, z) computes row 16x + ty, column 16y + tx.
constexpr const char *body = R"(
.visible .entry blocks_product_$T(
  .param .u64 pm, .param .u64 pn, .param .u64 pk, .param .$T palpha,
  .param .u64 pa, .param .u64 pai, .param .u64 pak,
  .param .u64 pb, .param .u64 pbk, .param .u64 pbj,
  .param .$T pbeta, .param .u64 pc, .param .u64 pldc,
  .param .u64 psa, .param .u64 psb, .param .u64 psc)
{
  .reg .pred %p<5>;
  .reg .b32 %r<8>;
  .reg .b64 %d<40>;
  .reg .$T %f<8>;
  .shared .align 8 .b8 tile_a_$T[2048];
  .shared .align 8 .b8 tile_b_$T[2048];

  mov.u32 %r0, %tid.x;
  mov.u32 %r1, %tid.y;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ctaid.y;
  mov.u32 %r4, %ctaid.z;
  ld.param.u64 %d0, [pm];
  ld.param.u64 %d1, [pn];
  ld.param.u64 %d2, [pk];
  ld.param.u64 %d3, [pa];
  ld.param.u64 %d4, [pai];
  ld.param.u64 %d5, [pak];
  ld.param.u64 %d6, [pb];
  ld.param.u64 %d7, [pbk];
  ld.param.u64 %d8, [pbj];
  ld.param.u64 %d9, [pc];
  ld.param.u64 %d10, [pldc];
  ld.param.u64 %d11, [psa];
  ld.param.u64 %d12, [psb];
  ld.param.u64 %d13, [psc];

  // Row i = %d14, column j = %d15; tx = %d16, ty = %d17.
  cvt.u64.u32 %d16, %r0;
  cvt.u64.u32 %d17, %r1;
  cvt.u64.u32 %d18, %r2;
  cvt.u64.u32 %d19, %r3;
  cvt.u64.u32 %d20, %r4;
  mad.lo.s64 %d14, %d18, 16, %d17;
  mad.lo.s64 %d15, %d19, 16, %d16;

  // The z-th product: a, b, c move by their strides.
  mul.lo.s64 %d21, %d20, %d11;
  shl.b64 %d21, %d21, $S;
  add.s64 %d3, %d3, %d21;
  mul.lo.s64 %d21, %d20, %d12;
  shl.b64 %d21, %d21, $S;
  add.s64 %d6, %d6, %d21;
  mul.lo.s64 %d21, %d20, %d13;
  shl.b64 %d21, %d21, $S;
  add.s64 %d9, %d9, %d21;

  // Where this thread puts its elements: tile[ty][tx]; %d24 = tile_a[ty][0],
  // %d25 = tile_b[0][tx].
  mov.u64 %d22, tile_a_$T;
  mov.u64 %d23, tile_b_$T;
  mad.lo.s64 %d26, %d17, 16, 0;
  shl.b64 %d27, %d26, $S;
  add.s64 %d24, %d22, %d27;
  shl.b64 %d28, %d16, $S;
  add.s64 %d25, %d23, %d28;
  add.s64 %d29, %d24, %d28;
  add.s64 %d30, %d25, %d27;

  mov.$T %f0, $0;
  mov.u64 %d31, 0;
  setp.ge.s64 %p0, %d31, %d2;
  @%p0 bra STORE_$T;

LOOP_$T:
  // A[i][k0 + tx]
  add.s64 %d32, %d31, %d16;
  mov.$T %f1, $0;
  setp.lt.s64 %p1, %d14, %d0;
  setp.lt.s64 %p2, %d32, %d2;
  and.pred %p1, %p1, %p2;
  mul.lo.s64 %d33, %d14, %d4;
  mad.lo.s64 %d33, %d32, %d5, %d33;
  shl.b64 %d33, %d33, $S;
  add.s64 %d33, %d3, %d33;
  @%p1 ld.global.$T %f1, [%d33];
  st.shared.$T [%d29], %f1;
  // B[k0 + ty][j]
  add.s64 %d32, %d31, %d17;
  mov.$T %f2, $0;
  setp.lt.s64 %p1, %d15, %d1;
  setp.lt.s64 %p2, %d32, %d2;
  and.pred %p1, %p1, %p2;
  mul.lo.s64 %d33, %d32, %d7;
  mad.lo.s64 %d33, %d15, %d8, %d33;
  shl.b64 %d33, %d33, $S;
  add.s64 %d33, %d6, %d33;
  @%p1 ld.global.$T %f2, [%d33];
  st.shared.$T [%d30], %f2;
  bar.sync 0;
$UNROLLED
  bar.sync 0;
  add.s64 %d31, %d31, 16;
  setp.lt.s64 %p0, %d31, %d2;
  @%p0 bra LOOP_$T;

STORE_$T:
  setp.ge.s64 %p1, %d14, %d0;
  @%p1 bra DONE_$T;
  setp.ge.s64 %p1, %d15, %d1;
  @%p1 bra DONE_$T;
  mad.lo.s64 %d34, %d14, %d10, %d15;
  shl.b64 %d34, %d34, $S;
  add.s64 %d34, %d9, %d34;
  ld.param.$T %f3, [palpha];
  ld.param.$T %f4, [pbeta];
  mul.rn.$T %f0, %f0, %f3;
  setp.eq.$T %p3, %f4, $0;
  @%p3 bra WRITE_$T;
  ld.global.$T %f5, [%d34];
  fma.rn.$T %f0, %f4, %f5, %f0;
WRITE_$T:
  st.global.$T [%d34], %f0;
DONE_$T:
  ret;
}
)";

/// Thread (tx, ty) of block x takes row 8x + ty and every 32nd column from tx.
constexpr const char *epilogue = R"(
.visible .entry blocks_epilogue_f32(
  .param .u64 pm, .param .u64 pn, .param .u64 pc, .param .u64 pldc,
  .param .u64 pbias, .param .u32 prectifies)
{
  .reg .pred %p<4>;
  .reg .b32 %r<4>;
  .reg .b64 %d<12>;
  .reg .f32 %f<2>;

  mov.u32 %r0, %tid.x;
  mov.u32 %r1, %tid.y;
  mov.u32 %r2, %ctaid.x;
  ld.param.u64 %d0, [pm];
  ld.param.u64 %d1, [pn];
  ld.param.u64 %d2, [pc];
  ld.param.u64 %d3, [pldc];
  ld.param.u64 %d4, [pbias];
  ld.param.u32 %r3, [prectifies];
  setp.ne.s64 %p0, %d4, 0;
  setp.ne.s32 %p1, %r3, 0;

  // Column j = %d5, row i = %d6; %d7 = c[i].
  cvt.u64.u32 %d5, %r0;
  cvt.u64.u32 %d6, %r1;
  cvt.u64.u32 %d8, %r2;
  mad.lo.s64 %d6, %d8, 8, %d6;
  setp.ge.s64 %p2, %d6, %d0;
  @%p2 bra END;
  mul.lo.s64 %d7, %d6, %d3;
  shl.b64 %d7, %d7, 2;
  add.s64 %d7, %d2, %d7;

NEXT:
  setp.ge.s64 %p2, %d5, %d1;
  @%p2 bra END;
  shl.b64 %d9, %d5, 2;
  add.s64 %d10, %d7, %d9;
  add.s64 %d11, %d4, %d9;
  ld.global.f32 %f0, [%d10];
  @!%p0 bra ADDED;
  ld.global.f32 %f1, [%d11];
  add.rn.f32 %f0, %f0, %f1;
ADDED:
  // NaN stays.
  setp.le.f32 %p3, %f0, 0f00000000;
  and.pred %p3, %p3, %p1;
  selp.f32 %f0, 0f00000000, %f0, %p3;
  st.global.f32 [%d10], %f0;
  add.s64 %d5, %d5, 32;
  bra NEXT;
END:
  ret;
}
)";

void replaceAll(std::string &text, const std::string &from,
                const std::string &to) {
  for (size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// One step along k for each of the tile's 16 columns.
std::string unrolled(int bytes) {
  std::string text;
  for (int k = 0; k < productTile; ++k)
    text += "  ld.shared.$T %f6, [%d24+" + std::to_string(k * bytes) +
            "];\n  ld.shared.$T %f7, [%d25+" +
            std::to_string(k * productTile * bytes) +
            "];\n  fma.rn.$T %f0, %f6, %f7, %f0;\n";
  return text;
}

std::string kernel(const char *type, int logBytes, const char *zero) {
  std::string text = body;
  replaceAll(text, "$UNROLLED", unrolled(1 << logBytes));
  replaceAll(text, "$T", type);
  replaceAll(text, "$S", std::to_string(logBytes));
  replaceAll(text, "$0", zero);
  return text;
}
} // namespace

std::string productKernelText() {
  return head + kernel("f32", 2, "0f00000000") +
         kernel("f64", 3, "0d0000000000000000") + epilogue;
}

} // namespace blocks::cuda
