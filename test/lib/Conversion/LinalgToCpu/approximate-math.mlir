// f32 becomes a polynomial, f64 a call of the runtime; instructions stay.
// RUN: blocks-opt %s -blocks-approximate-math | FileCheck %s

// CHECK: func.func private @blocks_rt_tanh_f64(f64) -> f64

// CHECK-LABEL: func.func @tanh32
// CHECK-NOT: math.tanh
// CHECK: math.fma
// CHECK: arith.divf
func.func @tanh32(%x: f32) -> f32 {
  %y = math.tanh %x : f32
  return %y : f32
}

// CHECK-LABEL: func.func @tanh64
// CHECK: call @blocks_rt_tanh_f64
func.func @tanh64(%x: f64) -> f64 {
  %y = math.tanh %x : f64
  return %y : f64
}

// Their range reduction in f32 would lose every digit far from zero.
// CHECK-LABEL: func.func @sin32
// CHECK: arith.extf
// CHECK: call @blocks_rt_sin_f64
// CHECK: arith.truncf
func.func @sin32(%x: f32) -> f32 {
  %y = math.sin %x : f32
  return %y : f32
}

// CHECK-LABEL: func.func @instructions
// CHECK: math.sqrt
// CHECK: math.absf
func.func @instructions(%x: f32) -> f32 {
  %y = math.sqrt %x : f32
  %z = math.absf %y : f32
  return %z : f32
}

// CHECK-LABEL: func.func @rsqrt
// CHECK-NOT: math.rsqrt
// CHECK: math.sqrt
func.func @rsqrt(%x: f32) -> f32 {
  %y = math.rsqrt %x : f32
  return %y : f32
}
