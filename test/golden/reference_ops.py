"""Writes expected numbers of every tensor operation, computed by NumPy.

NumPy is the independent source against which the reference interpreter is
checked. Each case becomes a graph of constants with a check.close
(test/tools/Checks.h). The files are kept in test/lib/Reference/golden; run
`reference_ops.py FOLDER` to write them again. Last digits may then differ, as
NumPy's exp and tanh are not the same on every processor.
"""
import math
import pathlib
import sys

import numpy as np

import image_ops

NAMES = {"float64": "f64", "float32": "f32", "float16": "f16", "bool": "i1", "int8": "i8", "int16": "i16",
         "int32": "i32", "int64": "i64", "uint8": "ui8", "uint16": "ui16", "uint32": "ui32", "uint64": "ui64"}
TOLERANCE = {"f64": 1e-13, "f32": 1e-6, "f16": 1e-3}


def element(x):
    """One number as MLIR reads it; non-finite ones by their bits in f64."""
    if isinstance(x, (bool, np.bool_)):
        return "true" if x else "false"
    if isinstance(x, (int, np.integer)):
        return str(int(x))
    x = float(x)
    if not math.isfinite(x):
        return f"0x{np.float64(x).view(np.uint64):016X}"
    text = repr(x)
    return text if "." in text else text.replace("e", ".0e") if "e" in text else text + ".0"


def dense(array):
    def nested(a):
        return element(a[()]) if a.ndim == 0 else "[" + ", ".join(nested(b) for b in a) + "]"
    return f"dense<{nested(array)}>" if array.size else "dense<[]>" if array.ndim == 1 else "dense<>"


def type_of(array, name=None):
    return "tensor<" + "".join(f"{n}x" for n in array.shape) + (name or NAMES[array.dtype.name]) + ">"


class File:
    """A golden file: graphs, each with constants, one operation and its check."""

    def __init__(self, title):
        self.lines = [f"// {title}", "// Written by test/golden/reference_ops.py.", "// RUN: blocks-interpret --quiet %s"]

    def case(self, name, operation, inputs, expected, results=1, tolerance=None):
        """`operation` is a template: {0}, {1} … are operands, {t0} … their types, {r0} the results' types."""
        expected = [expected] if results == 1 else expected
        self.lines += ["", f"blocks.graph @{name}() {{"]
        types = {f"t{i}": type_of(a) for i, a in enumerate(inputs)}
        types |= {f"r{i}": type_of(a) for i, a in enumerate(expected)}
        for i, a in enumerate(inputs):
            self.lines.append(f"  %c{i} = arith.constant {dense(a)} : {type_of(a)}")
        names = ", ".join(f"%y{i}" for i in range(results))
        text = operation.format(*[f"%c{i}" for i in range(len(inputs))], **types)
        self.lines.append(f"  {names} = {text}")
        for i, e in enumerate(expected):
            self.check(f"%y{i}", e, tolerance)
        self.lines.append("}")

    def check(self, value, e, tolerance):
        kind = NAMES[e.dtype.name]
        wide = e.astype(np.float64) if e.dtype.kind == "f" else e
        tolerance = TOLERANCE.get(kind, 0.0) if tolerance is None else tolerance
        self.lines.append(f'  "check.close"({value}) {{expected = {dense(wide)} : {type_of(wide)}, '
                          f"tolerance = {element(float(tolerance))}}} : ({type_of(e)}) -> ()")

    def write(self, path):
        path.write_text("\n".join(self.lines) + "\n")


def draw(seed, *shape, low=-2.0, high=2.0, dtype=np.float64):
    """Numbers with few digits, so that files stay readable and exact in f32."""
    values = np.random.RandomState(seed).uniform(low, high, shape)
    return (np.round(values * 64) / 64).astype(dtype)


# --- Elementwise ---------------------------------------------------------------

def erf(x):
    return np.vectorize(math.erf, otypes=[np.float64])(x)


