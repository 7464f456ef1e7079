"""fuel-convert append-split: new splits over rows that are there, and new rows of another file; what stays, what is refused,
and that a kill at any moment leaves the old file or the new one."""
import os
import random
import shutil
import signal
import subprocess
import time

import h5py
import numpy as np
from common import check, folder, run, tools, write

reference = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "data", "fuel")
work = folder("work")


def at(name):
    return os.path.join(work, name)


def fresh(name, copy="file.hdf5"):
    shutil.copy(os.path.join(reference, name), at(copy))
    return at(copy)


def append(*arguments, status=0, words=""):
    before = sorted(os.listdir(work))
    ran = run("fuel-convert", "append-split", "-d", work, *arguments)
    check(ran.returncode == status and words in ran.stderr, f"{arguments}: {ran.returncode}, {ran.stderr}")
    check(sorted(os.listdir(work)) == before, f"{arguments} left {os.listdir(work)}")


def table(path):
    with h5py.File(path) as f:
        return {(r["split"].decode(), r["source"].decode()): (
            f[r["indices"]][()].tolist() if r["indices"] else (r["start"], r["stop"])) if r["available"] else None for r in f.attrs["split"]}


def sound(path):
    info = run("fuel-info", "--check", path)
    check(info.returncode == 0, f"{path}: {info.stdout} {info.stderr}")


def everything(path, leave=()):
    """All objects and attributes, but for the split table and the origin."""
    found = {}
    with h5py.File(path) as f:
        def visit(name, item):
            if name.split("/")[-1] in leave:
                return
            values = [np.asarray(v).tolist() for v in item[()]] if isinstance(item, h5py.Dataset) else None
            found[name] = str(values), sorted(k for k in item.attrs if k != "REFERENCE_LIST")
        f.visititems(visit)
        found["/"] = sorted((k, str(v)) for k, v in f.attrs.items() if k not in ("split", "fuel_convert_command"))
    return found


# --- rows that are there ---------------------------------------------------------
path = fresh("mnist_small.hdf5")
before, old = everything(path), table(path)
with h5py.File(path) as f:
    command = f.attrs["fuel_convert_command"]
append("file.hdf5", "head", "--rows", "0:20")
append("file.hdf5", "tail", "--of", "test", "--rows", "40:")
append("file.hdf5", "all", "--rows", ":")
write(at("rows.txt"), "249\n3\n3\n120\n")
append("file.hdf5", "some", "--indices", "rows.txt", "--comment", "chosen by hand")
np.save(at("rows.npy"), np.array([0, 49, 1], ">i2"))
append("file.hdf5", "labels", "--of", "test", "--indices", "rows.npy", "--sources", "targets")
append("file.hdf5", "again", "--of", "some")
features = {"head": (0, 20), "tail": (240, 250), "all": (0, 250), "some": [249, 3, 3, 120], "labels": None, "again": [3, 120, 249]}
expected = dict(old)
for split, rows in features.items():
    expected[split, "features"] = rows
    expected[split, "targets"] = rows or [200, 249, 201]
check(table(path) == expected, f"the table: {table(path)}")
check(everything(path, [n + "_indices" for n in features]) == before, "everything else stays")
sound(path)
with h5py.File(path) as f:
    check(f.attrs["fuel_convert_command"] == "; ".join([command] + [
        f"fuel-convert append-split -d {work} file.hdf5 " + rest for rest in (
            "head --rows 0:20", "tail --of test --rows 40:", "all --rows :", "some --indices rows.txt --comment chosen by hand",
            "labels --of test --indices rows.npy --sources targets", "again --of some")]), "the origin grows")
    check([r["comment"] for r in f.attrs["split"] if r["split"] == b"some"] == [b"chosen by hand"] * 2, "comment")
ran = run("fuel-cat", path, "--split", "some", "--json", "--batch-size", 10)
check('"request"' in ran.stdout and ran.returncode == 0, "read by the loader: " + ran.stderr)

for name in ("index_split.hdf5", "vlen_sequences.hdf5", "dtypes.hdf5", "text_corpus.hdf5", "storage/latest.hdf5"):
    path = fresh(name)
    before, old = everything(path), table(path)
    append("file.hdf5", "new", "--of", list(old)[0][0])
    check(everything(path, ["new_indices"]).keys() >= before.keys() and sound(path) is None, name)
    check({k: v for k, v in table(path).items() if k[0] != "new"} == old, name + ": other splits")

