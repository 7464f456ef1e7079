"""Makes the files beside it, with h5py: the same values in every layout and
compression, in old and in new headers, and an old table of splits."""
import os
import sys

import h5py
import numpy as np

folder = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(folder, "../../../fuel"))
from splits import write_splits


array = (np.arange(40 * 3 * 5).reshape(40, 3, 5) % 50).astype("i4")
ways = {"plain": {}, "chunked": {"chunks": (7, 3, 5)}, "across": {"chunks": (16, 2, 3)},
        "gzip": {"chunks": (10, 3, 5), "compression": "gzip", "shuffle": True, "fletcher32": True},
        "lzf": {"chunks": (10, 3, 5), "compression": "lzf"},
        "growing": {"chunks": (10, 3, 5), "maxshape": (None, 3, 5)},
        "growing_both": {"chunks": (10, 3, 5), "maxshape": (None, None, 5)}}
for libver in ("earliest", "latest"):
    with h5py.File(os.path.join(folder, libver + ".hdf5"), "w", libver=libver) as file:
        for name, options in ways.items():
            file.create_dataset(name, data=array, **options)
        ragged = file.create_dataset("ragged", (40,), dtype=h5py.special_dtype(vlen=np.dtype("i2")), chunks=(9,))
        for i in range(40):
            ragged[i] = np.arange(i % 6)
        file.create_dataset("text", data=["text %d" % i for i in range(40)],
                            dtype=h5py.special_dtype(vlen=str))
        write_splits(file, 40, list(ways) + ["ragged", "text"])
with h5py.File(os.path.join(folder, "old_table.hdf5"), "w") as file:
    file["x"] = array
    write_splits(file, 40, ["x"], old=True)
