"""The mnist converter: its output equals what genuine fuel-convert wrote from
the same files, in contents, layout and attributes; wrong inputs are told."""
import gzip
import os
import shutil
import sys

import h5py
import numpy as np

from toolkit import check, data, run, scratch, status


def convert(*arguments):
    return run("fuel-convert", *arguments)


def compare(ours, reference):
    """Two HDF5 files, but for the command that wrote them."""
    with h5py.File(ours) as a, h5py.File(reference) as b:
        check(sorted(a) == sorted(b), "names of the sources")
        for name in b:
            check(a[name].dtype == b[name].dtype, name + ": type")
            check(np.array_equal(a[name][()], b[name][()]), name + ": values")
            check(a[name].id.get_create_plist().get_layout() ==
                  b[name].id.get_create_plist().get_layout(), name + ": layout")
            check([d.label for d in a[name].dims] ==
                  [d.label for d in b[name].dims], name + ": labels")
            check(list(a[name].attrs) == list(b[name].attrs), name + ": attributes")
        check(sorted(a.attrs) == sorted(b.attrs), "attributes")
        check(a.attrs["split"].dtype == b.attrs["split"].dtype, "split: type")
        rows = [sorted(tuple(map(str, row)) for row in f.attrs["split"])
                for f in (a, b)]
        strip = lambda rows: [row[:4] + row[5:] for row in rows]  # Not the reference's text.
        check(strip(rows[0]) == strip(rows[1]), "split: rows")
        check(all(not row["indices"] for row in a.attrs["split"]), "split: null references")
        sa = h5py.h5a.open(a.id, b"split").get_type()
        sb = h5py.h5a.open(b.id, b"split").get_type()
        check(sa == sb, "split: stored type")
        for name in ("h5py_interface_version", "fuel_convert_version"):
            check(a.attrs[name] == b.attrs[name], name)
            check(h5py.h5a.open(a.id, name.encode()).get_type() ==
                  h5py.h5a.open(b.id, name.encode()).get_type(), name + ": type")


idx = os.path.join(data, "idx")
for dtype, reference in (([], "mnist_small"), (["--dtype", "float32"], "mnist_small_float32")):
    ran = convert("mnist", "-d", idx, "-o", scratch, "-r", reference, *dtype)
    check(ran.returncode == 0, ran.stderr)
    compare(os.path.join(scratch, reference + ".hdf5"), os.path.join(data, reference + ".hdf5"))

with h5py.File(os.path.join(data, "mnist_small.hdf5")) as f:
    pixels = f["features"][()]
for dtype, expected in (("float64", pixels / 255.0), ("bool", pixels >= 128)):
    ran = convert("mnist", "-d", idx, "-o", scratch, "-r", dtype + ".h5", "--dtype", dtype)
    check(ran.stdout.strip() == os.path.join(scratch, dtype + ".h5"), "the name printed")
    with h5py.File(os.path.join(scratch, dtype + ".h5")) as f:
        check(f["features"].dtype == expected.dtype, dtype + ": type")
        check(np.array_equal(f["features"][()], expected), dtype + ": values")
        check(f.attrs["fuel_convert_command"] ==
              f"fuel-convert mnist -d {idx} -o {scratch} -r {dtype}.h5 --dtype {dtype}", "command")

# Wrong inputs: status, words, and nothing left behind.
names = ["train-images-idx3-ubyte", "train-labels-idx1-ubyte",
         "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"]


def refused(status, words, change, *arguments):
    broken = os.path.join(scratch, "broken")
    shutil.rmtree(broken, ignore_errors=True)
    os.makedirs(os.path.join(broken, "out"))
    for name in names:
        with gzip.open(os.path.join(idx, name + ".gz")) as f, open(os.path.join(broken, name), "wb") as out:
            out.write(f.read())  # Plain files are read as well.
    change(broken)
    ran = convert("mnist", "-d", broken, "-o", os.path.join(broken, "out"), *arguments)
    check(ran.returncode == status, f"{words}: status {ran.returncode}, {ran.stderr}")
    check(words in ran.stderr, f"'{words}' is missing in '{ran.stderr}'")
    check(os.listdir(os.path.join(broken, "out")) == [], words + ": something was left")


def rewrite(name, change):
    def run(folder):
        path = os.path.join(folder, name)
        with open(path, "rb") as f:
            content = f.read()
        with open(path, "wb") as f:
            f.write(change(content))
    return run


def cut_gzip(folder):
    name = names[0]
    os.remove(os.path.join(folder, name))
    with open(os.path.join(idx, name + ".gz"), "rb") as f, open(os.path.join(folder, name + ".gz"), "wb") as out:
        out.write(f.read()[:-3000])


refused(1, "lacks train-images-idx3-ubyte.gz", lambda d: os.remove(os.path.join(d, names[0])))
refused(1, "expected 2051", rewrite(names[0], lambda b: b"\0\0\x08\x01" + b[4:]))
refused(1, "(none); expected 2049", rewrite(names[1], lambda b: b""))
refused(1, "it is truncated", rewrite(names[0], lambda b: b[:-1]))
refused(1, "ends within its header", rewrite(names[0], lambda b: b[:10]))
refused(1, "goes on after the", rewrite(names[3], lambda b: b + b"x"))
refused(1, "impossible shape", rewrite(names[0], lambda b: b[:4] + b"\xff" * 12))
refused(1, "do they belong together", rewrite(names[1], lambda b: b[:7] + bytes([b[7] - 1]) + b[8:-1]))
refused(1, "train-images-idx3-ubyte.gz", cut_gzip)
refused(2, "float32, float64 or bool", lambda d: None, "--dtype", "int7")
ran = convert("mnist", "-d", idx, "-o", os.path.join(scratch, "absent"))
check(ran.returncode == 1 and "does not exist" in ran.stderr, "absent output folder")
ran = convert("svhn")
check(ran.returncode == 2 and "is missing" in ran.stderr and "expected 1 or 2" in ran.stderr, "a missing choice: " + ran.stderr)
ran = convert("minst")
check(ran.returncode == 2 and "no converter 'minst'; there are adult, " in ran.stderr, "a name that is no converter's")
sys.exit(status())
