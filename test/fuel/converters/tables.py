"""The converter csv: against Python's csv module and NumPy; quoting, kinds of columns, missing values, and errors that name
file, line and column."""
import csv
import gzip
import io
import os
import time

import h5py
import numpy as np
from common import check, convert, folder, refused, run, same_file, write

inputs = folder("inputs")


def at(name):
    return os.path.join(inputs, name)


def lists(path):
    with h5py.File(path) as f:
        return {n: [t.decode() for t in f[n][()]] for n in f if n.endswith(("_names", "_classes"))}


# --- numbers and classes --------------------------------------------------------
random = np.random.RandomState(2)
numbers = random.normal(size=(1000, 4))
kinds = random.choice(["dog", "cat", "a \"quoted\" one", "two\nlines", "Grüße", "com,ma"], 1000)
for end, quoting in (("\n", csv.QUOTE_MINIMAL), ("\r\n", csv.QUOTE_ALL), ("\n", csv.QUOTE_NONNUMERIC)):
    text = io.StringIO()
    out = csv.writer(text, lineterminator=end, quoting=quoting)
    out.writerow(["a", "b b", "c", "d", "kind"])
    out.writerows([*map(repr, row), kind] for row, kind in zip(numbers, kinds))
    with gzip.open(at("kinds.csv.gz"), "wb") as f:
        f.write(text.getvalue().encode())
    path = convert("csv", inputs, "kinds.csv.gz", "--targets", "kind", "--split", "train=0.9,valid=0.1")
    names = sorted(set(kinds), key=lambda s: s.encode())
    targets = np.array([[names.index(k)] for k in kinds], "u1")
    same_file(path, {"features": (numbers.astype("f4"), ("batch", "feature")), "targets": (targets, ("batch", "index"))},
              {"train": {s: (0, 900) for s in ("features", "targets")}, "valid": {s: (900, 1000) for s in ("features", "targets")}})
    check(lists(path) == {"features_names": ["a", "b b", "c", "d"], "targets_classes": names}, f"names: {lists(path)}")
path = convert("csv", inputs, "kinds.csv.gz", "--targets", "kind", "--features", "1,3-4", "--ignore", "b b", "--dtype", "float64", "--shuffle-seed", "7")
order = np.arange(1000)
np.random.RandomState(7).shuffle(order)
same_file(path, {"features": (numbers[order][:, [0, 2, 3]], ("batch", "feature")), "targets": (targets[order], ("batch", "index"))},
          {"train": {s: (0, 1000) for s in ("features", "targets")}})

# --- each column, other sources, one-hot, text -------------------------------------
write(at("t.csv"), "\ufeffid,size,colour,grade,note\n1,2.5,red,10,first\n+2, 3e2 ,blue,9,\"sec\"\"ond\"\n\n3,-inf,red,10,\n")
path = convert("csv", inputs, "t.csv", "--each-column", "--ignore", "note", "--categorical", "grade")
same_file(path, {"id": (np.array([[1], [2], [3]], "i8"), ("batch", "index")), "size": (np.array([[2.5], [300], [-np.inf]], "f4"), ("batch", "feature")),
                 "colour": (np.array([[1], [0], [1]], "u1"), ("batch", "index")), "grade": (np.array([[1], [0], [1]], "u1"), ("batch", "index"))},
          {"train": {s: (0, 3) for s in ("id", "size", "colour", "grade")}})
check(lists(path)["grade_classes"] == ["9", "10"], "classes that are numbers are in their order")
path = convert("csv", inputs, "t.csv", "--features", "size,colour", "--one-hot", "colour", "--source", "key=id,grade", "--text", "note", "--fill", "none")
with h5py.File(path) as f:
    check(f["features"][()].tolist() == [[2.5, 0, 1], [300, 1, 0], [float("-inf"), 0, 1]], "one-hot")
    check(f["key"][()].tolist() == [[1, 10], [2, 9], [3, 10]] and f["key"].dtype == "f4", "another source")
    check(list(f["note"].asstr()[()]) == ["first", 'sec"ond', "none"], f"text: {f['note'][()]}")