# A table that old headers cannot hold: the file is written anew.
path = fresh("cases/c06_many_splits.hdf5")
old = table(path)
append("file.hdf5", "fold_0600", "--of", "fold_0599")
check(len(table(path)) == len(old) + len({s for _, s in old}), "a large table")
path = at("file.hdf5")
os.remove(path)
with h5py.File(path, "w") as f:
    f["x"] = np.arange(50.0)
    rows = np.zeros(1300, [("split", "S8"), ("source", "S1"), ("start", "i8"), ("stop", "i8"), ("indices", h5py.ref_dtype), ("available", "?"), ("comment", "S1")])
    for i in range(1300):
        rows[i] = (f"s{i}".encode(), b"x", i % 50, 50, h5py.Reference(), True, b".")
    f.attrs["split"] = rows
for i in (0, 399):
    append("file.hdf5", f"new{i}" + "x" * 30, "--rows", "1:2")
check(table(path)["s7", "x"] == (7, 50) and table(path)["new399" + "x" * 30, "x"] == (1, 2), "over 64 KiB")
sound(path)

# --- new rows -----------------------------------------------------------------------
path, other = fresh("mnist_small.hdf5"), fresh("mnist_small.hdf5", "other.hdf5")
with h5py.File(path, "a") as f:
    f["notes/deep"] = [1, 2]
    f["targets_classes"] = [b"a", b"b"]
    f.attrs["licence"] = "free"
old = table(path)
append("file.hdf5", "more", "--data", "other.hdf5", "--data-split", "test")
with h5py.File(path) as f, h5py.File(other) as g:
    check(np.array_equal(f["features"][250:], g["features"][200:]) and np.array_equal(f["features"][:250], g["features"][()]), "rows")
    check(np.array_equal(f["targets"][250:], g["targets"][200:]) and f["features"].dtype == g["features"].dtype, "rows of targets")
    check([d.label for d in f["features"].dims] == [d.label for d in g["features"].dims], "labels")
    check(f["notes/deep"][()].tolist() == [1, 2] and f.attrs["licence"] == "free" and list(f["targets_classes"][()]) == [b"a", b"b"], "other objects")
    check([r["comment"].decode() for r in f.attrs["split"] if r["split"] == b"more"] == ["split 'test' of other.hdf5"] * 2, "where from")
expected = {**old, ("more", "features"): (250, 300), ("more", "targets"): (250, 300)}
check(table(path) == expected, "all splits")
sound(path)
append("file.hdf5", "labels", "--data", "other.hdf5", "--data-split", "train", "--sources", "targets")
check(table(path)["labels", "targets"] == (300, 500) and table(path)["labels", "features"] is None, "some sources")
sound(path)

for name, split in (("vlen_images.hdf5", None), ("vlen_sequences.hdf5", "train"), ("nmt_pairs.hdf5", "train"), ("dtypes.hdf5", "train"),
                    ("index_split.hdf5", None), ("storage/latest.hdf5", None), ("storage/earliest.hdf5", None), ("vlen_no_labels.hdf5", None)):
    path, other = fresh(name), fresh(name, "other.hdf5")
    old = table(path)
    split = split or list(old)[0][0]
    append("file.hdf5", "new", "--data", "other.hdf5", "--data-split", split, *(
        [] if all(old[k] is not None for k in old if k[0] == split) else ["--sources", ",".join(k[1] for k in old if k[0] == split and old[k])]))
    sound(path)
    with h5py.File(path) as f, h5py.File(other) as g:
        for source in {k[1] for k in old}:
            count = len(g[source])
            check(all(np.array_equal(a, b, equal_nan=np.asarray(a).dtype.kind == "f") for a, b in zip(f[source][:count], g[source][()])), f"{name} {source}: old rows")
            check(f[source].compression == (g[source].compression if g[source].compression == "gzip" else None), f"{name} {source}: gzip stays")
    now = table(path)
    check({k: v for k, v in now.items() if k[0] != "new"} == old, f"{name}: {now} instead of {old}")
    cats = [run("fuel-cat", at(f), "--json", "--split", s, "--batch-size", 1) for f, s in (("other.hdf5", split), ("file.hdf5", "new"))]
    data = [[line.split('"data"')[1].split('"request"')[0] for line in c.stdout.splitlines()] for c in cats]
    check(cats[1].returncode == 0 and data[0] == data[1] and data[0], f"{name}: the new split holds the other's rows: {cats[1].stderr}")