UNARY = {
    "arith.negf": np.negative, "math.absf": np.abs, "math.ceil": np.ceil, "math.floor": np.floor,
    "math.roundeven": np.rint, "math.trunc": np.trunc, "math.exp": np.exp, "math.exp2": np.exp2,
    "math.expm1": np.expm1, "math.sin": np.sin, "math.cos": np.cos, "math.tan": np.tan, "math.atan": np.arctan,
    "math.sinh": np.sinh, "math.cosh": np.cosh, "math.tanh": np.tanh, "math.asinh": np.arcsinh, "math.erf": erf,
    "math.cbrt": np.cbrt,
}
UNARY_POSITIVE = {
    "math.log": np.log, "math.log1p": np.log1p, "math.log2": np.log2, "math.log10": np.log10,
    "math.sqrt": np.sqrt, "math.rsqrt": lambda x: 1 / np.sqrt(x),
}
UNARY_UNIT = {"math.asin": np.arcsin, "math.acos": np.arccos, "math.atanh": np.arctanh}
BINARY = {
    "arith.addf": np.add, "arith.subf": np.subtract, "arith.mulf": np.multiply, "arith.divf": np.divide,
    "arith.remf": np.fmod, "arith.maximumf": np.maximum, "arith.minimumf": np.minimum,
    "arith.maxnumf": np.fmax, "arith.minnumf": np.fmin, "math.atan2": np.arctan2, "math.copysign": np.copysign,
}
PREDICATES = {"oeq": np.equal, "one": np.not_equal, "olt": np.less, "ole": np.less_equal, "ogt": np.greater,
              "oge": np.greater_equal}


def elementwise():
    f = File("Elementwise operations on floating-point tensors.")
    for dtype in (np.float64, np.float32):
        kind = NAMES[np.dtype(dtype).name]
        for table, low, high in ((UNARY, -2, 2), (UNARY_POSITIVE, 0.1, 4), (UNARY_UNIT, -0.9, 0.9)):
            for op, of in table.items():
                x = draw(len(op), 2, 3, low=low, high=high, dtype=dtype)
                f.case(f"{op}_{kind}".replace(".", "_"), op + " {0} : {t0}", [x],
                       of(x.astype(np.float64)).astype(dtype))
        for op, of in BINARY.items():
            x, y = draw(len(op), 2, 3, dtype=dtype), draw(len(op) + 1, 2, 3, dtype=dtype)
            f.case(f"{op}_{kind}".replace(".", "_"), op + " {0}, {1} : {t0}", [x, y],
                   of(x.astype(np.float64), y.astype(np.float64)).astype(dtype))
        x, y = draw(1, 6, low=0.25, dtype=dtype), draw(2, 6, dtype=dtype)
        f.case(f"powf_{kind}", "math.powf {0}, {1} : {t0}", [x, y],
               np.power(x.astype(np.float64), y.astype(np.float64)).astype(dtype))
        for predicate, of in PREDICATES.items():
            x, y = np.array([1, 2, 3], dtype), np.array([1, 3, 2], dtype)
            f.case(f"cmpf_{predicate}_{kind}", f"arith.cmpf {predicate}, {{0}}, {{1}} : {{t0}}", [x, y], of(x, y))
        x, y = draw(3, 4, dtype=dtype), draw(4, 4, dtype=dtype)
        c = np.array([True, False, True, False])
        f.case(f"select_{kind}", "arith.select {0}, {1}, {2} : {t0}, {t1}", [c, x, y], np.where(c, x, y))
        x = draw(5, 2, 5, dtype=dtype)
        wide = x.astype(np.float64)
        f.case(f"rectifier_{kind}", "blocks.rectifier {0} : {t0}", [x], np.maximum(x, 0))
        f.case(f"leaky_rectifier_{kind}", "blocks.rectifier {0} leak 0.25 : {t0}", [x],
               (np.maximum(x, 0) + 0.25 * np.minimum(x, 0)).astype(dtype))
        f.case(f"logistic_{kind}", "blocks.logistic {0} : {t0}", [x], (1 / (1 + np.exp(-wide))).astype(dtype))
    special = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0])
    f.case("rectifier_special", "blocks.rectifier {0} : {t0}", [special], np.array([np.nan, np.inf, 0, 0, 0]))
    f.case("logistic_special", "blocks.logistic {0} : {t0}", [special], np.array([np.nan, 1, 0, 0.5, 0.5]))
    f.case("maximum_of_nan", "arith.maximumf {0}, {1} : {t0}", [special, np.ones(5)],
           np.array([np.nan, np.inf, 1, 1, 1]))
    f.case("maxnum_of_nan", "arith.maxnumf {0}, {1} : {t0}", [special, np.ones(5)], np.array([1, np.inf, 1, 1, 1.0]))
    f.case("unordered_compare", "arith.cmpf une, {0}, {0} : {t0}", [special], np.array([True] + [False] * 4))
    return f


