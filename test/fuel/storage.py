"""Storage: whatever way h5py stores the same values, we read the same values:
chunks, gzip, lzf, shuffle, checksums, byte orders, compact and unwritten data,
user blocks, newer headers, older split tables, strings; and what is refused."""
import hashlib
import json
import os
import sys

import h5py
import numpy as np

from splits import write_splits
from toolkit import check, run, scratch, status

random = np.random.RandomState(1)


def values(ran, name):
    check(ran.returncode == 0, ran.stderr)
    lines = [json.loads(line)["data"][name] for line in ran.stdout.splitlines()]
    return [line["sha256"] for line in lines]


def digests(array, order):
    return [hashlib.sha256(np.ascontiguousarray(array[rows]).tobytes()).hexdigest() for rows in order]


def cat(path, *arguments):
    return run("fuel-cat", path, "--json", *arguments)


array = random.randint(0, 100, size=(103, 7, 11)).astype("i4")
ways = {
    "contiguous": {}, "chunked": {"chunks": (10, 7, 11)}, "across": {"chunks": (16, 4, 3)},
    "gzip": {"chunks": (10, 7, 11), "compression": "gzip"},
    "all": {"chunks": (9, 3, 11), "compression": "gzip", "shuffle": True, "fletcher32": True},
    "checksum": {"chunks": (9, 7, 11), "fletcher32": True}, "lzf": {"chunks": (10, 7, 11), "compression": "lzf"},
    "lzf_shuffled": {"chunks": (12, 7, 5), "compression": "lzf", "shuffle": True, "fletcher32": True},
    "growing": {"chunks": (10, 7, 11), "maxshape": (None, 7, 11)},
}
for libver in ("earliest", "latest"):
    for block in (0, 1024):
        path = os.path.join(scratch, f"ways_{libver}_{block}.hdf5")
        with h5py.File(path, "w", libver=libver, userblock_size=block) as file:
            for name, options in ways.items():
                file.create_dataset(name, data=array, **options)
            file.create_dataset("big_endian", data=array.astype(">i4"), chunks=(10, 7, 11))
            file.create_dataset("big_plain", data=array.astype(">i4"))
            write_splits(file, 103, list(ways) + ["big_endian", "big_plain"])
        sequential = [slice(i, i + 20) for i in range(0, 103, 20)]
        ran = cat(path, "--batch-size", "20")
        for name in list(ways) + ["big_endian", "big_plain"]:
            check(values(ran, name) == digests(array, sequential), f"{libver} {block} {name}")
        ran = cat(path, "--batch-size", "20", "--scheme", "shuffled", "--epochs", "2")
        requests = [json.loads(line)["request"] for line in ran.stdout.splitlines()]
        for name in list(ways) + ["big_endian", "big_plain"]:
            check(values(ran, name) == digests(array, requests), f"{libver} {block} {name}, shuffled")

# Compact and unwritten data, a fill value, an older table of splits.
path = os.path.join(scratch, "odd.hdf5")
with h5py.File(path, "w") as file:
    layout = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    layout.set_layout(h5py.h5d.COMPACT)
    compact = h5py.h5d.create(file.id, b"compact", h5py.h5t.STD_I16BE, h5py.h5s.create_simple((10, 3)), layout)
    compact.write(h5py.h5s.ALL, h5py.h5s.ALL, np.arange(30, dtype="i2").reshape(10, 3))
    file.create_dataset("unwritten", shape=(10, 2), dtype="f4")
    file.create_dataset("filled", shape=(10, 2), dtype="u2", fillvalue=513)
    holes = file.create_dataset("holes", shape=(10, 2), dtype="i8", chunks=(3, 2), fillvalue=-7)
    holes[4] = [1, 2]
    write_splits(file, 10, ["compact", "unwritten", "filled", "holes"], old=True)
ran = cat(path, "--batch-size", "10")
with h5py.File(path) as file:
    for name in ("compact", "unwritten", "filled", "holes"):
        stored = file[name][()]
        check(values(ran, name) == digests(stored.astype(stored.dtype.newbyteorder("<")), [slice(0, 10)]), name)

# What is refused, and how.
other = os.path.join(scratch, "other.hdf5")
with h5py.File(other, "w") as file:
    file["x"] = np.arange(10)
path = os.path.join(scratch, "refused.hdf5")
with h5py.File(path, "w") as file:
    file["good"] = np.arange(10)
    file["link"] = h5py.ExternalLink("other.hdf5", "/x")
    layout = h5py.VirtualLayout(shape=(10,), dtype="i8")
    layout[:] = h5py.VirtualSource(other, "x", shape=(10,))
    file.create_virtual_dataset("virtual", layout)
    outside = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    outside.set_external(b"raw.bin", 0, 80)
    h5py.h5d.create(file.id, b"external", h5py.h5t.STD_I64LE, h5py.h5s.create_simple((10,)), outside)
    file.create_dataset("pairs", data=np.zeros(10, dtype=[("a", "i4"), ("b", "f4")]))
    file.create_dataset("nbit", data=np.arange(10), chunks=(10,), scaleoffset=0)
    file["scalar"] = 3
    write_splits(file, 10, ["good", "link", "virtual", "external", "pairs", "nbit", "scalar", "absent"])
for name, words in (("link", "a link into another file"), ("virtual", "virtual dataset"),
                    ("external", "in other files"), ("pairs", "elements of type compound"),
                    ("nbit", "compressed by filter 6"), ("scalar", "is a scalar"), ("absent", "has no such dataset")):
    ran = cat(path, "--sources", name)
    check(ran.returncode == 1 and words in ran.stderr and path in ran.stderr, f"{name}: {ran.stderr}")
check(cat(path, "--sources", "good").returncode == 0, "the good source among them")
sys.exit(status())
