"""The table of splits of a Fuel file, as Fuel itself writes it."""
import h5py
import numpy as np


def write_splits(file, rows, names, split="train", old=False):
    """One split of all rows of some sources. `old`: without the member for indices, as in files of 2015."""
    fields = [("split", f"S{len(split)}"), ("source", "S20"), ("start", "i8"), ("stop", "i8"),
              ("indices", h5py.special_dtype(ref=h5py.Reference)),
              ("available", h5py.special_dtype(enum=("i1", {"FALSE": 0, "TRUE": 1}))), ("comment", "S1")]
    if old:
        fields.pop(4)
    table = np.zeros(len(names), dtype=fields)
    for row, name in zip(table, names):
        if not old:
            row["indices"] = h5py.Reference()
        row["split"], row["source"], row["stop"], row["available"] = split.encode(), name.encode(), rows, True
    file.attrs["split"] = table