# --- Integers and casts ----------------------------------------------------------

def integers():
    f = File("Integer arithmetic wraps to its width.")
    a = np.array([7, -7, 100, -128, 127], np.int8)
    b = np.array([2, 2, 100, -1, 1], np.int8)
    with np.errstate(over="ignore"):
        f.case("addi", "arith.addi {0}, {1} : {t0}", [a, b], a + b)
        f.case("subi", "arith.subi {0}, {1} : {t0}", [a, b], a - b)
        f.case("muli", "arith.muli {0}, {1} : {t0}", [a, b], a * b)
    f.case("divsi", "arith.divsi {0}, {1} : {t0}", [a, b], np.array([3, -3, 1, -128, 127], np.int8))
    f.case("remsi", "arith.remsi {0}, {1} : {t0}", [a, b], np.array([1, -1, 0, 0, 0], np.int8))
    f.case("maxsi", "arith.maxsi {0}, {1} : {t0}", [a, b], np.maximum(a, b))
    f.case("minui", "arith.minui {0}, {1} : {t0}", [a, b], np.minimum(a.view(np.uint8), b.view(np.uint8)).view(np.int8))
    f.case("andi", "arith.andi {0}, {1} : {t0}", [a, b], a & b)
    f.case("xori", "arith.xori {0}, {1} : {t0}", [a, b], a ^ b)
    f.case("cmpi_slt", "arith.cmpi slt, {0}, {1} : {t0}", [a, b], a < b)
    f.case("cmpi_ult", "arith.cmpi ult, {0}, {1} : {t0}", [a, b], a.view(np.uint8) < b.view(np.uint8))
    f.case("extsi", "arith.extsi {0} : {t0} to {r0}", [a], a.astype(np.int32))
    f.case("extui", "arith.extui {0} : {t0} to {r0}", [a], a.view(np.uint8).astype(np.int32))
    f.case("trunci", "arith.trunci {0} : {t0} to {r0}", [np.array([300, -300], np.int32)],
           np.array([44, -44], np.int8))
    f.case("sitofp", "arith.sitofp {0} : {t0} to {r0}", [a], a.astype(np.float32))
    f.case("uitofp", "arith.uitofp {0} : {t0} to {r0}", [a], a.view(np.uint8).astype(np.float32))
    f.case("fptosi", "arith.fptosi {0} : {t0} to {r0}", [np.array([1.9, -1.9])], np.array([1, -1], np.int32))
    return f


INTEGERS = (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64)


def casts():
    f = File("blocks.cast between all element types; signedness is in the types.")
    cast = "blocks.cast {0} : {t0} to {r0}"
    for kind in INTEGERS:
        info, name = np.iinfo(kind), NAMES[np.dtype(kind).name]
        x = np.array([info.min, 0, 1, 100, info.max], kind)
        for real in (np.float32, np.float64):
            f.case(f"{name}_to_{NAMES[np.dtype(real).name]}", cast, [x], x.astype(real), tolerance=0.0)
        back = np.array([-3.9 if info.min else 0.0, 0.0, 1.5, 100.99], np.float64)
        f.case(f"f64_to_{name}", cast, [back], np.trunc(back).astype(kind))
        for other in INTEGERS:
            if other != kind:
                f.case(f"{name}_to_{NAMES[np.dtype(other).name]}", cast, [x], x.astype(other))
        f.case(f"{name}_to_i1", cast, [x], x != 0)
        f.case(f"i1_to_{name}", cast, [np.array([True, False])], np.array([1, 0], kind))
    f.case("i1_to_f32", cast, [np.array([True, False])], np.array([1, 0], np.float32))
    truths = np.array([0.0, 0.25, -2.0, np.nan])
    f.case("f64_to_i1", cast, [truths], truths != 0)
    x = np.array([1 / 3, 65504, 1e-7, -2.5], np.float64)
    f.case("f64_to_f32", cast, [x], x.astype(np.float32), tolerance=0.0)
    f.case("f64_to_f16", cast, [x], x.astype(np.float16), tolerance=0.0)
    f.case("f16_to_f32", cast, [x.astype(np.float16)], x.astype(np.float16).astype(np.float32), tolerance=0.0)
    return f


