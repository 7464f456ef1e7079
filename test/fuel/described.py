"""Data sets that need no Fuel file, wherever a file is named: text, NPY arrays, toy
sets; and files that are found in the data path, and splits in their own order."""
import json
import os
import subprocess
import sys

import h5py
import numpy as np

from toolkit import check, made, path, run, scratch, status, tools


def cat(*arguments, **options):
    ran = run("fuel-cat", *arguments, "--json", **options)
    check(ran.returncode == 0, f"{arguments}: {ran.stderr}")
    return [json.loads(line) for line in ran.stdout.splitlines()]


def refused(words, *arguments):
    ran = run("fuel-cat", *arguments)
    check(ran.returncode == 2 and words in ran.stderr, f"{arguments}: {ran.returncode} '{ran.stderr}' lacks '{words}'")


def total(data):
    """Long arrays are printed by their sum."""
    return data["sum"] if "sum" in data else np.sum(data["values"])


# Arrays of NumPy, shuffled as a file's rows would be.
random = np.random.RandomState(0)
x, y = random.standard_normal((50, 3)).astype("f4"), random.randint(0, 9, (50, 1)).astype("u1")
np.save(made("x.npy"), x)
np.save(made("y.npy"), y)
arrays = f"npy(features={made('x.npy')},targets={made('y.npy')})"
for line in cat(arrays, "--scheme", "shuffled", "--batch-size", 20):
    rows = line["request"]
    check(np.isclose(total(line["data"]["features"]), x[rows].sum(dtype="f8"), rtol=1e-5), "the sum of an array")
    check(line["data"]["targets"]["values"] == y[rows].ravel().tolist(), "values of an array")
check(list(cat(arrays, "--sources", "targets")[0]["data"]) == ["targets"], "chosen sources")

# Statistics of a training set, for `standardize`.
ran = run("fuel-cat", arrays, "--sources", "features", "--write-statistics", made("statistics.json"))
check(ran.returncode == 0 and not ran.stdout, f"statistics: {ran}")
line = cat(arrays, "--batch-size", 5, "--transform", f"standardize(source=features,statistics={made('statistics.json')})")[0]
expected = (x - x.mean(dtype="f8")) / x.std(dtype="f8")
check(np.allclose(line["data"]["features"]["values"], expected[:5].ravel(), rtol=1e-4), "standardized values")

# Toy sets have numbers of their own.
first = cat("spiral(classes=3,examples=60,seed=7)", "--batch-size", 60)[0]["data"]
check(first["features"]["shape"] == [60, 2] and sorted(set(first["label"]["values"])) == [0, 1, 2], f"a spiral: {first}")
check(cat("swiss_roll(examples=5)")[0]["data"]["features"]["shape"] == [5, 3], "a Swiss roll")

# Text: words as numbers, by the files' own vocabulary or by a given one.
with open(made("lines.txt"), "w") as file:
    file.write("b a\nA c a\n")
with open(made("words.txt"), "w") as file:
    file.write("<S>\n</S>\n<UNK>\na\n")
text = f"text(files={made('lines.txt')},lower=true"
lines = [line["data"]["features"]["values"] for line in cat(text + ")")]
check(lines == [[0, 4, 3, 1], [0, 3, 5, 3, 1]], f"a text: {lines}")
lines = [line["data"]["features"]["values"] for line in cat(f"{text},vocabulary={made('words.txt')},bos=none)")]
check(lines == [[2, 3, 1], [3, 2, 3, 1]], f"a text by a vocabulary: {lines}")
batch = cat(text + ")", "--transform", "batch(size=2)", "--transform", "padding(which=features)")[0]["data"]
check(batch["features"]["shape"] == [2, 5] and total(batch["features_mask"]) == 9, f"a padded text: {batch}")
cat(text + ")", "--batches", 1, "--save-state", made("state"))
rest = cat(text + ")", "--resume", made("state"))
check([line["data"]["features"]["values"] for line in rest] == [[0, 3, 5, 3, 1]], "a resumed text")

# In a configuration, mixed, and from a server.
with open(made("spiral.toml"), "w") as file:
    file.write('file = "spiral(classes=3,examples=60,seed=7)"\nbatch_size = 60\nscheme = "sequential"\n')
check(cat("--config", made("spiral.toml"))[0]["data"] == first, "a spiral of a configuration")
mixed = cat("spiral(examples=40)", "--mix", "spiral(examples=20)", "--scheme", "mixed(weights=1+1)", "--batch-size", 8)
check(all(0 <= row < 60 for line in mixed for row in line["request"]), "mixed spirals")
server = subprocess.Popen([tools + "/fuel-server", "--config", made("spiral.toml"), "--port", "0", "--quiet"],
                          stdout=subprocess.PIPE, text=True)
port = server.stdout.readline().strip().rsplit(":", 1)[1]
check(cat(f"tcp://127.0.0.1:{port}")[0]["data"] == first, "a served spiral")
server.terminate()
check(server.wait(20) == 0, "the server's status")

# Files in the data path, and the order of an index.
environment = {**os.environ, "FUEL_DATA_PATH": f"/nowhere:{path()}"}
here = cat("mnist_small.hdf5", "--batches", 1, env=environment, cwd=scratch)
check(here == cat(path("mnist_small.hdf5"), "--batches", 1), "a file in the data path")
ran = run("fuel-cat", "no-such.hdf5", env=environment, cwd=scratch)
check(ran.returncode == 1 and "/nowhere" in ran.stderr, f"a file that is nowhere: {ran.stderr}")
with h5py.File(path("index_split.hdf5"), "r") as file:
    entry = next(e for e in file.attrs["split"] if e["indices"])
    index, source, split = file[entry["indices"]][:].tolist(), entry["source"].decode(), entry["split"].decode()
    values = file[source][:]
for arguments, rows in (([], sorted(set(index))), (["--preserve-order"], index)):
    lines = cat(path("index_split.hdf5"), "--split", split, "--sources", source, "--batch-size", 1, *arguments)
    check(len(lines) == len(rows) and all(np.isclose(total(line["data"][source]), values[row].sum())
                                          for line, row in zip(lines, rows)), f"the order of an index, {arguments}")

# Help and errors.
for name in ("text", "npy", "spiral", "swiss_roll"):
    check(name in run("fuel-cat", "--help-data").stdout, f"{name} in the help")
refused("npy(…), spiral(…)", "spirals(classes=3)")
refused("no option 'clases'", "spiral(clases=3)")
refused("no text file was named", "text(level=word)")
refused("expected word or character", f"{text},level=byte)")
refused("cannot be mixed", "spiral(examples=9)", "--mix", f"text(files={made('lines.txt')})", "--scheme", "mixed(weights=1+1)")
sys.exit(status())
