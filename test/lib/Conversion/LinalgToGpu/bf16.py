"""A product and convolutions with --precision bf16 against NumPy's of rounded operands.

usage: bf16.py MODEL WORK DEVICE
Among the operands are numbers between two of bf16, infinity, and what is not a number.
"""
import subprocess
import sys

import numpy as np

MODEL, WORK, DEVICE = sys.argv[1:]


def rounded(x):
    """To the nearest number of bf16; of two equally near ones to the even one."""
    bits = x.view(np.uint32).astype(np.uint64)
    near = (bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000
    return np.where(np.isnan(x), x, near.astype(np.uint32).view(np.float32))


def infer(x, w, *options, entry="multiply"):
    np.save(WORK + ".x.npy", x)
    np.save(WORK + ".w.npy", w)
    subprocess.run(["blocks-run", "infer", MODEL, "--entry", entry, "--input", f"x={WORK}.x.npy", "--input",
                    f"w={WORK}.w.npy", "--output", f"y={WORK}.y.npy", "--device", DEVICE, *options], check=True,
                   capture_output=True)
    return np.load(WORK + ".y.npy")


rng = np.random.default_rng(5)
x, w = (rng.standard_normal(shape).astype(np.float32) for shape in ((37, 100), (100, 70)))
x[0, :8] = 1 + np.array([1, 2, 3, 4, 5, 6, 7, 8], np.float32) * np.float32(2.0**-9)
exact = rounded(x).astype(np.float64) @ rounded(w).astype(np.float64)
result = infer(x, w, "--precision", "bf16")
assert np.abs(result - exact).max() < 2e-5, np.abs(result - exact).max()
assert np.abs(infer(x, w) - exact).max() > 1e-3, "without the option nothing is rounded"
x[0, 0], x[1, 0], x[2, 0] = np.nan, np.inf, 3.4e38  # The last one rounds to infinity.
result = infer(x, w, "--precision", "bf16")
assert np.isnan(result[0]).all() and np.isinf(result[1:3]).all() and np.isfinite(result[3:]).all()


def convolved(x, w):
    """A cross-correlation without padding."""
    windows = np.lib.stride_tricks.sliding_window_view(x, w.shape[2:], axis=(2, 3))
    return np.einsum("nchwij,fcij->nfhw", windows, w)


for entry, shapes in {"large": ((5, 6, 12, 11), (20, 6, 3, 3)), "small": ((5, 2, 5, 4), (3, 2, 2, 3))}.items():
    x, w = (rng.standard_normal(shape).astype(np.float32) for shape in shapes)
    exact = convolved(rounded(x).astype(np.float64), rounded(w).astype(np.float64))
    result = infer(x, w, "--precision", "bf16", entry=entry)
    assert np.abs(result - exact).max() < 2e-5, np.abs(result - exact).max()
    assert np.abs(infer(x, w, entry=entry) - exact).max() > 1e-3, "without the option nothing is rounded"
print("agrees")
