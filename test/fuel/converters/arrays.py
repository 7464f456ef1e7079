"""The converters idx, npy and npz: every element type, byte order and rank against NumPy's own reading; splits, shuffling,
compression, casts, and what is refused."""
import gzip
import os
import struct
import zipfile

import h5py
import numpy as np
from common import check, convert, folder, refused, run, same_file, write

random = np.random.RandomState(1)
inputs = folder("inputs")


def at(name):
    return os.path.join(inputs, name)


def some(dtype, *shape):
    values = random.randint(0, 100, shape)
    return (values % 2 == 0) if dtype == "bool" else values.astype(dtype) if np.dtype(dtype).kind != "f" else (values / 8).astype(dtype)


def native(array):
    return array.astype(array.dtype.newbyteorder("="))


# --- npy: each type, in either order of bytes and of axes ----------------------
types = ["bool", "i1", "<i2", ">i2", "<i4", ">i4", "<i8", ">i8", "u1", "<u2", ">u2", "<u4", ">u4", "<u8", ">u8",
         "<f2", ">f2", "<f4", ">f4", "<f8", ">f8"]
arguments, sources = [], {}
for i, dtype in enumerate(types):
    array = some(dtype, *((17,), (17, 3), (17, 2, 3, 2))[i % 3])
    if i % 2:
        array = np.asfortranarray(array)
    name = f"s{i:02}"
    with open(at(name + ".npy"), "wb") as f:
        np.lib.format.write_array(f, array, version=((1, 0), (2, 0), (3, 0))[i % 3])
    arguments.append(name + ".npy")
    sources[name] = native(array), ("batch",) + ("",) * (array.ndim - 1)
for name, array in (("bytes", np.array([b"a", b"", b"abc\0d"] * 5 + [b"x", b"y"])), ("words", np.array(["Grüße", "", "日本"] * 5 + ["x", "y"])),
                    ("table", np.array([["a", "b"]] * 17, ">U2"))):
    np.save(at(name + ".npy"), array)
    arguments.append("renamed_" + name + "=" + name + ".npy")
    sources["renamed_" + name] = np.char.encode(array, "utf-8") if array.dtype.kind == "U" else array, ("batch",) + ("",) * (array.ndim - 1)
everything = {name: (0, 17) for name in sources}
same_file(convert("npy", inputs, *arguments), sources, {"train": everything})

# --- npz: stored and compressed, all of it or one array ------------------------
parts = {"x_train": some(">f4", 30, 4), "y_train": some("u1", 30), "x_test": np.asfortranarray(some(">f4", 8, 4)), "y_test": some("u1", 8)}
for save in (np.savez, np.savez_compressed):
    save(at("both.npz"), **parts)
    path = convert("npz", inputs, *[f"{s}:{n}=both.npz:{v}_{s}" for s in ("train", "test") for n, v in (("features", "x"), ("targets", "y"))])
    same_file(path, {"features": (native(np.concatenate([parts["x_train"], parts["x_test"]])), ("batch", "")),
                     "targets": (np.concatenate([parts["y_train"], parts["y_test"]]), ("batch",))},
              {"train": {"features": (0, 30), "targets": (0, 30)}, "test": {"features": (30, 38), "targets": (30, 38)}})
    save(at("train.npz"), x=parts["x_train"], y=parts["y_train"])
    save(at("test.npz"), x=parts["x_test"])  # No targets.
    path = convert("npz", inputs, "--test", "test.npz", "--train", "train.npz")
    same_file(path, {"x": (native(np.concatenate([parts["x_train"], parts["x_test"]])), ("batch", "")), "y": (parts["y_train"], ("batch",))},
              {"train": {"x": (0, 30), "y": (0, 30)}, "test": {"x": (30, 38)}})

# --- idx: the six types, ranks 1 to 4, plain and gzipped -------------------------
codes = {"u1": 8, "i1": 9, "i2": 0x0b, "i4": 0x0c, "f4": 0x0d, "f8": 0x0e}


def idx(name, array):
    content = struct.pack(">HBB", 0, codes[array.dtype.str[1:]], array.ndim) + struct.pack(f">{array.ndim}I", *array.shape)
    content += array.astype(array.dtype.newbyteorder(">")).tobytes()
    with (gzip.open if name.endswith(".gz") else open)(at(name), "wb") as f:
        f.write(content)
    return content


