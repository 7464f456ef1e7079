"""Exchange of NPZ files with NumPy: what NumPy wrote, test-runtime-npz reads and
writes again, and NumPy must find the same arrays. usage: npz.py PROGRAM FOLDER"""

import os
import subprocess
import sys

import numpy as np

program, folder = sys.argv[1:]
rng = np.random.RandomState(1)
arrays = {
    "/mlp/linear_0.W": rng.randn(7, 5).astype("f4"),
    "f8": rng.randn(3),
    "fortran": np.asfortranarray(rng.randn(4, 3, 2)),
    "f2": rng.randn(5).astype("f2"),
    "scalar": np.float32(3.5),
    "empty": np.zeros((0, 3), "i4"),
    "bool": np.array([True, False]),
    **{t: rng.randint(0, 100, (2, 3)).astype(t) for t in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8")},
}
source, copy = os.path.join(folder, "numpy.npz"), os.path.join(folder, "copy.npz")
for save in (np.savez, np.savez_compressed):
    for mode in ("roundtrip", "roundtrip-deflated"):
        save(source, **arrays)
        subprocess.run([program, mode, source, copy], check=True)
        with np.load(copy) as found:
            assert sorted(found.files) == sorted(arrays), found.files
            for name, expected in arrays.items():
                assert found[name].dtype == expected.dtype, name
                assert found[name].shape == expected.shape, name
                assert found[name].tobytes() == expected.tobytes(), name

np.savez(source, big=np.arange(6).reshape(2, 3).astype(">i4"))  # Comes out native.
subprocess.run([program, "roundtrip", source, copy], check=True)
with np.load(copy) as found:
    assert found["big"].dtype == np.dtype("<i4") and found["big"].tolist() == [[0, 1, 2], [3, 4, 5]]

np.savez(source, text=np.array(["a"]), big=np.arange(3).astype(">i4"))
assert subprocess.run([program, "roundtrip", source, copy], stderr=subprocess.DEVNULL).returncode != 0
