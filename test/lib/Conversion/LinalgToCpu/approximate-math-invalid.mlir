// A function without code is named, with the brick that asked for it.
// RUN: blocks-opt %s -split-input-file -blocks-approximate-math -verify-diagnostics

func.func @remainder(%x: f32, %y: f32) -> f32 {
  // expected-error @+1 {{'arith.remf' on 'f32' has no code on the CPU; write it by functions that have}}
  %z = arith.remf %x, %y : f32
  return %z : f32
}

// -----

func.func @named(%x: f32, %y: f32) -> f32 {
  // expected-error @unknown {{'arith.remf' on 'f32' in brick /mlp/odd_0.apply has no code on the CPU}}
  %z = arith.remf %x, %y : f32 loc("/mlp/odd_0.apply")
  return %z : f32
}