arguments, sources = [], {}
for i, dtype in enumerate(codes):
    array = some(dtype, *((20,), (20, 5), (20, 2, 3), (20, 1, 2, 3))[i % 4])
    idx(f"a{i}" + (".gz" if i % 2 else ".idx"), array)
    arguments += [f"a{i}" + (".gz" if i % 2 else ".idx"), f"test:a{i}=" + f"a{i}" + (".gz" if i % 2 else ".idx")]
    sources[f"a{i}"] = np.concatenate([array, array]), ("batch",) + ("",) * (array.ndim - 1)
same_file(convert("idx", inputs, *arguments), sources,
          {"train": {name: (0, 20) for name in sources}, "test": {name: (20, 40) for name in sources}})

# --- labels, a channel, casts, division, compression ------------------------------
images, labels = some("u1", 100, 6, 5), some("u1", 100)
whole = idx("images.gz", images)
idx("labels.gz", labels)
options = ["features=images.gz", "targets=labels.gz", "--axes", "features=batch,channel,height,width", "--axes", "targets=batch",
           "--dtype", "features=float32", "--dtype", "targets=int64", "--split", "train=0.7,valid=0.2,test=0.1"]
splits = {n: {s: r for s in ("features", "targets")} for n, r in (("train", (0, 70)), ("valid", (70, 90)), ("test", (90, 100)))}
labelled = ("batch", "channel", "height", "width")
for gzipped in ([], ["--compression", "gzip"], ["--compression", "gzip:9"]):
    path = convert("idx", inputs, *options, *gzipped)
    same_file(path, {"features": (images.astype("f4")[:, None], labelled), "targets": (labels.astype("i8"), ("batch",))}, splits)
    with h5py.File(path) as f:
        check(f["features"].compression == ("gzip" if gzipped else None), "compression")
        check(f["features"].shuffle == bool(gzipped), "shuffle filter")
        check(not gzipped or f["features"].compression_opts == int((gzipped[1] + ":4").split(":")[1]), "level")

# The order is NumPy's of this seed, as for Fuel's own converters that shuffle.
order = np.arange(100)
np.random.RandomState(5).shuffle(order)
path = convert("idx", inputs, *options, "--shuffle-seed", "5")
same_file(path, {"features": (images.astype("f4")[order][:, None], labelled), "targets": (labels.astype("i8")[order], ("batch",))}, splits)
with open(path, "rb") as f:
    first = f.read()
with open(convert("idx", inputs, *options, "--shuffle-seed", "5"), "rb") as f:
    check(first == f.read(), "equal commands make equal files")

# Rows in several files follow each other; counts and a rest.
path = convert("idx", inputs, "y=labels.gz", "y=labels.gz", "--split", "a=150,b=rest")
same_file(path, {"y": (np.concatenate([labels, labels]), ("batch",))}, {"a": {"y": (0, 150)}, "b": {"y": (150, 200)}})

# A file larger than a piece, compressed, in Fortran order.
big = np.asfortranarray(random.randint(0, 1000, (9000, 300)).astype("i4"))
np.savez_compressed(at("big.npz"), big=big)
path = convert("npz", inputs, "big.npz", "--compression", "gzip:1")
with h5py.File(path) as f:
    check(np.array_equal(f["big"][()], big), "several pieces")
check("is sound" in run("fuel-info", "--check", path).stdout, "read by the loader")