check(lists(path)["features_names"] == ["size", "colour=blue", "colour=red"], "names of one-hot columns")

# --- splits of their own: classes are shared, and a test may lack its targets ----------
write(at("train.csv"), "x;y\n1;b\n2;a\n")
write(at("more.csv"), "x;y\n3;c\n")
write(at("test.csv"), "x\n4\n")
path = convert("csv", inputs, "--train", "train.csv", "--train", "more.csv", "valid=more.csv", "--test", "test.csv", "--separator", ";", "--targets", "y")
same_file(path, {"features": (np.array([[3], [1], [2], [3], [4]], "f4"), ("batch", "feature")), "targets": (np.array([[2], [1], [0], [2]], "u1"), ("batch", "index"))},
          {"valid": {"features": (0, 1), "targets": (0, 1)}, "train": {"features": (1, 4), "targets": (1, 4)}, "test": {"features": (4, 5)}})

# --- without a header, with tabs; a column that turns out to be words --------------------
write(at("plain.tsv"), "".join(f"{i}\t{i / 4}\n" for i in range(3000)) + "last\t0\n")
path = convert("csv", inputs, "plain.tsv", "--no-header", "--separator", "tab", "--targets", "1")
with h5py.File(path) as f:
    check(np.array_equal(f["features"][:-1, 0], np.arange(3000) / 4) and f["targets"].dtype == "u2", "no header")
    check(f["targets_classes"][f["targets"][3000, 0]] == b"last", "a late class")

# --- a first line of numbers is a row or names, and never lost in silence ----------------
write(at("numbers.csv"), "5.1,3.5,0\n4.9,3.0,1\n")
refused("numbers.csv:1:1: the names of the columns are numbers (5.1, 3.5, 0)", "csv", inputs, "numbers.csv")
refused("exclude each other", "csv", inputs, "numbers.csv", "--header", "--no-header", status=2)
for option, rows in (("--no-header", [[np.float32(5.1), 3.5, 0], [np.float32(4.9), 3, 1]]), ("--header", [[np.float32(4.9), 3, 1]])):
    with h5py.File(convert("csv", inputs, "numbers.csv", option)) as f:
        check(f["features"][()].tolist() == rows, option)
for first in ("0,1,2", "1,2,3"):
    write(at("counted.csv"), first + "\n7,8,9\n")
    with h5py.File(convert("csv", inputs, "counted.csv")) as f:
        check(f["features"][()].tolist() == [[7, 8, 9]], "counted columns")

# --- missing values ------------------------------------------------------------------------
write(at("gaps.csv"), "a,b\n1,2\n,3\n4,NA\n5,-\n")
path = convert("csv", inputs, "gaps.csv", "--missing", "-", "--fill", "-1")
with h5py.File(path) as f:
    check(f["features"][()].tolist() == [[1, 2], [-1, 3], [4, -1], [5, -1]], "filled")
path = convert("csv", inputs, "gaps.csv", "--missing", "-", "--drop-missing")
with h5py.File(path) as f:
    check(f["features"][()].tolist() == [[1, 2]], "dropped")
path = convert("csv", inputs, "gaps.csv", "--ignore", "b", "--drop-missing")
with h5py.File(path) as f:
    check(f["features"][()].tolist() == [[1], [4], [5]], "only the columns in use count")
refused("gaps.csv:3:1: column 'a' has no value", "csv", inputs, "gaps.csv")
refused("exclude each other", "csv", inputs, "gaps.csv", "--fill", "0", "--drop-missing", status=2)

