"""Writes a Fuel file of random images for the benchmarks: image_features (rows,
3, SIDE, SIDE) and targets (rows, 1), u8, in one split "train".

  /usr/bin/python3 test/bench/make_images.py FILE.hdf5 ROWS SIDE
"""
import sys

import h5py
import numpy as np

path, rows, side = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
random = np.random.default_rng(1)
with h5py.File(path, "w") as file:
    images = file.create_dataset("image_features", (rows, 3, side, side), "u1")
    for start in range(0, rows, 64):
        count = min(64, rows - start)
        images[start:start + count] = np.frombuffer(random.bytes(count * 3 * side * side), "u1").reshape(count, 3, side, side)
    targets = file.create_dataset("targets", data=random.integers(0, 10, (rows, 1), "u1"))
    for source, labels in ((images, ("batch", "channel", "height", "width")), (targets, ("batch", "index"))):
        for axis, label in enumerate(labels):
            source.dims[axis].label = label
    kind = np.dtype([("split", "S5"), ("source", "S14"), ("start", "<i8"), ("stop", "<i8"),
                     ("indices", h5py.special_dtype(ref=h5py.Reference)), ("available", "?"), ("comment", "S1")])
    table = np.empty(2, kind)
    for i, name in enumerate(("image_features", "targets")):
        table[i] = (b"train", name.encode(), 0, rows, h5py.Reference(), True, b".")
    file.attrs["split"] = table
    file.attrs["h5py_interface_version"] = b"0.3"
