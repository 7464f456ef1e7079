// RUN: blocks-opt %s -split-input-file -verify-diagnostics

// A child of a kind that does not exist.
// expected-error @+1 {{brick /mlp has the unknown kind "MLPP"; did you mean 'MLP'?}}
blocks.brick @mlp = "MLPP" {dims = [2, 3], activations = ["Tanh"]}

// -----

// Only bricks, parameters and applications stand in a brick.
blocks.brick @a {
  // expected-error @+1 {{brick /a holds a arith.constant; only bricks, parameters and applications may stand in a brick}}
  %c = arith.constant 1.0 : f32
}

// -----

// A path names one parameter.
blocks.brick @a {
  // expected-note @+1 {{the first is here}}
  blocks.parameter @W : tensor<2xf32> roles [weight] init #blocks.constant<0.0>
  // expected-error @+1 {{brick /a holds two things named 'W', so the path /a.W would name two parameters; rename one}}
  blocks.parameter @W : tensor<2xf32> roles [weight] init #blocks.constant<0.0>
}

// -----

// A child must not have a parameter's name.
blocks.brick @a {
  // expected-note @+1 {{the first is here}}
  blocks.parameter @W : tensor<2xf32> roles [weight] init #blocks.constant<0.0>
  // expected-error @+1 {{brick /a holds two things named 'W'; rename one}}
  blocks.brick @W {
  }
}

// -----

// expected-error @+1 {{stands inside a brick}}
blocks.parameter @W : tensor<2xf32> roles [weight] init #blocks.constant<0.0>

// -----

blocks.brick @a {
  // expected-error @+1 {{parameter /a.W of shape 2: }}
  blocks.parameter @W : tensor<2xf32> roles [weight] init #blocks.identity
}

// -----

blocks.brick @a {
  // expected-error @+1 {{unknown role 'wait'; the roles are input, output}}
  blocks.parameter @W : tensor<2xf32> roles [wait] init #blocks.constant<0.0>
}

// -----

blocks.brick @a {
  // expected-error @+1 {{must end with blocks.return}}
  blocks.application @apply(%x: tensor<2xf32>) -> tensor<2xf32> {
    %y = math.tanh %x : tensor<2xf32>
  }
}

// -----

blocks.brick @a {
  blocks.application @apply(%x: tensor<2xf32>) -> tensor<3xf32> {
    // expected-error @+1 {{returns ('tensor<2xf32>'), but application apply declares ('tensor<3xf32>')}}
    blocks.return %x : tensor<2xf32>
  }
}

// -----

blocks.brick @a {
  // expected-note @+1 {{declared here}}
  blocks.parameter @W : tensor<2xf32> roles [weight] init #blocks.constant<0.0>
  blocks.application @apply(%x: tensor<3xf32>) -> tensor<3xf32> {
    // expected-error @+1 {{uses /a.W as 'tensor<3xf32>', but it is 'tensor<2xf32>'}}
    %w = blocks.get @a::@W : tensor<3xf32>
    blocks.return %w : tensor<3xf32>
  }
}

// -----

blocks.graph @g(%x: tensor<3xf32> {blocks.source = "x"}) {
  // expected-error @+1 {{there is no parameter /a.V}}
  %w = blocks.get @a::@V : tensor<3xf32>
}

// -----

blocks.graph @g(%x: tensor<3xf32> {blocks.source = "x"}) {
  // expected-error @+1 {{there is no brick /a}}
  %w = blocks.apply @a::@apply(%x) : (tensor<3xf32>) -> tensor<3xf32>
}

// -----

// expected-note @+1 {{brick declared here}}
blocks.brick @a {
}
blocks.graph @g(%x: tensor<3xf32> {blocks.source = "x"}) {
  // expected-error @+1 {{brick /a has no application "apply"}}
  %w = blocks.apply @a::@apply(%x) : (tensor<3xf32>) -> tensor<3xf32>
}

// -----

blocks.brick @a {
  // expected-note @+1 {{application declared here}}
  blocks.application @apply(%x: tensor<2xf32>) -> tensor<2xf32> {
    blocks.return %x : tensor<2xf32>
  }
}
blocks.graph @g(%x: tensor<3xf32> {blocks.source = "x"}) {
  // expected-error @+1 {{argument 0 is 'tensor<3xf32>', expected 'tensor<2xf32>'}}
  %w = blocks.apply @a::@apply(%x) : (tensor<3xf32>) -> tensor<2xf32>
}

// -----

// @algorithm is for the state of step rules.
// expected-error @+1 {{the name @algorithm is reserved for the state of step rules; give the brick another name}}
blocks.brick @algorithm = "Linear" {input_dim = 2, output_dim = 2}

// -----

// expected-note @+1 {{the brick is here}}
blocks.brick @algorithm {
  blocks.brick @part {
    // expected-error @+1 {{the name @algorithm is reserved}}
    blocks.parameter @W : tensor<2xf32> roles [weight] init #blocks.constant<0.0>
  }
}

// -----

// expected-note @+1 {{the brick is here}}
blocks.brick @algorithm {
  // expected-error @+1 {{the name @algorithm is reserved}}
  blocks.application @apply(%x: tensor<2xf32>) -> tensor<2xf32> {
    blocks.return %x : tensor<2xf32>
  }
}

// -----

// Impossible extents.
blocks.brick @a {
  // expected-error @+1 {{parameter /a.W of type 'tensor<4000000000x4000000000xf64>' would take 1.28e+20 bytes, more than a machine can address; make its dimensions smaller}}
  blocks.parameter @W : tensor<4000000000x4000000000xf64> roles [weight] init #blocks.constant<0.0>
}

// -----

blocks.brick @a {
  // expected-error @+1 {{parameter /a.W of type 'tensor<3x0xf32>' has the extent 0, expected positive ones}}
  blocks.parameter @W : tensor<3x0xf32> roles [weight] init #blocks.constant<0.0>
}

// -----

// Names are parts of paths: /a/b.W would be two parameters.
// expected-error @+1 {{a brick has the name "a/b"; names are parts of paths such as /mlp/linear_0.W, so they may not be empty nor hold '/', '.', control characters or invalid UTF-8; rename it}}
blocks.brick @"a/b" {
}

// -----

// expected-error @+1 {{a brick has the name ""}}
blocks.brick @"" = "Tanh" {}

// -----

// expected-error @+1 {{a brick has the name "a\0A"}}
blocks.brick @"a\0A" {
}

// -----

blocks.brick @a {
  // expected-error @+1 {{a parameter has the name "b.W"}}
  blocks.parameter @"b.W" : tensor<3xf32> roles [weight] init #blocks.constant<0.0>
}
