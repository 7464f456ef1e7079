"""A checkpoint as h5py sees it. usage: checkpoint.py FILE, as left by
test-runtime-checkpoint."""

import sys

import h5py
import numpy as np

with h5py.File(sys.argv[1], "r") as f:
    assert f.userblock_size == 512
    assert sorted(f) == ["algorithm", "parameters", "state"], list(f)
    w = f["/parameters/model/linear/W"]
    assert w.dtype == np.float32 and w.shape == (5,) and np.abs(w[:]).max() > 0
    assert f["/parameters/model/linear/b"].shape == ()
    assert f["/parameters/model/ballast"].dtype == np.float64
    assert f["/algorithm/model/linear/W/velocity"].shape == (5,)
    assert bytes(f["state"][:8]) == b"BLKSTATE"
