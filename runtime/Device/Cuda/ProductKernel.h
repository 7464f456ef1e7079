// ProductKernel: a plain matrix product for GPUs without cuBLAS, as PTX that
// every architecture runs; and what is done to a product before it is written
// (GemmEpilogue), as a kernel behind it, where cuBLASLt does not do it. 16x16
// elements of the result a block, the operands through shared memory; each
// element's sum goes along k in order. Several times slower than cuBLAS.
#pragma once

#include <string>

namespace blocks::cuda {

constexpr int productTile = 16;
/// Names of the kernels in the text.
constexpr const char *productKernelF32 = "blocks_product_f32",
                     *productKernelF64 = "blocks_product_f64",
                     *epilogueKernel = "blocks_epilogue_f32";
/// A block of the epilogue: neighbouring columns, which it walks, and rows.
constexpr unsigned epilogueColumns = 32, epilogueRows = 8;

/// Their PTX. Parameters, u64 but for the factors: m, n, k, alpha, a, its
/// elements from row to row and from column to column of op(A), b, the same of
/// op(B), beta, c, ldc, and the elements between the products of a stack of a,
/// b, c (block z is a product's number). Of the epilogue: m, n, c, ldc, the
/// bias or null, and 1 (u32) if numbers below 0 become 0.
std::string productKernelText();

} // namespace blocks::cuda