# --- Shapes, reductions, products ------------------------------------------------

def shapes():
    f = File("Broadcast, extents and the reshapes of the tensor dialect.")
    b = draw(1, 3, dtype=np.float32)
    m = draw(2, 4, 3, dtype=np.float32)
    t = draw(3, 2, 4, 3, dtype=np.float32)
    like = "blocks.broadcast {{0}} like {{1}} dims [{0}] : {{t0}}, {{t1}}"
    f.case("row_bias", like.format("1"), [b, m], np.broadcast_to(b, m.shape))
    c = draw(4, 4, dtype=np.float32)
    f.case("column", like.format("0"), [c, m], np.broadcast_to(c[:, None], m.shape))
    f.case("scalar", like.format(""), [np.array(2.5, np.float32), m], np.full(m.shape, 2.5, np.float32))
    f.case("matrix_over_time", like.format("1, 2"), [m, t], np.broadcast_to(m, t.shape))
    f.case("outer_axes", like.format("0, 2"), [draw(5, 2, 3, dtype=np.float32), t],
           np.broadcast_to(draw(5, 2, 3, dtype=np.float32)[:, None, :], t.shape))
    f.case("integers", like.format("1"), [np.array([1, 2, 3]), m], np.broadcast_to(np.array([1, 2, 3]), m.shape))
    f.case("extent_of_rows", "blocks.extent {0} dims [0] : {t0} to {r0}", [m], np.array(4, np.float32))
    f.case("extent_of_two", "blocks.extent {0} dims [0, 2] : {t0} to {r0}", [t], np.array(6, np.float32))
    f.case("collapse", "tensor.collapse_shape {0} [[0], [1, 2]] : {t0} into {r0}", [t], t.reshape(2, 12))
    f.case("expand", "tensor.expand_shape {0} [[0, 1], [2]] output_shape [2, 2, 3] : {t0} into {r0}", [m],
           m.reshape(2, 2, 3))
    f.case("slice", "tensor.extract_slice {0} [1, 0] [2, 2] [2, 1] : {t0} to {r0}", [m], m[1:4:2, :2])
    f.case("slice_without_axis", "tensor.extract_slice {0} [1, 0, 0] [1, 4, 3] [1, 1, 1] : {t0} to {r0}", [t], t[1])
    inserted = t.copy()
    inserted[1] = m
    f.case("insert", "tensor.insert_slice {0} into {1} [1, 0, 0] [1, 4, 3] [1, 1, 1] : {t0} into {t1}", [m, t],
           inserted)
    f.case("concat", "tensor.concat dim(0) {0}, {1} : ({t0}, {t1}) -> {r0}", [m, m[:1]], np.concatenate([m, m[:1]]))
    return f


