// DRAW on images of 28x28, as the reference trajectory has it: a window of 5x5
// to read from the image and from what the canvas lacks, another one to write,
// encoder and decoder LSTMs of 256, codes of 10 numbers, for any number of
// steps. The windows differ from the library's in the scale of the centre and
// in the small number of the normalization, so they are written out.
module {
  blocks.brick @window {
    // Filters along one direction: exp(-(a - μ_i)²/(2σ²)) with
    // μ_i = 14.5·(g + 1) + δ·(i - 2), each divided by its sum plus 1e-8.
    blocks.application @filters(%g: tensor<?xf32>, %distance: tensor<?xf32>, %scale: tensor<?xf32>) -> tensor<?x5x28xf32> {
      %c0 = arith.constant 0 : index
      %batch = tensor.dim %g, %c0 : tensor<?xf32>
      %like = tensor.empty(%batch) : tensor<?x5xf32>
      %half = arith.constant dense<14.5> : tensor<f32>
      %halves = blocks.broadcast %half like %g dims [] : tensor<f32>, tensor<?xf32>
      %scaled = arith.mulf %g, %halves : tensor<?xf32>
      %centre = arith.addf %scaled, %halves : tensor<?xf32>
      %offsets = arith.constant dense<[-2.0, -1.0, 0.0, 1.0, 2.0]> : tensor<5xf32>
      %i = blocks.broadcast %offsets like %like dims [1] : tensor<5xf32>, tensor<?x5xf32>
      %d = blocks.broadcast %distance like %like dims [0] : tensor<?xf32>, tensor<?x5xf32>
      %m = blocks.broadcast %centre like %like dims [0] : tensor<?xf32>, tensor<?x5xf32>
      %shift = arith.mulf %i, %d : tensor<?x5xf32>
      %mu = arith.addf %m, %shift : tensor<?x5xf32>

      %wide = tensor.empty(%batch) : tensor<?x5x28xf32>
      %places = arith.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0, 24.0, 25.0, 26.0, 27.0]> : tensor<28xf32>
      %a = blocks.broadcast %places like %wide dims [2] : tensor<28xf32>, tensor<?x5x28xf32>
      %mus = blocks.broadcast %mu like %wide dims [0, 1] : tensor<?x5xf32>, tensor<?x5x28xf32>
      %scales = blocks.broadcast %scale like %wide dims [0] : tensor<?xf32>, tensor<?x5x28xf32>
      %apart = arith.subf %a, %mus : tensor<?x5x28xf32>
      %square = arith.mulf %apart, %apart : tensor<?x5x28xf32>
      %exponent = arith.mulf %square, %scales : tensor<?x5x28xf32>
      %raw = math.exp %exponent : tensor<?x5x28xf32>
      %sums = blocks.reduce sum %raw dims [2] : tensor<?x5x28xf32> to tensor<?x5xf32>
      %small = arith.constant dense<1.0e-8> : tensor<f32>
      %smalls = blocks.broadcast %small like %sums dims [] : tensor<f32>, tensor<?x5xf32>
      %divisor = arith.addf %sums, %smalls : tensor<?x5xf32>
      %divisors = blocks.broadcast %divisor like %wide dims [0, 1] : tensor<?x5xf32>, tensor<?x5x28xf32>
      %f = arith.divf %raw, %divisors : tensor<?x5x28xf32>
      blocks.return %f : tensor<?x5x28xf32>
    }
    // From horizontal and vertical centre, log variance, log distance and log
    // intensity to the filters of both directions and the intensity.
    blocks.application @place(%l: tensor<?x5xf32>) -> (tensor<?x5x28xf32>, tensor<?x5x28xf32>, tensor<?xf32>) {
      %c0 = arith.constant 0 : index
      %batch = tensor.dim %l, %c0 : tensor<?x5xf32>
      %l0 = tensor.extract_slice %l[0, 0] [%batch, 1] [1, 1] : tensor<?x5xf32> to tensor<?x1xf32>
      %l1 = tensor.extract_slice %l[0, 1] [%batch, 1] [1, 1] : tensor<?x5xf32> to tensor<?x1xf32>
      %l2 = tensor.extract_slice %l[0, 2] [%batch, 1] [1, 1] : tensor<?x5xf32> to tensor<?x1xf32>
      %l3 = tensor.extract_slice %l[0, 3] [%batch, 1] [1, 1] : tensor<?x5xf32> to tensor<?x1xf32>
      %l4 = tensor.extract_slice %l[0, 4] [%batch, 1] [1, 1] : tensor<?x5xf32> to tensor<?x1xf32>
      %gx = tensor.collapse_shape %l0 [[0, 1]] : tensor<?x1xf32> into tensor<?xf32>
      %gy = tensor.collapse_shape %l1 [[0, 1]] : tensor<?x1xf32> into tensor<?xf32>
      %v = tensor.collapse_shape %l2 [[0, 1]] : tensor<?x1xf32> into tensor<?xf32>
      %d = tensor.collapse_shape %l3 [[0, 1]] : tensor<?x1xf32> into tensor<?xf32>
      %i = tensor.collapse_shape %l4 [[0, 1]] : tensor<?x1xf32> into tensor<?xf32>
      %far = arith.constant dense<6.75> : tensor<f32>
      %fars = blocks.broadcast %far like %d dims [] : tensor<f32>, tensor<?xf32>
      %stretch = math.exp %d : tensor<?xf32>
      %distance = arith.mulf %stretch, %fars : tensor<?xf32>
      %half = arith.constant dense<-0.5> : tensor<f32>
      %halves = blocks.broadcast %half like %v dims [] : tensor<f32>, tensor<?xf32>
      %less = arith.negf %v : tensor<?xf32>
      %precision = math.exp %less : tensor<?xf32>
      %scale = arith.mulf %precision, %halves : tensor<?xf32>
      %intensity = math.exp %i : tensor<?xf32>
      %fx = blocks.apply @window::@filters(%gx, %distance, %scale) : (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?x5x28xf32>
      %fy = blocks.apply @window::@filters(%gy, %distance, %scale) : (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?x5x28xf32>
      blocks.return %fx, %fy, %intensity : tensor<?x5x28xf32>, tensor<?x5x28xf32>, tensor<?xf32>
    }
  }
  blocks.brick @read_place = "Linear" {input_dim = 256, output_dim = 5}
  blocks.brick @encoder_input = "Linear" {input_dim = 306, output_dim = 1024}
  blocks.brick @encoder = "LSTM" {dim = 256, peepholes = false, trained_initial_states = false}
  blocks.brick @sampler = "Qsampler" {input_dim = 256, output_dim = 10}
  blocks.brick @decoder_input = "Linear" {input_dim = 10, output_dim = 1024}
  blocks.brick @decoder = "LSTM" {dim = 256, peepholes = false, trained_initial_states = false}
  blocks.brick @write_place = "Linear" {input_dim = 256, output_dim = 5}
  blocks.brick @patch = "Linear" {input_dim = 256, output_dim = 25}
  blocks.brick @bce = "BinaryCrossEntropy"

  blocks.graph @cost(%x: tensor<?x784xf32> {blocks.source = "x", blocks.axes = ["batch", "pixel"]},
                     %eps: tensor<?x?x10xf32> {blocks.source = "eps", blocks.axes = ["batch", "time", "code"]}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %batch = tensor.dim %x, %c0 : tensor<?x784xf32>
    %noises = blocks.transpose %eps permutation [1, 0, 2] : tensor<?x?x10xf32> to tensor<?x?x10xf32>
    %image = tensor.expand_shape %x [[0], [1, 2]] output_shape [%batch, 28, 28] : tensor<?x784xf32> into tensor<?x28x28xf32>
    %zero = arith.constant dense<0.0> : tensor<f32>
    %canvas = blocks.broadcast %zero like %x dims [] : tensor<f32>, tensor<?x784xf32>
    %he0, %ce0 = blocks.apply @encoder::@initial_states(%x) : (tensor<?x784xf32>) -> (tensor<?x256xf32>, tensor<?x256xf32>)
    %hd0, %cd0 = blocks.apply @decoder::@initial_states(%x) : (tensor<?x784xf32>) -> (tensor<?x256xf32>, tensor<?x256xf32>)
    %cs, %hes, %ces, %hds, %cds, %kls = blocks.scan sequences(%noises) states(%canvas, %he0, %ce0, %hd0, %cd0) : (tensor<?x?x10xf32>, tensor<?x784xf32>, tensor<?x256xf32>, tensor<?x256xf32>, tensor<?x256xf32>, tensor<?x256xf32>) -> (tensor<?x?x784xf32>, tensor<?x?x256xf32>, tensor<?x?x256xf32>, tensor<?x?x256xf32>, tensor<?x?x256xf32>, tensor<?x?xf32>) {
    ^step(%t: index, %noise: tensor<?x10xf32>, %c: tensor<?x784xf32>, %h_enc: tensor<?x256xf32>, %c_enc: tensor<?x256xf32>, %h_dec: tensor<?x256xf32>, %c_dec: tensor<?x256xf32>):
      %shown = blocks.logistic %c : tensor<?x784xf32>
      %lacks = arith.subf %x, %shown : tensor<?x784xf32>
      %missing = tensor.expand_shape %lacks [[0], [1, 2]] output_shape [%batch, 28, 28] : tensor<?x784xf32> into tensor<?x28x28xf32>

      %l = blocks.apply @read_place::@apply(%h_dec) : (tensor<?x256xf32>) -> tensor<?x5xf32>
      %fx, %fy, %gamma = blocks.apply @window::@place(%l) : (tensor<?x5xf32>) -> (tensor<?x5x28xf32>, tensor<?x5x28xf32>, tensor<?xf32>)
      %rows0 = blocks.batch_matmul %fy, %image : tensor<?x5x28xf32>, tensor<?x28x28xf32> to tensor<?x5x28xf32>
      %seen0 = blocks.batch_matmul %rows0, %fx {transpose_rhs} : tensor<?x5x28xf32>, tensor<?x5x28xf32> to tensor<?x5x5xf32>
      %rows1 = blocks.batch_matmul %fy, %missing : tensor<?x5x28xf32>, tensor<?x28x28xf32> to tensor<?x5x28xf32>
      %seen1 = blocks.batch_matmul %rows1, %fx {transpose_rhs} : tensor<?x5x28xf32>, tensor<?x5x28xf32> to tensor<?x5x5xf32>
      %glimpse0 = tensor.collapse_shape %seen0 [[0], [1, 2]] : tensor<?x5x5xf32> into tensor<?x25xf32>
      %glimpse1 = tensor.collapse_shape %seen1 [[0], [1, 2]] : tensor<?x5x5xf32> into tensor<?x25xf32>
      %glimpse = tensor.concat dim(1) %glimpse0, %glimpse1 : (tensor<?x25xf32>, tensor<?x25xf32>) -> tensor<?x50xf32>
      %gammas = blocks.broadcast %gamma like %glimpse dims [0] : tensor<?xf32>, tensor<?x50xf32>
      %r = arith.mulf %glimpse, %gammas : tensor<?x50xf32>

      %both = tensor.concat dim(1) %r, %h_dec : (tensor<?x50xf32>, tensor<?x256xf32>) -> tensor<?x306xf32>
      %i = blocks.apply @encoder_input::@apply(%both) : (tensor<?x306xf32>) -> tensor<?x1024xf32>
      %he, %ce = blocks.apply @encoder::@apply(%i, %h_enc, %c_enc) {iterate = false} : (tensor<?x1024xf32>, tensor<?x256xf32>, tensor<?x256xf32>) -> (tensor<?x256xf32>, tensor<?x256xf32>)
      %z, %kl = blocks.apply @sampler::@sample(%he, %noise) : (tensor<?x256xf32>, tensor<?x10xf32>) -> (tensor<?x10xf32>, tensor<?xf32>)
      %j = blocks.apply @decoder_input::@apply(%z) : (tensor<?x10xf32>) -> tensor<?x1024xf32>
      %hd, %cd = blocks.apply @decoder::@apply(%j, %h_dec, %c_dec) {iterate = false} : (tensor<?x1024xf32>, tensor<?x256xf32>, tensor<?x256xf32>) -> (tensor<?x256xf32>, tensor<?x256xf32>)

      %k = blocks.apply @write_place::@apply(%hd) : (tensor<?x256xf32>) -> tensor<?x5xf32>
      %wx, %wy, %delta = blocks.apply @window::@place(%k) : (tensor<?x5xf32>) -> (tensor<?x5x28xf32>, tensor<?x5x28xf32>, tensor<?xf32>)
      %numbers = blocks.apply @patch::@apply(%hd) : (tensor<?x256xf32>) -> tensor<?x25xf32>
      %w = tensor.expand_shape %numbers [[0], [1, 2]] output_shape [%batch, 5, 5] : tensor<?x25xf32> into tensor<?x5x5xf32>
      %high = blocks.batch_matmul %wy, %w {transpose_lhs} : tensor<?x5x28xf32>, tensor<?x5x5xf32> to tensor<?x28x5xf32>
      %stroke = blocks.batch_matmul %high, %wx : tensor<?x28x5xf32>, tensor<?x5x28xf32> to tensor<?x28x28xf32>
      %flat = tensor.collapse_shape %stroke [[0], [1, 2]] : tensor<?x28x28xf32> into tensor<?x784xf32>
      %deltas = blocks.broadcast %delta like %flat dims [0] : tensor<?xf32>, tensor<?x784xf32>
      %faint = arith.divf %flat, %deltas : tensor<?x784xf32>
      %next = arith.addf %c, %faint : tensor<?x784xf32>
      blocks.yield states(%next, %he, %ce, %hd, %cd : tensor<?x784xf32>, tensor<?x256xf32>, tensor<?x256xf32>, tensor<?x256xf32>, tensor<?x256xf32>) outputs(%kl : tensor<?xf32>)
    }
    %time = tensor.dim %cs, %c0 : tensor<?x?x784xf32>
    %end = arith.subi %time, %c1 : index
    %last = tensor.extract_slice %cs[%end, 0, 0] [1, %batch, 784] [1, 1, 1] : tensor<?x?x784xf32> to tensor<?x784xf32>
    %p = blocks.logistic %last : tensor<?x784xf32>
    %nll = blocks.apply @bce::@apply(%x, %p) : (tensor<?x784xf32>, tensor<?x784xf32>) -> tensor<f32>
    %kl = blocks.reduce sum %kls dims [0, 1] : tensor<?x?xf32> to tensor<f32>
    %n = blocks.extent %x dims [0] : tensor<?x784xf32> to tensor<f32>
    %mean = arith.divf %kl, %n : tensor<f32>
    %cost = arith.addf %nll, %mean : tensor<f32>
    blocks.output %cost "cost" roles [cost] aggregate mean : tensor<f32>
  }
}
