"""Writes what bricks compute, by NumPy in float64, independently of the compiler.

Parameters are drawn as `uniform` initial values of seed 1 are (runtime/Parameters/Initialization.h), from their paths.
Each case becomes a graph of constants that applies the brick, with a check.close for every result. The files are
kept in test/lib/Bricks/golden; run `brick_values.py FOLDER` to write them again.
"""
import pathlib
import sys

import numpy as np

from philox import bits
from reference_ops import dense, draw, element, type_of

INIT = "weights_init = #blocks.uniform<width = 2.0>, biases_init = #blocks.uniform<width = 2.0>"
PASSES = "blocks-expand-bricks,blocks-inline-applications,blocks-convert-to-f64"


def parameter(path, *shape, width=2.0):
    """The initial value of a parameter, uniform of that width, for seed 1."""
    site = 0x811C9DC5
    for byte in path.encode():
        site = (site ^ byte) * 0x01000193 & 0xFFFFFFFF
    u = [(bits(1, site, 0, 0, e) >> 8) * 2.0**-24 for e in range(int(np.prod(shape)))]
    return width * (np.array(u) - 0.5).reshape(shape)


class File:
    """A golden file: bricks, and graphs that apply them to constants."""

    def __init__(self, title, passes=PASSES):
        self.lines = [f"// {title}", "// Written by test/golden/brick_values.py.",
                      f"// RUN: blocks-interpret %s --quiet --passes={passes}"]

    def brick(self, name, kind, settings=""):
        self.lines += ["", f'blocks.brick @{name} = "{kind}" {{{settings}}}']

    def case(self, name, callee, inputs, expected, tolerance=1e-12):
        """Inputs that are real stand as f32 in the text, as models have them; the passes make them f64."""
        expected = expected if isinstance(expected, list) else [expected]
        def kind(a):
            return type_of(a, "f32") if a.dtype.kind == "f" else type_of(a)
        self.lines += ["", f"blocks.graph @{name}() {{"]
        for i, a in enumerate(inputs):
            self.lines.append(f"  %c{i} = arith.constant {dense(a)} : {kind(a)}")
        results = ", ".join(f"%y{i}" for i in range(len(expected)))
        arguments = ", ".join(f"%c{i}" for i in range(len(inputs)))
        self.lines.append(f"  {results} = blocks.apply @{callee}({arguments}) : ({', '.join(map(kind, inputs))}) -> "
                          f"({', '.join(kind(np.asarray(e)) for e in expected)})")
        for i, e in enumerate(expected):
            e = np.asarray(e)
            self.lines.append(f'  "check.close"(%y{i}) {{expected = dense<{nested(e)}> : {type_of(e)}, tolerance = '
                              f"{element(tolerance)}}} : ({kind(e)}) -> ()")
        self.lines.append("}")

    def write(self, path):
        path.write_text("\n".join(self.lines) + "\n")


def nested(a):
    return element(a[()]) if a.ndim == 0 else "[" + ", ".join(nested(b) for b in a) + "]"


def f32(number):
    """A number as a model holds it, before it is converted to f64."""
    return float(np.float32(number))


def linear(x, path, inputs, outputs, bias=True):
    y = x @ parameter(path + ".W", inputs, outputs)
    return y + parameter(path + ".b", outputs) if bias else y


# --- The files -------------------------------------------------------------------

def lookup():
    f = File("Rows of a table; for numbers of any shape one axis more.")
    f.brick("table", "LookupTable", "length = 7, dim = 3, weights_init = #blocks.uniform<width = 2.0>")
    w = parameter("/table.W", 7, 3)
    for name, i in (("rows", np.array([6, 0, 6], np.uint8)), ("grid", np.array([[1, 2], [3, 1]])),
                    ("one", np.array(4, np.int32))):
        f.case(name, "table::@apply", [i], w[i.astype(int)])
    return f


def maxout():
    f = File("Maxout of consecutive pieces, and Linear before it.")
    f.brick("maxout", "Maxout", "num_pieces = 3")
    f.brick("both", "LinearMaxout", f"input_dim = 4, output_dim = 2, num_pieces = 3, {INIT}")
    x = draw(61, 2, 6)
    f.case("pieces", "maxout::@apply", [x], x.reshape(2, 2, 3).max(-1))
    x = draw(62, 2, 5, 6)
    f.case("time", "maxout::@apply", [x], x.reshape(2, 5, 2, 3).max(-1))
    x = draw(63, 3, 4)
    f.case("linear", "both::@apply", [x], linear(x, "/both/linear", 4, 6).reshape(3, 2, 3).max(-1))
    return f