def reductions():
    f = File("Reductions and argmax.")
    x = draw(7, 3, 4, 2)
    kinds = {"sum": np.sum, "max": np.max, "min": np.min}
    for kind, of in kinds.items():
        for dims in ((0,), (1,), (2,), (0, 1), (1, 2), (0, 2), (0, 1, 2)):
            f.case(f"{kind}_{'_'.join(map(str, dims))}", f"blocks.reduce {kind} {{0}} dims {list(dims)} : {{t0}} to {{r0}}",
                   [x], np.asarray(of(x, axis=dims)))
    single = draw(8, 5, 6, dtype=np.float32)
    f.case("sum_f32", "blocks.reduce sum {0} dims [1] : {t0} to {r0}", [single], single.sum(1))
    f.case("no_dims", "blocks.reduce sum {0} dims [] : {t0} to {r0}", [x], x)
    # 2^24 + 1 is not an f32: the order of the additions shows.
    absorbed = np.array([2.0**24, 1, 1, 1], np.float32)
    f.case("left_to_right", "blocks.reduce sum {0} dims [0] : {t0} to {r0}", [absorbed],
           np.array(2.0**24, np.float32), tolerance=0.0)
    f.case("absorbed_last", "blocks.reduce sum {0} dims [0] : {t0} to {r0}", [absorbed[::-1].copy()],
           np.array(2.0**24 + 4, np.float32), tolerance=0.0)
    f.case("max_of_nan", "blocks.reduce max {0} dims [0] : {t0} to {r0}", [np.array([1, np.nan, 2])], np.array(np.nan))
    f.case("argmax", "blocks.argmax {0} : {t0} to {r0}", [x], np.argmax(x, -1))
    ties = np.array([[1, 3, 3], [2, 2, 2], [-1, -1, -2], [0, -0.0, 0]])
    f.case("argmax_ties", "blocks.argmax {0} : {t0} to {r0}", [ties], np.array([1, 0, 0, 0]))
    return f


def matmuls():
    f = File("Products of matrices, with and without transposes.")
    a, b = draw(11, 3, 4), draw(12, 4, 2)
    for dtype in (np.float64, np.float32):
        kind = NAMES[np.dtype(dtype).name]
        x, y = a.astype(dtype), b.astype(dtype)
        product = (a @ b).astype(dtype)
        op = "blocks.matmul {{0}}{0}, {{1}}{1} : {{t0}}, {{t1}} to {{r0}}"
        f.case(f"plain_{kind}", op.format("", ""), [x, y], product)
        f.case(f"left_{kind}", op.format(" transposed", ""), [x.T.copy(), y], product)
        f.case(f"right_{kind}", op.format("", " transposed"), [x, y.T.copy()], product)
        f.case(f"both_{kind}", op.format(" transposed", " transposed"), [x.T.copy(), y.T.copy()], product)
    return f


def stacks():
    f = File("Stacks of matrix products, with and without transposes.")
    a, b = draw(13, 2, 3, 4), draw(14, 2, 4, 2)
    for dtype in (np.float64, np.float32):
        kind = NAMES[np.dtype(dtype).name]
        x, y = a.astype(dtype), b.astype(dtype)
        product = np.matmul(a, b).astype(dtype)
        op = "blocks.batch_matmul {{0}}{0}, {{1}}{1} : {{t0}}, {{t1}} to {{r0}}"
        xt, yt = np.swapaxes(x, 1, 2).copy(), np.swapaxes(y, 1, 2).copy()
        f.case(f"plain_{kind}", op.format("", ""), [x, y], product)
        f.case(f"left_{kind}", op.format(" transposed", ""), [xt, y], product)
        f.case(f"right_{kind}", op.format("", " transposed"), [x, yt], product)
        f.case(f"both_{kind}", op.format(" transposed", " transposed"), [xt, yt], product)
    c, d = draw(15, 2, 3, 1, 4), draw(16, 2, 3, 4, 2)
    f.case("leading_axes", "blocks.batch_matmul {0}, {1} : {t0}, {t1} to {r0}", [c, d], np.matmul(c, d))
    return f


