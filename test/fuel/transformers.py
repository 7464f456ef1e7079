"""ScaleAndShift, Cast and Flatten against NumPy, for every element type."""
import hashlib
import json
import os
import sys
import warnings

import h5py
import numpy as np

from toolkit import check, data, run, status

warnings.simplefilter("ignore")  # Casts that lose values are meant.


def cat(file, transforms, *more):
    """The first batch, source by source."""
    chosen = [word for text in transforms for word in ("--transform", text)]
    ran = run("fuel-cat", file, "--json", "--batches", 1, *more, *chosen)
    check(ran.returncode == 0, ran.stderr)
    return json.loads(ran.stdout)["data"]


def same(mine, array, what):
    array = np.ascontiguousarray(array)
    array = array.astype(array.dtype.newbyteorder("<"))
    check(mine["dtype"] == array.dtype.str and mine["shape"] == list(array.shape) and
          mine["sha256"] == hashlib.sha256(array.tobytes()).hexdigest(),
          f"{what}: {mine} instead of {array.dtype} {array.ravel()[:24].tolist()}")


# Every element type. The special values would only show how casts of
# infinities differ between machines.
file = os.path.join(data, "dtypes.hdf5")
with h5py.File(file) as f:
    arrays = {n: f[n][:8] for n in f if n.startswith("s_") and n not in ("s_bytes5", "s_float64_special")}
arrays = {n: a.astype(a.dtype.newbyteorder("=")) for n, a in arrays.items()}
names = ["--sources", ",".join(arrays)]

for scale, shift in ((2, 0), (2, 1), (0.5, 0), (1 / 255, 0.25), (3, -1), (-2, 5), (200, 0), (300, 0), (40000, 1),
                     (70000, -70000), (3000000000, 0), (1, 0.5), (1.0, 1)):
    text = f"scale_and_shift(scale={scale!r},shift={shift!r})"
    for name, mine in cat(file, [text], *names).items():
        same(mine, arrays[name] * scale + shift, f"{name}: {text}")
    text = "scale_and_shift(scale=1/255)"
for name, mine in cat(file, [text], *names).items():
    same(mine, arrays[name] * (1 / 255) + 0, f"{name}: {text}")

for target in ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
               "float16", "float32", "float64"):
    for name, mine in cat(file, [f"cast(dtype={target})"], *names).items():
        source = arrays[name]
        if source.dtype.kind == "f" and target.startswith("uint"):
            continue  # Negative values: NumPy's result depends on the machine.
        same(mine, source.astype(target), f"{name}: cast to {target}")

mnist = os.path.join(data, "mnist_small.hdf5")
with h5py.File(mnist) as f:
    pixels, targets = f["features"][:128], f["targets"][:128]
flat = cat(mnist, ["flatten"])
same(flat["features"], pixels.reshape(128, -1), "flatten")
same(flat["targets"], targets, "flatten")
both = cat(mnist, ["scale_and_shift(scale=1/255,shift=0,which=features)", "cast(dtype=f32,which=features)",
                   "flatten(which=features)"])
same(both["features"], (pixels * (1 / 255.0) + 0).astype("f4").reshape(128, -1), "all three")
same(both["targets"], targets, "a source that is not named")

# More pixels than any image that is decoded may have.
for file, name in ((mnist, "features"), (os.path.join(data, "vlen_images.hdf5"), "image_features")):
    ran = run("fuel-cat", file, "--json", "--batches", 1, "--batch-size", 1, "--sources", name, "--transform",
              f"minimum_image_dimensions(shape=17000x17000,which={name})")
    check(ran.returncode == 1 and "more than 2^28 pixels" in ran.stderr, f"{name}: {ran.returncode} {ran.stderr}")

sys.exit(status())
