"""Converters of MATLAB files: svhn (format 2), caltech101_silhouettes. Files by SciPy, and by a writer of our own that
knows the other byte order and makes mistakes."""
import os
import shutil
import struct
import zlib

import h5py
import numpy as np
from common import convert, data, folder, missing, refused, same_file, write
from pictures import digits, silhouettes

image_labels, label_labels = ("batch", "channel", "height", "width"), ("batch", "index")


# --- A writer -----------------------------------------------------------------
TYPES = {"int8": (1, 8), "uint8": (2, 9), "int16": (3, 10), "uint16": (4, 11), "int32": (5, 12), "uint32": (6, 13),
         "float32": (7, 7), "float64": (9, 6), "int64": (12, 14), "uint64": (13, 15)}


def element(end, kind, content, small=False):
    if small:
        return struct.pack(end + "I", len(content) << 16 | kind) + content.ljust(4, b"\0")
    return struct.pack(end + "II", kind, len(content)) + content + bytes(-len(content) % 8)


def array(end, name, values, shape=None, kind=None, flags=0):
    """`flags`: beside the class in its word."""
    stored, matlab = TYPES[str(values.dtype)]
    shape = values.shape if shape is None else shape
    content = values.astype(values.dtype.newbyteorder(end)).tobytes("F")
    return element(end, 14, element(end, 6, struct.pack(end + "II", flags | (kind or matlab), 0))
                   + element(end, 5, struct.pack(end + f"{len(shape)}i", *shape))
                   + element(end, 1, name.encode(), small=len(name) <= 4)
                   + element(end, stored, content, small=0 < len(content) <= 4))


def mat(*elements, end="<"):
    return b"MATLAB 5.0 MAT-file".ljust(124) + struct.pack(end + "HH", 0x100, 0x4d49) + b"".join(elements)


def packed(end, raw):
    content = zlib.compress(raw)
    return struct.pack(end + "II", 15, len(content)) + content


# --- svhn 2 -------------------------------------------------------------------
names = [f"{part}_32x32.mat" for part in ("train", "test", "extra")]
inputs = folder("svhn")
missing("svhn", inputs, names, 2)
for name in names:
    shutil.copy(os.path.join(data, name), inputs)
pixels, targets = digits(0, 7)
sources = {"features": (pixels, image_labels), "targets": ((targets % 10).astype("uint8"), label_labels)}
ranges = {"train": (0, 4), "test": (4, 6), "extra": (6, 7)}
splits = {split: dict.fromkeys(sources, rows) for split, rows in ranges.items()}
same_file(convert("svhn", inputs, 2), sources, splits)
for end in "<>":  # MATLAB drops the last axis of a single image.
    for name, (start, stop) in zip(names, ranges.values()):
        x = pixels[start:stop].transpose(2, 3, 1, 0)
        x = array(end, "X", x, x.shape[:3] if stop == start + 1 else None)
        y = array(end, "y", targets[start:stop].astype("uint16" if end == ">" else "float32"))
        other = array(end, "a variable with a long name", np.zeros((3, 5), "float64"))
        write(os.path.join(inputs, name), mat(other, packed(end, x), y, end=end))
    same_file(convert("svhn", inputs, 2), sources, splits)