def gathers():
    f = File("Rows of a table by number, and their sums.")
    gather = "blocks.gather {0}, {1} : {t0}, {t1} to {r0}"
    scatter = "blocks.scatter_add {0}, {1} like {2} : {t0}, {t1}, {t2}"
    table = draw(41, 5, 3)
    for kind in INTEGERS:
        i = np.array([[0, 4, 4], [2, 1, 0]], kind)
        f.case(f"rows_{NAMES[np.dtype(kind).name]}", gather, [table, i], table[i.astype(np.int64)])
    single = draw(42, 5, 2, 2, dtype=np.float32)
    f.case("rank_3_f32", gather, [single, np.array([3, 3])], single[[3, 3]])
    f.case("one_row", gather, [table, np.array(2)], table[2])
    f.case("vector", gather, [table[:, 0].copy(), np.array([4, 1])], table[[4, 1], 0])
    f.case("none", gather, [table, np.zeros((2, 0), np.int64)], np.zeros((2, 0, 3)))
    i, rows = np.array([[0, 4, 4], [4, 1, 0]]), draw(43, 2, 3, 3)
    sums = np.zeros_like(table)
    np.add.at(sums, i, rows)
    f.case("sums", scatter, [rows, i, table], sums)
    once = np.zeros_like(table)
    once[2] = rows[0, 0]
    f.case("sum_of_one", scatter, [rows[0, 0].copy(), np.array(2), table], once)
    # 2^24 + 1 is not an f32: the order of the additions shows.
    absorbed = np.array([2.0**24, 1, 1, 1], np.float32)
    same = np.zeros(4, np.int64)
    f.case("in_order", scatter, [absorbed, same, np.zeros(1, np.float32)], np.array([2.0**24], np.float32),
           tolerance=0.0)
    f.case("absorbed_last", scatter, [absorbed[::-1].copy(), same, np.zeros(1, np.float32)],
           np.array([2.0**24 + 4], np.float32), tolerance=0.0)
    return f


def masked():
    f = File("The masked softmax: masked positions are 0 whatever they hold, a row without positions is zeros.")
    m = np.array([[True, False, True], [False, False, False], [False, True, False], [True, True, True]])
    for dtype in (np.float64, np.float32):
        x = draw(51, 4, 3, dtype=dtype)
        for name, fill in (("plain", x), ("huge", dtype(1e30)), ("infinite", dtype(np.inf)), ("nan", dtype(np.nan))):
            if dtype == np.float32 and not np.isfinite(fill).all():
                continue # the text has them in f64 only
            e = np.where(m, x, fill)
            weights = np.where(m, np.exp(x.astype(np.float64)), 0)
            total = weights.sum(-1, keepdims=True)
            f.case(f"{name}_{NAMES[np.dtype(dtype).name]}", "blocks.softmax {0} masked {1} : {t0}, {t1}", [e, m],
                   (weights / np.where(total == 0, 1, total)).astype(dtype))
    return f


# --- Softmax and labels ----------------------------------------------------------

def log_softmax(x):
    shifted = x - x.max(-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))


ENTROPY = "blocks.softmax_cross_entropy {0}, {1} : {t0}, {t1} to {r0}, {r1}"
ENTROPY_GRADIENT = "blocks.softmax_cross_entropy_grad {0}, {1}, {2} : {t0}, {t1}, {t2}"


def entropy_case(f, name, logits, labels, tolerance=None):
    lp = log_softmax(logits)
    cost = -np.take_along_axis(lp, labels.astype(np.int64)[..., None], -1)[..., 0]
    f.case(name, ENTROPY, [logits, labels], [cost, lp], results=2, tolerance=tolerance)
    onehot = np.eye(logits.shape[-1])[labels.astype(np.int64)]
    g = draw(99, *labels.shape)
    f.case(name + "_grad", ENTROPY_GRADIENT, [lp, labels, g], (np.exp(lp) - onehot) * g[..., None])


