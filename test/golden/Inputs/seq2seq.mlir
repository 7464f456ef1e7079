// Sequence to sequence with attention: 5,000 words on both sides, embeddings of
// 128, gated units of 256 in both directions over the source, and a decoder that
// attends to them. The reference has two biases for each input of a gated unit,
// so there is a Bias beside each fork. Its update gate keeps the old state, ours
// lets the new one in: the columns of that gate are negated in the files.
module {
  blocks.brick @source_words = "LookupTable" {length = 5000, dim = 128}
  blocks.brick @target_words = "LookupTable" {length = 5000, dim = 128}
  blocks.brick @forward_fork = "Fork" {output_names = ["inputs", "gate_inputs"], input_dim = 128, output_dims = [256, 512]}
  blocks.brick @backward_fork = "Fork" {output_names = ["inputs", "gate_inputs"], input_dim = 128, output_dims = [256, 512]}
  blocks.brick @decoder_fork = "Fork" {output_names = ["inputs", "gate_inputs"], input_dim = 128, output_dims = [256, 512]}
  blocks.brick @forward_bias = "Bias" {dim = 256}
  blocks.brick @backward_bias = "Bias" {dim = 256}
  blocks.brick @decoder_bias = "Bias" {dim = 256}
  blocks.brick @forward_gate_bias = "Bias" {dim = 512}
  blocks.brick @backward_gate_bias = "Bias" {dim = 512}
  blocks.brick @decoder_gate_bias = "Bias" {dim = 512}
  blocks.brick @forward = "GatedRecurrent" {dim = 256, trained_initial_states = false}
  blocks.brick @backward = "GatedRecurrent" {dim = 256, trained_initial_states = false}
  blocks.brick @first_state = "MLP" {dims = [256, 256], activations = ["Tanh"]}
  blocks.brick @decoder = "AttentionRecurrent" {
    transition = {kind = "GatedRecurrent", name = "transition", dim = 256, trained_initial_states = false},
    attention = {kind = "SequenceContentAttention", name = "attention", match_dim = 256, attended_dim = 512}}
  blocks.brick @merge = "Merge" {input_names = ["states", "averages", "words"], input_dims = [256, 512, 128], output_dim = 256}
  blocks.brick @post_merge = "Sequence" {application_methods = [{kind = "Bias", dim = 256}, "Tanh", {kind = "Linear", input_dim = 256, output_dim = 5000}]}
  blocks.brick @softmax = "Softmax" {}

  blocks.graph @cost(%src: tensor<?x?xi32> {blocks.source = "src", blocks.axes = ["positions", "batch"]},
                     %yin: tensor<?x?xi32> {blocks.source = "yin", blocks.axes = ["time", "batch"]},
                     %yout: tensor<?x?xi32> {blocks.source = "yout", blocks.axes = ["time", "batch"]}) {
    %words = blocks.apply @source_words::@apply(%src) : (tensor<?x?xi32>) -> tensor<?x?x128xf32>
    %fx, %fg = blocks.apply @forward_fork::@apply(%words) : (tensor<?x?x128xf32>) -> (tensor<?x?x256xf32>, tensor<?x?x512xf32>)
    %bx, %bg = blocks.apply @backward_fork::@apply(%words) : (tensor<?x?x128xf32>) -> (tensor<?x?x256xf32>, tensor<?x?x512xf32>)
    %fx1 = blocks.apply @forward_bias::@apply(%fx) : (tensor<?x?x256xf32>) -> tensor<?x?x256xf32>
    %fg1 = blocks.apply @forward_gate_bias::@apply(%fg) : (tensor<?x?x512xf32>) -> tensor<?x?x512xf32>
    %bx1 = blocks.apply @backward_bias::@apply(%bx) : (tensor<?x?x256xf32>) -> tensor<?x?x256xf32>
    %bg1 = blocks.apply @backward_gate_bias::@apply(%bg) : (tensor<?x?x512xf32>) -> tensor<?x?x512xf32>
    %hf = blocks.apply @forward::@apply(%fx1, %fg1) : (tensor<?x?x256xf32>, tensor<?x?x512xf32>) -> tensor<?x?x256xf32>
    %hb = blocks.apply @backward::@apply(%bx1, %bg1) {reverse} : (tensor<?x?x256xf32>, tensor<?x?x512xf32>) -> tensor<?x?x256xf32>
    %annotations = tensor.concat dim(2) %hf, %hb : (tensor<?x?x256xf32>, tensor<?x?x256xf32>) -> tensor<?x?x512xf32>

    %c1 = arith.constant 1 : index
    %batch = tensor.dim %src, %c1 : tensor<?x?xi32>
    %whole = tensor.extract_slice %hb[0, 0, 0] [1, %batch, 256] [1, 1, 1] : tensor<?x?x256xf32> to tensor<?x256xf32>
    %s0 = blocks.apply @first_state::@apply(%whole) : (tensor<?x256xf32>) -> tensor<?x256xf32>

    %fed = blocks.apply @target_words::@apply(%yin) : (tensor<?x?xi32>) -> tensor<?x?x128xf32>
    %dx, %dg = blocks.apply @decoder_fork::@apply(%fed) : (tensor<?x?x128xf32>) -> (tensor<?x?x256xf32>, tensor<?x?x512xf32>)
    %dx1 = blocks.apply @decoder_bias::@apply(%dx) : (tensor<?x?x256xf32>) -> tensor<?x?x256xf32>
    %dg1 = blocks.apply @decoder_gate_bias::@apply(%dg) : (tensor<?x?x512xf32>) -> tensor<?x?x512xf32>
    %states, %averages, %weights = blocks.apply @decoder::@apply(%dx1, %dg1, %annotations, %s0) {arguments = ["inputs", "gate_inputs", "attended", "states"]}
        : (tensor<?x?x256xf32>, tensor<?x?x512xf32>, tensor<?x?x512xf32>, tensor<?x256xf32>) -> (tensor<?x?x256xf32>, tensor<?x?x512xf32>, tensor<?x?x?xf32>)

    %merged = blocks.apply @merge::@apply(%states, %averages, %fed) : (tensor<?x?x256xf32>, tensor<?x?x512xf32>, tensor<?x?x128xf32>) -> tensor<?x?x256xf32>
    %logits = blocks.apply @post_merge::@apply(%merged) : (tensor<?x?x256xf32>) -> tensor<?x?x5000xf32>
    %costs = blocks.apply @softmax::@categorical_cross_entropy(%yout, %logits) : (tensor<?x?xi32>, tensor<?x?x5000xf32>) -> tensor<?x?xf32>
    %sum = blocks.reduce sum %costs dims [0, 1] : tensor<?x?xf32> to tensor<f32>
    %count = blocks.extent %costs dims [0, 1] : tensor<?x?xf32> to tensor<f32>
    %cost = arith.divf %sum, %count : tensor<f32>
    blocks.output %cost "cost" roles [cost] aggregate mean : tensor<f32>
  }
}