# --- errors -----------------------------------------------------------------------------------
for text, words in (("a,b\n1,2\n3\n", "bad.csv:3:1: the row has 1 fields; expected 2"),
                    ("a,b\n1,2,3\n", "bad.csv:2:1: the row has 3 fields; expected 2"),
                    ("a,b\n1,x\n", "bad.csv:2:3: column 'b' holds 'x', but source 'features' has numbers"),
                    ('a,b\n1,"x\n\n', "bad.csv:2:3: the quote that opens here is never closed"),
                    ('a,b\n1,"x"y\n', "bad.csv:2:6: something follows a closing quote"),
                    ('a,b\n1,x"y"\n', "bad.csv:2:4: a quote stands within a field"),
                    ("a,b\r1,2\r", "bad.csv:1:4: a carriage return stands alone"),
                    ("a,a\n1,2\n", "bad.csv:1:3: the column 'a' is there twice"),
                    ("", "is empty"), ("a,b\n", "has no examples")):
    write(at("bad.csv"), text)
    refused(words, "csv", inputs, "bad.csv")
write(at("bad.csv"), "a,b\n1,99999999999999999999\n2,1e999\n")
refused("does not fit", "csv", inputs, "bad.csv", "--targets", "b", "--dtype", "targets=int32")
refused("names the column 'z'; there are: a, b (or 1 to 2)", "csv", inputs, "bad.csv", "--targets", "z", status=2)
refused("used already", "csv", inputs, "bad.csv", "--targets", "a", "--features", "a", status=2)
refused("expected one character", "csv", inputs, "bad.csv", "--separator", "::", status=2)
refused("has the columns", "csv", inputs, "train.csv", "more.csv", "test.csv", "--separator", ";")
refused("1 of the 2 columns of source 'features'", "csv", inputs, "--train", "train.csv", "--test", "test.csv", "--separator", ";", "--one-hot", "y")

# Another separator is not one column of classes.
write(at("semicolons.csv"), "a;b;c\n1;2;x\n3;4;y\n")
refused("separated by ';' (--separator ';')?", "csv", inputs, "semicolons.csv")
write(at("tabs.tsv"), "1\t2\n3\t4\n")
refused("separated by tabs (--separator tab)?", "csv", inputs, "tabs.tsv", "--no-header")

# A blank line is an empty field where there is one column; NUL is no text.
write(at("one.csv"), "x\n1\n\n3\n")
refused("one.csv:3:1: column 'x' has no value", "csv", inputs, "one.csv")
with h5py.File(convert("csv", inputs, "one.csv", "--fill", "7")) as f:
    check(f["features"][()].tolist() == [[1], [7], [3]], "blank lines of one column")
with h5py.File(convert("csv", inputs, "one.csv", "--drop-missing")) as f:
    check(f["features"][()].tolist() == [[1], [3]], "blank lines left out")
write(at("wide.csv"), "x,y\n1,2\n".encode("utf-16"))
refused("is it UTF-16?", "csv", inputs, "wide.csv")
write(at("nul.csv"), "x,y\n1,a\n2,b\0c\n")
refused("nul.csv:3:4: a NUL character", "csv", inputs, "nul.csv", "--text", "y")

# A table of splits that is larger than HDF5's old headers; a long header is read once.
wide = [f"column_{i:04}" for i in range(1000)]
for name in ("wide_a.csv", "wide_b.csv"):
    write(at(name), ",".join(wide) + "\n" + ",".join(str(i) for i in range(1000)) + "\n")
for options in ((), ("--shuffle-seed", 3)):
    path = convert("csv", inputs, "--train", "wide_a.csv", "--test", "wide_b.csv", "--each-column", *options)
    with h5py.File(path) as f:
        rows = {(r["split"].decode(), r["source"].decode()): (r["start"], r["stop"]) for r in f.attrs["split"]}
        check(len(rows) == 2000 and rows["train", wide[7]] == (0, 1) and rows["test", wide[7]] == (1, 2), "many sources in two splits")
write(at("long.csv"), ",".join(f"c{i}" for i in range(400000)) + ",c7\n")
started = time.monotonic()
refused("the column 'c7' is there twice", "csv", inputs, "long.csv")
check(time.monotonic() - started < 20, "a long header takes time in proportion")
for seed in ("-1", str((1 << 32) + 1)):
    refused("--shuffle-seed is " + seed, "csv", inputs, "one.csv", "--fill", 0, "--shuffle-seed", seed, status=2)