def softmaxes():
    f = File("Softmax, cross-entropy, pick. The first cases are Blocks' own: stable for logits of 1000.")
    extreme = np.array([[1000.0, 0.0], [0.0, 1000.0], [3.0, 3.0]])
    lp = log_softmax(extreme)
    f.case("stable_cost", ENTROPY, [extreme, np.array([1, 1, 1])],
           [np.array([1000.0, 0.0, 0.69314718055994531]), lp], results=2)
    f.case("stable_gradient", ENTROPY_GRADIENT, [lp, np.array([1, 1, 1]), np.ones(3)],
           np.array([[1.0, -1.0], [0.0, 0.0], [0.5, -0.5]]))
    x = draw(21, 4, 3)
    for kind in INTEGERS:
        entropy_case(f, f"labels_{NAMES[np.dtype(kind).name]}", x, np.array([0, 2, 1, 2], kind))
    entropy_case(f, "time_axis", draw(22, 2, 3, 4), np.array([[0, 3, 1], [2, 2, 0]], np.uint8))
    wide = draw(23, 2, 300)
    entropy_case(f, "ui8_255", wide, np.array([255, 128], np.uint8), tolerance=1e-12)
    d = np.array([[0.2, 0.3, 0.5], [1, 0, 0], [0.5, 0.5, 0.5], [0, 0, 0]])
    lp = log_softmax(x)
    f.case("distribution", ENTROPY, [x, d], [-(d * lp).sum(-1), lp], results=2)
    g = draw(24, 4)
    f.case("distribution_grad", ENTROPY_GRADIENT, [lp, d, g],
           (np.exp(lp) * d.sum(-1, keepdims=True) - d) * g[:, None])
    for dtype in (np.float64, np.float32):
        y = draw(25, 2, 2, 5, dtype=dtype)
        kind, lp = NAMES[np.dtype(dtype).name], log_softmax(y.astype(np.float64))
        f.case(f"softmax_{kind}", "blocks.softmax {0} : {t0}", [y], np.exp(lp).astype(dtype))
        f.case(f"log_softmax_{kind}", "blocks.log_softmax {0} : {t0}", [y], lp.astype(dtype))
    i = np.array([2, 0, 1, 1], np.int32)
    f.case("pick", "blocks.pick {0}, {1} : {t0}, {t1} to {r0}", [x, i], x[np.arange(4), i])
    scattered = np.zeros_like(x)
    scattered[np.arange(4), i] = g
    f.case("unpick", "blocks.unpick {0}, {1} like {2} : {t0}, {t1}, {t2} to {r0}", [g, i, x], scattered)
    return f


# --- Convolutions and pools ------------------------------------------------------

# image, filters, strides, padding (top, bottom, left, right), flipped
CONVOLUTIONS = {
    "valid": ((2, 2, 4, 5), (3, 2, 2, 3), (1, 1), (0, 0, 0, 0), False),
    "flipped": ((1, 2, 4, 4), (2, 2, 3, 2), (1, 1), (0, 0, 0, 0), True),
    "full": ((1, 1, 3, 3), (2, 1, 2, 3), (1, 1), (1, 1, 2, 2), False),
    "one_side": ((1, 1, 3, 4), (1, 1, 2, 2), (1, 1), (1, 0, 0, 1), True),
    "strides": ((2, 1, 7, 6), (2, 1, 3, 2), (2, 3), (1, 1, 0, 0), False),
    "unused_edge": ((1, 2, 6, 6), (1, 2, 3, 3), (2, 2), (0, 0, 0, 0), False),
    "whole_image": ((2, 2, 3, 3), (2, 2, 3, 3), (1, 1), (0, 0, 0, 0), False),
}
# image, window, strides, padding, ignore_border
POOLS = {
    "pairs": ((2, 2, 4, 6), (2, 2), (2, 2), (0, 0), True),
    "left_over": ((1, 2, 5, 7), (2, 2), (2, 2), (0, 0), True),
    "overlapping": ((1, 1, 5, 5), (3, 2), (2, 1), (0, 0), True),
    "padded": ((1, 2, 4, 5), (3, 3), (2, 2), (1, 1), True),
    "gaps": ((1, 1, 7, 6), (2, 2), (3, 3), (0, 0), True),
    "partial": ((1, 2, 5, 4), (2, 3), (2, 3), (0, 0), False),
    "partial_overlapping": ((1, 1, 6, 5), (3, 3), (2, 2), (0, 0), False),
}