def parallel():
    f = File("Parallel, Fork, Distribute, Merge.")
    f.brick("parallel", "Parallel", f'input_names = ["a", "b"], input_dims = [2, 3], output_dims = [3, 4], {INIT}')
    f.brick("own", "Parallel", f'input_names = ["a"], input_dims = [2], output_dims = [3], child_prefix = "to", '
            f'prototype = {{kind = "Linear", use_bias = false}}, {INIT}')
    f.brick("fork", "Fork", f'output_names = ["inputs", "gate_inputs"], input_dim = 3, output_dims = [2, 4], {INIT}')
    f.brick("distribute", "Distribute", f'target_names = ["inputs", "gates"], source_name = "context", '
            f"target_dims = [2, 4], source_dim = 3, {INIT}")
    f.brick("merge", "Merge", f'input_names = ["states", "feedback"], input_dims = [2, 3], output_dim = 4, {INIT}')
    a, b = draw(64, 5, 2), draw(65, 5, 3)
    f.case("each", "parallel::@apply", [a, b], [linear(a, "/parallel/transform_a", 2, 3),
                                                linear(b, "/parallel/transform_b", 3, 4)])
    f.case("prefix", "own::@apply", [a], linear(a, "/own/to_a", 2, 3, bias=False))
    f.case("forked", "fork::@apply", [b], [linear(b, "/fork/fork_inputs", 3, 2), linear(b, "/fork/fork_gate_inputs", 3, 4)])
    t, g = draw(66, 5, 2), draw(67, 5, 4)
    f.case("distributed", "distribute::@apply", [b, t, g],
           [t + linear(b, "/distribute/fork_inputs", 3, 2, bias=False),
            g + linear(b, "/distribute/fork_gates", 3, 4, bias=False)])
    f.case("merged", "merge::@apply", [a, b], linear(a, "/merge/transform_states", 2, 4, bias=False) +
           linear(b, "/merge/transform_feedback", 3, 4, bias=False))
    return f


def elementwise():
    f = File("Softsign, permutations of features, layer normalization.")
    f.brick("softsign", "Softsign")
    f.brick("product", "FixedPermutation", "order = [2, 0, 3, 1]")
    f.brick("number", "FixedPermutation", "order = [2, 0, 3, 1], dot = false")
    f.brick("layer", "LayerNormalization", "dim = 4, scale_init = #blocks.uniform<width = 2.0>, "
            "shift_init = #blocks.uniform<width = 2.0>")
    x = np.array([-1000.0, -2.0, 0.0, 0.5, 1000.0])
    f.case("softsign_values", "softsign::@apply", [x], x / (1 + np.abs(x)))
    for name, x in (("rows", draw(68, 3, 4)), ("time", draw(69, 2, 3, 4))):
        f.case(f"product_{name}", "product::@apply", [x], x[..., [2, 0, 3, 1]])
        f.case(f"number_{name}", "number::@apply", [x], x[..., [2, 0, 3, 1]])
        centred = x - x.mean(-1, keepdims=True)
        y = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + f32(1e-5))
        f.case(f"layer_{name}", "layer::@apply", [x], y * parameter("/layer.scale", 4) + parameter("/layer.shift", 4))
    return f


