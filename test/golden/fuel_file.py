"""Writes small Fuel HDF5 files with h5py, independently of our own writer."""
import h5py
import numpy as np


def write(path, splits, labels=None):
    """splits: {split: {source: array}}; rows of a source are concatenated in order."""
    sources = sorted({s for arrays in splits.values() for s in arrays})
    with h5py.File(path, "w") as f:
        rows, start = [], dict.fromkeys(sources, 0)
        for split, arrays in splits.items():
            for source in sources:
                n = len(arrays[source])
                rows.append((split.encode(), source.encode(), start[source], start[source] + n))
                start[source] += n
        for source in sources:
            f[source] = np.concatenate([arrays[source] for arrays in splits.values()])
            for axis, label in enumerate((labels or {}).get(source, [])):
                f[source].dims[axis].label = label
        boolean = h5py.special_dtype(enum=("i1", {"FALSE": 0, "TRUE": 1}))
        kind = np.dtype([("split", "S%d" % max(len(s) for s in splits)), ("source", "S%d" % max(map(len, sources))),
                         ("start", "<i8"), ("stop", "<i8"), ("indices", h5py.special_dtype(ref=h5py.Reference)),
                         ("available", boolean), ("comment", "S1")])
        table = np.empty(len(rows), dtype=kind)
        for i, (split, source, begin, end) in enumerate(rows):
            table[i] = (split, source, begin, end, h5py.Reference(), True, b".")
        f.attrs["split"] = table
