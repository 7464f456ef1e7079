//===- Blocks.td - All of the dialect, for tablegen -----------------------===//
include "dialects/Blocks/BrickOps.td"
include "dialects/Blocks/GraphOps.td"
include "dialects/Blocks/Interfaces.td"
include "dialects/Blocks/TensorOps.td"
include "dialects/Blocks/ConvolutionOps.td"
include "dialects/Blocks/ScanOp.td"
include "dialects/Blocks/TransposeOp.td"
include "dialects/Blocks/TrainOps.td"