def costs():
    f = File("Costs of elements: sums over axis 1, means over the batch; errors among the k largest.")
    f.brick("binary", "BinaryCrossEntropy")
    f.brick("absolute", "AbsoluteError")
    for k in (1, 2, 3):
        f.brick(f"top_{k}", "MisclassificationRate", f"top_k = {k}")
    y, p = np.array([[1.0, 0.0, 0.25], [0.0, 1.0, 1.0]]), np.array([[0.5, 0.25, 0.75], [0.125, 0.875, 0.5]])
    f.case("binary_values", "binary::@apply", [y, p], -(y * np.log(p) + (1 - y) * np.log(1 - p)).sum(1).mean())
    f.case("binary_certain", "binary::@apply", [np.array([[1.0, 0.0]]), np.array([[1.0, 0.0]])], np.array(0.0))
    f.case("absolute_values", "absolute::@apply", [y, p], np.abs(y - p).sum(1).mean())
    scores = np.array([[1, 5, 3, 2], [4, 1, 2, 3], [2, 2, 1, 0], [0, 1, 2, 2], [9, 8, 7, 6]], float)
    labels = np.array([2, 0, 1, 3, 3], np.uint8)
    own = scores[np.arange(5), labels][:, None]
    f.case("errors_1", "top_1::@apply", [labels, scores], (scores.argmax(1) != labels).mean())
    for k in (2, 3):
        f.case(f"errors_{k}", f"top_{k}::@apply", [labels, scores], ((scores >= own).sum(1) > k).mean())
    return f


def softmax():
    f = File("Softmax's applications with leading axes: each row by itself.")
    f.brick("softmax", "NDimensionalSoftmax", "extra_ndim = 1")
    f.brick("any", "Softmax")
    x, y = draw(71, 2, 3, 4), np.array([[0, 3, 1], [2, 2, 0]], np.uint8)
    lp = x - x.max(-1, keepdims=True)
    lp -= np.log(np.exp(lp).sum(-1, keepdims=True))
    for brick in ("softmax", "any"):
        f.case(f"{brick}_apply", f"{brick}::@apply", [x], np.exp(lp))
        f.case(f"{brick}_log", f"{brick}::@log_probabilities", [x], lp)
        f.case(f"{brick}_cost", f"{brick}::@categorical_cross_entropy", [y, x],
               -np.take_along_axis(lp, y[..., None].astype(int), -1)[..., 0])
    return f


BATCH_NORMALIZATION = "scale_init = #blocks.uniform<width = 2.0>, shift_init = #blocks.uniform<width = 2.0>"


def batch_norm(x, path, axes, shape, mean=None, stdev=None, scale=True):
    """(x - m)/s·scale + shift; of the batch unless the population's are given."""
    if mean is None:
        mean = x.mean(axes, keepdims=True)
    if stdev is None:
        stdev = np.sqrt(((x - mean)**2).mean(axes, keepdims=True) + f32(1e-4))
    y = (x - mean) / stdev
    if scale:
        y = y * parameter(path + ".batch_norm_scale", *shape)
    return y + parameter(path + ".batch_norm_shift", *shape)


def normalization(training):
    passes = PASSES + (",blocks-batch-normalize" if training else "")
    f = File("Batch normalization " + ("by the batch's statistics." if training else "by the population's, 0 and 1."), passes)
    f.brick("plain", "BatchNormalization", f"input_dim = 3, {BATCH_NORMALIZATION}")
    f.brick("time", "BatchNormalization", f"input_dim = [2, 3], broadcastable = [true, false], {BATCH_NORMALIZATION}")
    f.brick("image", "SpatialBatchNormalization", f"input_dim = [3, 2, 2], {BATCH_NORMALIZATION}")
    f.brick("centred", "BatchNormalization", f"input_dim = 3, mean_only = true, {BATCH_NORMALIZATION}")
    f.brick("mlp", "BatchNormalizedMLP", f'dims = [3, 4, 2], activations = ["Tanh", "Identity"], {INIT}')
    m, s = (None, None) if training else (0.0, 1.0)
    x = draw(81, 5, 3)
    f.case("features", "plain::@apply", [x], batch_norm(x, "/plain", (0,), (3,), m, s))
    y = draw(82, 5, 2, 3)
    f.case("steps", "time::@apply", [y], batch_norm(y, "/time", (0, 1), (1, 3), m, s))
    z = draw(83, 5, 3, 2, 2)
    f.case("channels", "image::@apply", [z], batch_norm(z, "/image", (0, 2, 3), (3, 1, 1), m, s))
    f.case("mean_only", "centred::@apply", [x], batch_norm(x, "/centred", (0,), (3,), m, 1.0, scale=False))

    def normalized(a):
        return batch_norm_plain(a, m, s)
    h = np.tanh(normalized(x @ parameter("/mlp/linear_0.W", 3, 4)))
    f.case("mlp_values", "mlp::@apply", [x], normalized(h @ parameter("/mlp/linear_1.W", 4, 2)))
    return f


