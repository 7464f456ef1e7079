// A product of 32x32 matrices in TF32, as MLIR's gpu, nvgpu and NVVM dialects
// lower it: one warp a block makes a tile of 16x8, its operands come through
// shared memory by cp.async. matmul.ptx is made of this by
//   mlir-opt-22 matmul.mlir --gpu-lower-to-nvvm-pipeline="cubin-chip=sm_80 \
//     cubin-features=+ptx71 cubin-format=isa kernel-bare-ptr-calling-convention=true"
// from the string in the binary.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @matmul(%a: memref<32x32xf32>, %b: memref<32x32xf32>, %c: memref<32x32xf32>)
        workgroup(%sa: memref<16x12xf32, #gpu.address_space<workgroup>>, %sb: memref<8x12xf32, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %zero = arith.constant dense<0.0> : vector<2x2xf32>
      %lane = gpu.thread_id x
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %row0 = arith.muli %by, %c16 : index
      %col0 = arith.muli %bx, %c8 : index
      %group = arith.divui %lane, %c4 : index
      %member = arith.remui %lane, %c4 : index
      %group8 = arith.addi %group, %c8 : index
      %member4 = arith.addi %member, %c4 : index
      // Lane l copies four numbers: of A row l / 2, columns 4 * (l % 2); of B
      // (the lanes below 16) row l / 2 likewise.
      %half = arith.divui %lane, %c2 : index
      %odd = arith.remui %lane, %c2 : index
      %quad = arith.muli %odd, %c4 : index
      %arow = arith.addi %row0, %half : index
      %first = arith.cmpi ult, %lane, %c16 : index
      %bcol = arith.addi %col0, %quad : index
      %sum = scf.for %k = %c0 to %c32 step %c8 iter_args(%acc = %zero) -> vector<2x2xf32> {
        %acol = arith.addi %k, %quad : index
        %t0 = nvgpu.device_async_copy %a[%arow, %acol], %sa[%half, %quad], 4 : memref<32x32xf32> to memref<16x12xf32, #gpu.address_space<workgroup>>
        %brow = arith.addi %k, %half : index
        scf.if %first {
          %t1 = nvgpu.device_async_copy %b[%brow, %bcol], %sb[%half, %quad], 4 : memref<32x32xf32> to memref<8x12xf32, #gpu.address_space<workgroup>>
        }
        %g = nvgpu.device_async_create_group %t0
        nvgpu.device_async_wait %g {numGroups = 0 : i32}
        gpu.barrier
        %a0 = memref.load %sa[%group, %member] : memref<16x12xf32, #gpu.address_space<workgroup>>
        %a1 = memref.load %sa[%group8, %member] : memref<16x12xf32, #gpu.address_space<workgroup>>
        %a2 = memref.load %sa[%group, %member4] : memref<16x12xf32, #gpu.address_space<workgroup>>
        %a3 = memref.load %sa[%group8, %member4] : memref<16x12xf32, #gpu.address_space<workgroup>>
        %b0 = memref.load %sb[%member, %group] : memref<8x12xf32, #gpu.address_space<workgroup>>
        %b1 = memref.load %sb[%member4, %group] : memref<8x12xf32, #gpu.address_space<workgroup>>
        gpu.barrier
        %va = vector.from_elements %a0, %a1, %a2, %a3 : vector<4x1xf32>
        %vb = vector.from_elements %b0, %b1 : vector<2x1xf32>
        %next = nvgpu.mma.sync (%va, %vb, %acc) {mmaShape = [16, 8, 8], tf32Enabled} : (vector<4x1xf32>, vector<2x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
        scf.yield %next : vector<2x2xf32>
      }
      %twice = arith.muli %member, %c2 : index
      %crow = arith.addi %row0, %group : index
      %crow8 = arith.addi %row0, %group8 : index
      %ccol = arith.addi %col0, %twice : index
      %top = vector.extract %sum[0] : vector<2xf32> from vector<2x2xf32>
      %bottom = vector.extract %sum[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %top, %c[%crow, %ccol] : memref<32x32xf32>, vector<2xf32>
      vector.store %bottom, %c[%crow8, %ccol] : memref<32x32xf32>, vector<2xf32>
      gpu.return
    }
  }
}
