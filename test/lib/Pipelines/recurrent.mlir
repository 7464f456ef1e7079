// A recurrent network through the whole pipeline: what its loops over time hold.
// No allocation and no copy anywhere; the inputs' product stands before the
// forward loop, each weight's gradient is one product after the backward loop.
//
// RUN: blocks-opt %source/docs/examples/recurrent.mlir --blocks-compile="stop-after=plan-memory" \
// RUN:   | FileCheck %s --implicit-check-not=memref.alloc --implicit-check-not=memref.copy
// RUN: blocks-opt %source/docs/examples/recurrent.mlir \
// RUN:   --blocks-compile="stop-after=plan-memory regularize={dropout(p=0.5, where='role:output brick:/rnn/tanh')}" \
// RUN:   | FileCheck %s --check-prefixes=DROPOUT --implicit-check-not=memref.alloc --implicit-check-not=memref.copy
// RUN: blocks-opt %source/docs/examples/recurrent.mlir --blocks-compile="stop-after=llvm" | FileCheck %s --check-prefix=LLVM

// CHECK-LABEL: func.func @train
// CHECK: call @blocks_rt_arena
// All time steps of the inputs at once.
// CHECK: linalg.matmul {{.*}} ins(%{{.*}}, %arg1 : memref<?x3xf32>, memref<3x8xf32>) outs(%{{.*}} : memref<?x8xf32>)
// CHECK: scf.for
// CHECK-NOT: linalg.{{[fgm]}}
// CHECK: linalg.matmul {{.*}} ins(%[[OLD:.*]], %arg3 :
// CHECK-NEXT: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}}, %[[OLD]] :
// CHECK-NOT: linalg.{{[fgm]}}
// CHECK: {{^    }$}}
// CHECK: linalg.matmul {{.*}} ins(%{{.*}}, %arg5 : memref<?x8xf32, {{.*}}>, memref<8x5xf32>)
// The backward loop: one sweep, one product with W, packed before the loop, one
// sum.
// CHECK: linalg.generic {{.*}} ins(%arg3 : memref<8x8xf32>) outs(%[[PACKED:[a-z_0-9]+]] :
// CHECK: scf.for
// CHECK-NOT: linalg.{{[fgm]}}
// CHECK: linalg.generic
// CHECK: linalg.matmul {{.*}} ins(%{{.*}}, %[[PACKED]] :
// CHECK-NEXT: linalg.generic
// CHECK-NOT: linalg.{{[fgm]}}
// CHECK: {{^    }$}}
// Under plain gradient descent these products add to the weights themselves.
// CHECK: linalg.matmul {{.*}} outs(%arg1 : memref<3x8xf32>)
// CHECK-DAG: linalg.matmul {{.*}} outs(%arg3 : memref<8x8xf32>)
// The initial state: a sum over the batch of the last step back.
// CHECK-DAG: linalg.generic {{.*}} outs(%arg4 : memref<8xf32>)
// CHECK-LABEL: func.func @eval

// DROPOUT-LABEL: func.func @train
// DROPOUT: scf.for
// DROPOUT: linalg.matmul {{.*}} ins(%{{.*}}, %arg3 :
// DROPOUT: arith.cmpf olt
// DROPOUT: {{^    }$}}
// DROPOUT: scf.for
// DROPOUT: arith.cmpf olt
// DROPOUT: linalg.matmul
// DROPOUT: {{^    }$}}
// DROPOUT-LABEL: func.func @eval
// DROPOUT-NOT: arith.cmpf olt

// LLVM: llvm.func @blocks_entry_train
