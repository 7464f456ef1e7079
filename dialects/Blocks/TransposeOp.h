//===- TransposeOp.h - The order of axes ----------------------------------===//
//
// blocks.transpose, defined in TransposeOp.td.
//
//===----------------------------------------------------------------------===//
#ifndef DIALECTS_BLOCKS_TRANSPOSEOP_H
#define DIALECTS_BLOCKS_TRANSPOSEOP_H

#include "dialects/Blocks/Blocks.h"

#define GET_OP_CLASSES
#include "dialects/Blocks/TransposeOp.h.inc"

#endif
