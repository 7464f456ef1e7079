"""Convolutions, pools and their gradients in NumPy, in float64, by sliding windows and einsum.

Used by reference_ops.py (expected numbers of the operations) and by whole-program tests.
"""
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view


def padded(x, padding, value=0.0):
    top, bottom, left, right = padding
    return np.pad(x.astype(np.float64), ((0, 0), (0, 0), (top, bottom), (left, right)), constant_values=value)


def patches(x, kernel, strides, padding):
    """[n, c, i, j, u, v]: what lies under the kernel at (i, j)."""
    windows = sliding_window_view(padded(x, padding), kernel, axis=(2, 3))
    return windows[:, :, ::strides[0], ::strides[1]]


def kernels(w, flipped):
    return w[:, :, ::-1, ::-1] if flipped else w


def convolution(x, w, strides, padding, flipped=False):
    return np.einsum("ncijuv,fcuv->nfij", patches(x, w.shape[2:], strides, padding), kernels(w, flipped))


def filter_grad(x, g, kernel, strides, padding, flipped=False):
    # A stride may leave pixels at the end unused: as many windows as gradients.
    windows = patches(x, kernel, strides, padding)[:, :, :g.shape[2], :g.shape[3]]
    return kernels(np.einsum("ncijuv,nfij->fcuv", windows, g.astype(np.float64)), flipped)


def input_grad(g, w, shape, strides, padding, flipped=False):
    """By the transposed convolution: gradients spread by the strides, kernels turned."""
    n, f, h, v = g.shape
    kh, kw = w.shape[2:]
    spread = np.zeros((n, f, strides[0] * (h - 1) + 1, strides[1] * (v - 1) + 1))
    spread[:, :, ::strides[0], ::strides[1]] = g
    turned = kernels(w, flipped)[:, :, ::-1, ::-1].swapaxes(0, 1)
    whole = convolution(spread, turned, (1, 1), (kh - 1, kh - 1, kw - 1, kw - 1))
    top, bottom, left, right = padding
    full = np.zeros((n, w.shape[1], shape[2] + top + bottom, shape[3] + left + right))
    full[:, :, :whole.shape[2], :whole.shape[3]] = whole
    return full[:, :, top:top + shape[2], left:left + shape[3]]


def pool_size(extent, window, stride, padding, ignore_border=True):
    """Blocks' rules for the extent of a pool's result."""
    v = extent + 2 * padding
    if ignore_border:
        return v // stride if window == stride else (v - window) // stride + 1
    if stride >= window:
        return (v - 1) // stride + 1
    return max(0, (v - 1 - window + stride) // stride) + 1


def windows_of(shape, window, strides, padding, ignore_border):
    """For each place of the result: its index, the slices of the image, the number of padded elements."""
    size = [pool_size(shape[2 + a], window[a], strides[a], padding[a], ignore_border) for a in (0, 1)]
    for i in range(size[0]):
        for j in range(size[1]):
            start = [i * strides[0] - padding[0], j * strides[1] - padding[1]]
            stop = [start[a] + window[a] for a in (0, 1)]
            counted = np.prod([min(stop[a], shape[2 + a] + padding[a]) - start[a] for a in (0, 1)])
            inside = tuple(slice(max(0, start[a]), min(shape[2 + a], stop[a])) for a in (0, 1))
            yield (i, j), inside, counted, size


def pool(kind, x, window, strides, padding=(0, 0), ignore_border=True):
    result = None
    for (i, j), (rows, columns), counted, size in windows_of(x.shape, window, strides, padding, ignore_border):
        if result is None:
            result = np.zeros(x.shape[:2] + tuple(size))
        part = x[:, :, rows, columns].astype(np.float64)
        result[:, :, i, j] = (part.max((2, 3)) if kind == "max" else part.mean((2, 3)) if kind == "average"
                              else part.sum((2, 3)) / counted)
    return result


def pool_grad(kind, x, g, window, strides, padding=(0, 0), ignore_border=True):
    result = np.zeros(x.shape)
    for (i, j), (rows, columns), counted, _ in windows_of(x.shape, window, strides, padding, ignore_border):
        part = x[:, :, rows, columns]
        n, c, h, w = part.shape
        if kind == "max":
            first = np.eye(h * w)[part.reshape(n, c, h * w).argmax(-1)].reshape(part.shape)
            result[:, :, rows, columns] += first * g[:, :, i, j, None, None]
        else:
            result[:, :, rows, columns] += g[:, :, i, j, None, None] / (h * w if kind == "average" else counted)
    return result