# --- refusals ------------------------------------------------------------------------
refused("there is no", "idx", inputs, "absent.gz", "x=gone.idx")
refused("gone.idx", "idx", inputs, "absent.gz", "x=gone.idx")
refused("no file was named", "idx", inputs, status=2)
refused("source 'targets' has 20", "idx", inputs, "features=images.gz", "targets=a0.idx")
refused("before; expected one element type", "idx", inputs, "x=images.gz", "test:x=labels.gz")
refused("more than 1", "idx", inputs, "labels.gz", "--split", "a=0.7,b=0.7", status=2)
refused("takes the 'rest'", "idx", inputs, "labels.gz", "--split", "a=0.7,b=0.2", status=2)
refused("would get 101", "idx", inputs, "labels.gz", "--split", "a=101,b=rest", status=2)
refused("belong to no split", "idx", inputs, "labels.gz", "--split", "a=10,b=20", status=2)
refused("'a' twice", "idx", inputs, "labels.gz", "--split", "a=0.5,a=0.5", status=2)
refused("has files of its own", "idx", inputs, "x=labels.gz", "--valid", "x=labels.gz", "--split", "train=0.5,valid=0.5", status=2)
refused("nothing to divide", "idx", inputs, "--train", "x=labels.gz", "--split", "train=0.5,valid=0.5", status=2)
refused("names another split", "idx", inputs, "--train", "valid:x=labels.gz", status=2)
refused("float64", "idx", inputs, "x=labels.gz", "--dtype", "complex", status=2)
refused("'y', which there is not", "idx", inputs, "x=labels.gz", "--dtype", "y=int8", status=2)
refused("'y', which there is not", "idx", inputs, "x=labels.gz", "--axes", "y=batch", status=2)
refused("5 labels", "idx", inputs, "x=images.gz", "--axes", "x=a,b,c,d,e", status=2)
refused("gzip:9", "idx", inputs, "x=labels.gz", "--compression", "zip", status=2)
np.save(at("negative.npy"), np.array([[1, 2], [3, -4]]))
refused("row 1: -4 does not fit the element type ui8", "npy", inputs, "negative.npy", "--dtype", "uint8")
np.save(at("fraction.npy"), np.array([1.0, 2.5]))
refused("2.5 does not fit", "npy", inputs, "fraction.npy", "--dtype", "int32")
np.save(at("large.npy"), np.array([1e300]))
refused("does not fit the element type f32", "npy", inputs, "large.npy", "--dtype", "float32")
refused("it has: x, y", "npz", inputs, "train.npz:z")
refused("name one", "npz", inputs, "x=train.npz", status=2)
np.save(at("scalar.npy"), np.array(3))
refused("single value", "npy", inputs, "scalar.npy")
np.save(at("empty.npy"), np.zeros((0, 3)))
refused("has no examples", "npy", inputs, "empty.npy")
np.save(at("flat.npy"), np.zeros((3, 0)))
refused("at least one element", "npy", inputs, "flat.npy")
for name, array in (("complex", np.zeros(2, "c8")), ("date", np.zeros(2, "M8[s]")), ("record", np.zeros(2, [("a", "i4")]))):
    np.save(at(name + ".npy"), array)
    refused(name + ".npy", "npy", inputs, name + ".npy")
np.save(at("object.npy"), np.array([{}, 1]), allow_pickle=True)
refused("object.npy", "npy", inputs, "object.npy")
with zipfile.ZipFile(at("none.npz"), "w") as archive:
    archive.writestr("readme.txt", "nothing")
refused("holds no array", "npz", inputs, "none.npz")
write(at("short.idx"), whole[:-3])
refused("truncated", "idx", inputs, "short.idx")
write(at("long.idx"), whole + b"x")
refused("goes on after", "idx", inputs, "long.idx")
write(at("magic.idx"), b"\0\0\x0a" + whole[3:])
refused("not that of an IDX file", "idx", inputs, "magic.idx")
write(at("huge.idx"), whole[:4] + b"\xff" * 12 + whole[16:])
refused("impossible shape", "idx", inputs, "huge.idx")
with open(at("images.gz"), "rb") as f:
    content = f.read()
write(at("cut.gz"), content[:-20])
refused("cut.gz", "idx", inputs, "cut.gz")

# Whole numbers that a type of reals would change; those that it holds stay; reals are rounded.
for dtype, number in (("float32", 16777217), ("float64", (1 << 53) + 1), ("float16", 2049)):
    np.save(at("whole.npy"), np.array([0, number], "i8"))
    refused(f"row 1: {number} does not fit the element type", "npy", inputs, "whole.npy", "--dtype", dtype)
    np.save(at("whole.npy"), np.array([0, number - 1], "i8"))
    with h5py.File(convert("npy", inputs, "whole.npy", "--dtype", dtype)) as f:
        check(f["whole"][()].tolist() == [0, number - 1] and f["whole"].dtype == dtype, "whole numbers as reals")
np.save(at("reals.npy"), np.array([0.1]))
with h5py.File(convert("npy", inputs, "reals.npy", "--dtype", "float32")) as f:
    check(f["reals"][()].tolist() == [np.float32(0.1)], "rounded")