ran = run("fuel-convert", "--append-split", path, "last", "--rows", "0:1")
check(ran.returncode == 0, "the other name of the command: " + ran.stderr)

# --- refusals ------------------------------------------------------------------------
path, other = fresh("mnist_small.hdf5"), fresh("mnist_small_float32.hdf5", "other.hdf5")
with open(path, "rb") as f:
    content = f.read()
append("file.hdf5", "train", "--rows", "0:1", status=1, words="has a split 'train' already; it has: 'train', 'test'")
append("file.hdf5", "x", "--rows", "0:251", status=1, words="251")
append("file.hdf5", "x", "--rows", "9:8", status=1, words="split 'x'")
append("file.hdf5", "x", "--rows", "nine", status=2, words="START:STOP")
append("file.hdf5", "x", "--of", "valid", "--rows", "0:1", status=1, words="no split 'valid'; it has: 'train', 'test'")
append("file.hdf5", "x", "--rows", "0:1", "--sources", "labels", status=1, words="no source 'labels'")
append("file.hdf5", "x", status=2, words="needs either rows of this file or another file")
append("file.hdf5", "x", "--rows", "0:1", "--data", "other.hdf5", "--data-split", "test", status=2, words="needs either rows")
append("file.hdf5", "x", "--rows", "0:1", "--indices", "rows.txt", status=2, words="exclude each other")
append("file.hdf5", "x", "--data", "other.hdf5", status=2, words="--data-split; it has: train, test")
append("file.hdf5", "x", "--data", "other.hdf5", "--data-split", "test", status=1, words="source 'features' is f32 of ?x1x28x28")
append("file.hdf5", "x", "--data", "other.hdf5", "--data-split", "none", status=1, words="no split 'none'")
write(at("bad.txt"), "3\n-1\n")
append("file.hdf5", "x", "--indices", "bad.txt", status=1, words="bad.txt', line 2: '-1' is no row number")
write(at("far.txt"), "250\n")
append("file.hdf5", "x", "--indices", "far.txt", status=1, words="250")
append("absent.hdf5", "x", "--rows", "0:1", status=1, words="absent.hdf5")
fresh("vlen_images.hdf5", "images.hdf5")
append("file.hdf5", "x", "--data", "images.hdf5", "--data-split", "third", status=1, words="has no source")
for name, texts in (("file.hdf5", [b"a", b"b"]), ("other.hdf5", [b"a", b"c"])):
    with h5py.File(fresh("mnist_small.hdf5", name), "a") as f:
        f["targets_classes"] = texts
append("file.hdf5", "x", "--data", "other.hdf5", "--data-split", "test", status=1, words="the list 'targets_classes'")
shutil.copy(os.path.join(reference, "mnist_small.hdf5"), path)
for cut in (100, 3000, len(content) - 1):
    write(at("cut.hdf5"), content[:cut])
    append("cut.hdf5", "x", "--rows", "0:1", status=1, words="cut.hdf5")
check(open(path, "rb").read() == content, "refusals change nothing")

# --- killed at any moment -------------------------------------------------------------
path, other = fresh("mnist_small.hdf5"), fresh("mnist_small.hdf5", "other.hdf5")
rng, complete = random.Random(1), 0
for number in range(24):
    arguments = ["--rows", "0:9"] if number % 2 else ["--data", other, "--data-split", "train"]
    process = subprocess.Popen([os.path.join(tools, "fuel-convert"), "append-split", path, f"new{number}", *arguments],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(rng.random() * 0.06)
    process.send_signal(signal.SIGKILL)
    process.wait()
    names = {k[0] for k in table(path)}
    complete += f"new{number}" in names
    with h5py.File(path) as f:
        f["features"][()], f["targets"][()]
sound(path)
check(len({k[0] for k in table(path)}) == complete + 2, "old or new")
append("file.hdf5", "last", "--rows", "0:9") if not [n for n in os.listdir(work) if ".tmp-" in n] else run("fuel-convert", "append-split", path, "last", "--rows", "0:9")
check(not [n for n in os.listdir(work) if ".tmp-" in n], "what killed runs left is removed")