def batch_norm_plain(a, m, s):
    mean = a.mean(0) if m is None else m
    return (a - mean) / (np.sqrt(((a - mean)**2).mean(0) + f32(1e-4)) if s is None else s)


def window_filters(place, size, across, longest, n):
    """F, each row normalized, for the centre in column `across` of the five parameters."""
    centre = (place[:, across] + 1) / 2 * size
    distance = (longest - 1) / (n - 1) * np.exp(place[:, 2])
    means = centre[:, None] + distance[:, None] * (np.arange(n) - n / 2 + 0.5)
    raw = np.exp(-(np.arange(size) - means[..., None])**2 / (2 * np.exp(place[:, 3]))[:, None, None])
    return raw / (raw.sum(-1, keepdims=True) + np.float64(np.float32(1e-4)))


def draw_parts():
    f = File("DRAW's readers, writers and sampler.")
    sizes = "channels = {0}, height = 3, width = 4, N = {1}"
    for name, c, n in ("gray", 1, 3), ("colour", 2, 2):
        f.brick(f"read_{name}", "AttentionReader", f"x_dim = {12 * c}, dec_dim = 3, {sizes.format(c, n)}, {INIT}")
        f.brick(f"write_{name}", "AttentionWriter", f"input_dim = 3, {sizes.format(c, n)}, {INIT}")
    f.brick("reader", "Reader", "x_dim = 4, dec_dim = 3")
    f.brick("writer", "Writer", f"input_dim = 3, output_dim = 4, {INIT}")
    f.brick("q", "Qsampler", f"input_dim = 3, output_dim = 2, {INIT}")
    x, missing, h = draw(91, 5, 4), draw(92, 5, 4), draw(93, 5, 3)
    f.case("plain_read", "reader::@apply", [x, missing, h], np.concatenate([x, missing], 1))
    f.case("plain_write", "writer::@apply", [h], linear(h, "/writer/writer_transform", 3, 4))
    for name, c, n in ("gray", 1, 3), ("colour", 2, 2):
        x, missing = draw(94, 5, 12 * c), draw(95, 5, 12 * c)
        place = linear(h, f"/read_{name}/mlp/linear_0", 3, 5)
        rows, columns = window_filters(place, 3, 0, 4, n), window_filters(place, 4, 1, 4, n)
        seen = [np.einsum("bih,bchw,bjw->bcij", rows, image.reshape(5, c, 3, 4), columns).reshape(5, -1) *
                np.exp(place[:, 4:]) for image in (x, missing)]
        f.case(f"read_{name}_values", f"read_{name}::@apply", [x, missing, h], np.concatenate(seen, 1))
        place = linear(h, f"/write_{name}/write_{name}_ztrafo", 3, 5)
        rows, columns = window_filters(place, 3, 0, 4, n), window_filters(place, 4, 1, 4, n)
        patch = linear(h, f"/write_{name}/write_{name}_wtrafo", 3, c * n * n).reshape(5, c, n, n)
        f.case(f"write_{name}_values", f"write_{name}::@apply", [h],
               np.einsum("bih,bcij,bjw->bchw", rows, patch, columns).reshape(5, -1) / np.exp(place[:, 4:]))
    u = draw(96, 5, 2)
    mean, log_sigma = linear(h, "/q/q_mean", 3, 2), linear(h, "/q/q_log_sigma", 3, 2)
    f.case("sampled", "q::@sample", [h, u], [mean + np.exp(log_sigma) * u,
                                             (-log_sigma + (np.exp(2 * log_sigma) + mean**2) / 2 - 0.5).sum(1)])
    f.case("prior", "q::@sample_from_prior", [u], u)
    return f


FILES = {"draw": draw_parts, "lookup": lookup, "maxout": maxout, "parallel": parallel, "elementwise": elementwise, "costs": costs,
         "softmax": softmax, "normalization": lambda: normalization(False),
         "normalization-training": lambda: normalization(True)}


def main(folder):
    for name, make in FILES.items():
        make().write(pathlib.Path(folder) / f"{name}.mlir")


if __name__ == "__main__":
    main(sys.argv[1])
