// A function without code is named, with the brick that asked for it.
// RUN: blocks-opt %s -split-input-file -blocks-approximate-math -verify-diagnostics

func.func @zeros(%x: i32) -> i32 {
  // expected-error @+1 {{'math.ctlz' on 'i32' has no code on the CPU; write it by functions that have}}
  %z = math.ctlz %x : i32
  return %z : i32
}

// -----

func.func @named(%x: i32) -> i32 {
  // expected-error @unknown {{'math.ctlz' on 'i32' in brick /mlp/odd_0.apply has no code on the CPU}}
  %z = math.ctlz %x : i32 loc("/mlp/odd_0.apply")
  return %z : i32
}