good_x, good_y = array("<", "X", pixels[:2].transpose(2, 3, 1, 0)), array("<", "y", targets[:2].astype("uint8"))
broken = packed("<", good_x)
for content, words in (
        (b"", "no MATLAB file"), (b"x" * 500, "no MATLAB file"), (mat(), "has no variable 'X'"), (mat(good_x), "it has: 'X'"),
        (mat(good_x[:-100]), "is it complete?"), (mat(good_y, good_x[:-1]), "is it complete?"),
        (mat(broken[:-100], good_y), "is it complete?"), (mat(packed("<", good_x[:-3000]), good_y), "ends too early"),
        (mat(broken[:60] + bytes(8) + broken[68:], good_y), "is damaged"), (mat(good_x, good_y)[:140], "is it complete?"),
        (mat(array("<", "X", pixels[:2].transpose(2, 3, 1, 0), (32, 32, 3, 1 << 30)), good_y), "impossible dimensions"),
        (mat(array("<", "X", pixels[:2].transpose(2, 3, 1, 0), (32, 32, 3, 300)), good_y), "expected 300x1"),
        (mat(array("<", "X", pixels[:2].transpose(2, 3, 1, 0), (32, 32, 3, 300)),
             array("<", "y", np.ones((300, 1), "uint8"))), "32x32x3x300 has 6144 bytes"),
        (mat(array("<", "X", pixels[:2].transpose(2, 3, 1, 0), (32, 32, 3, -2)), good_y), "impossible dimensions"),
        (mat(array("<", "X", pixels[:2].transpose(2, 3, 1, 0), (32, 96, 1, 2)), good_y), "expected 32x32x3xN"),
        (mat(array("<", "X", pixels[:2].transpose(2, 3, 1, 0), flags=0x800), good_y), "of the kind expected"),
        (mat(array("<", "X", pixels[:2].transpose(2, 3, 1, 0), kind=4), good_y), "of the kind expected"),
        (mat(array("<", "X", pixels[:2].transpose(2, 3, 1, 0) * 2.0), good_y), "expected whole numbers from 0 to 255"),
        (mat(good_x, array("<", "y", np.array([[3], [11]], "uint8"))), "holds 11; expected digits"),
        (mat(good_x, array("<", "y", np.array([[3], [-1]], "int8"))), "holds -1"),
        (mat(good_x, array("<", "y", np.array([[3], [2.5]]))), "holds 2.5"),
        (mat(good_x, array("<", "y", np.array([[3], [float("nan")]]))), "holds nan"),
        (mat(good_x, array("<", "y", np.array([[3, 4]], "uint8"))), "expected 2x1"),
        (mat(element("<", 9, b"12345678"), good_x, good_y), "something else than arrays"),
        (mat(element("<", 14, element("<", 5, b"12345678"))), "no flags"),
        (mat(element("<", 14, element("<", 6, bytes(8)) + element("<", 5, b"123"))), "no dimensions")):
    write(os.path.join(inputs, names[1]), content)
    refused(words, "svhn", inputs, 2)
with h5py.File(os.path.join(inputs, names[1]), "w", userblock_size=512) as f:
    f["X"] = pixels
refused("version 7.3", "svhn", inputs, 2)
refused("is '3'; expected", "svhn", inputs, 3, status=2)
refused("which_format", "svhn", inputs, status=2)

# --- caltech101_silhouettes ---------------------------------------------------
for size in (16, 28):
    missing("caltech101_silhouettes", inputs, [f"caltech101_silhouettes_{size}_split1.mat"], size)
    parts = silhouettes(size)
    sources = {"features": (np.concatenate([p for p, _ in parts.values()]), image_labels),
               "targets": (np.concatenate([t for _, t in parts.values()]), label_labels)}
    splits = {split: dict.fromkeys(sources, rows) for split, rows in (("train", (0, 5)), ("valid", (5, 7)), ("test", (7, 10)))}
    same_file(convert("caltech101_silhouettes", data, size), sources, splits)
refused("expected 16 or 28", "caltech101_silhouettes", data, 20, status=2)
inputs = folder("silhouettes")
good = {name: (pixels.reshape(len(pixels), -1), labels) for name, (pixels, labels) in silhouettes(16).items()}
for change, words in (({"val": (good["val"][0][:, 1:], good["val"][1])}, "expected 256 columns"),
                      ({"val": (good["val"][0] * 2, good["val"][1])}, "holds 2; expected numbers from 0 to 1"),
                      ({"val": (good["val"][0], good["val"][1] * 0)}, "holds 0; expected numbers from 1 to 101"),
                      ({"val": (good["val"][0], good["val"][1][1:])}, "'val_data' holds 2 images, but 'val_labels' 1 labels"),
                      ({"val": None}, "has no variable 'val_data'")):
    elements = [array("<", name + suffix, values) for name, both in (good | change).items() if both
                for suffix, values in zip(("_data", "_labels"), both)]
    write(os.path.join(inputs, "caltech101_silhouettes_16_split1.mat"), mat(*elements))
    refused(words, "caltech101_silhouettes", inputs, 16)
