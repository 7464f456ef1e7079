// RUN: blocks-opt %s -blocks-approximate-math -verify-diagnostics

func.func @remainder(%x: f32, %y: f32) -> f32 {
  // expected-error @+1 {{internal error: the CPU target has no code for this function on 'f32'}}
  %z = arith.remf %x, %y : f32
  return %z : f32
}