def convolutions():
    f = File("Convolutions and their gradients. The first is Blocks' own: flipped kernels by default there.")
    f.case("blocks_flipped", "blocks.convolution flipped {0}, {1} strides [1, 1] padding [0, 0, 0, 0] : {t0}, {t1} to {r0}",
           [np.arange(9.0).reshape(1, 1, 3, 3), np.array([[[[1.0, 2], [3, 4]]]])], np.array([[[[13.0, 23], [43, 53]]]]))
    f.case("blocks_correlation", "blocks.convolution {0}, {1} strides [1, 1] padding [0, 0, 0, 0] : {t0}, {t1} to {r0}",
           [np.arange(9.0).reshape(1, 1, 3, 3), np.array([[[[1.0, 2], [3, 4]]]])], np.array([[[[27.0, 37], [57, 67]]]]))
    for name, (image, filters, strides, padding, flipped) in CONVOLUTIONS.items():
        x, w = draw(31, *image), draw(32, *filters)
        y = image_ops.convolution(x, w, strides, padding, flipped)
        g = draw(33, *y.shape)
        form = (" flipped" if flipped else "") + " {0}, {1} strides " + str(list(strides)) + " padding " + \
            str(list(padding)) + " : {t0}, {t1} to {r0}"
        f.case(name, "blocks.convolution" + form, [x, w], y)
        f.case(name + "_input_grad", "blocks.convolution_input_grad" + form, [g, w],
               image_ops.input_grad(g, w, image, strides, padding, flipped))
        f.case(name + "_filter_grad", "blocks.convolution_filter_grad" + form, [x, g],
               image_ops.filter_grad(x, g, filters[2:], strides, padding, flipped))
    x, w = draw(34, 1, 2, 4, 4, dtype=np.float32), draw(35, 2, 2, 3, 3, dtype=np.float32)
    f.case("single", "blocks.convolution {0}, {1} strides [1, 1] padding [1, 1, 1, 1] : {t0}, {t1} to {r0}", [x, w],
           image_ops.convolution(x, w, (1, 1), (1, 1, 1, 1)).astype(np.float32), tolerance=1e-5)
    return f


def pools():
    f = File("Pools and their gradients, with Blocks' rules for sizes.")
    for name, (image, window, strides, padding, ignore_border) in POOLS.items():
        x = np.round(draw(41, *image) * 2) / 2  # Some equal elements.
        for kind in ("max", "average", "average_padded"):
            y = image_ops.pool(kind, x, window, strides, padding, ignore_border)
            g = draw(42, *y.shape)
            form = f" window {list(window)} strides {list(strides)} padding {list(padding)}" + \
                ("" if ignore_border else " partial")
            f.case(f"{kind}_{name}", f"blocks.pool {kind} {{0}}{form} : {{t0}} to {{r0}}", [x], y)
            f.case(f"{kind}_{name}_grad", f"blocks.pool_grad {kind} {{0}}, {{1}}{form} : {{t0}}, {{t1}}", [x, g],
                   image_ops.pool_grad(kind, x, g, window, strides, padding, ignore_border))
    special = np.array([[[[1, np.nan, -np.inf, -np.inf], [2, 3, -np.inf, -np.inf]]]])
    form = " window [2, 2] strides [2, 2] padding [0, 0]"
    f.case("max_special", f"blocks.pool max {{0}}{form} : {{t0}} to {{r0}}", [special], np.array([[[[np.nan, -np.inf]]]]))
    f.case("max_special_grad", f"blocks.pool_grad max {{0}}, {{1}}{form} : {{t0}}, {{t1}}",
           [special, np.array([[[[5.0, 7.0]]]])], np.array([[[[0, 5.0, 7, 0], [0, 0, 0, 0]]]]))
    return f


FILES = {"elementwise": elementwise, "integers": integers, "casts": casts, "shapes": shapes,
         "reductions": reductions, "matmul": matmuls, "softmax": softmaxes,
         "convolution": convolutions, "pool": pools, "batch-matmul": stacks, "gather": gathers,
         "masked-softmax": masked}


def main(folder):
    for name, make in FILES.items():
        make().write(pathlib.Path(folder) / f"{name}.mlir")


if __name__ == "__main__":
    main(sys.argv[1])
