"""Data sets by name: the data path, default transformers and default splits,
and what is said where nothing is found."""
import json
import os
import shutil
import subprocess
import sys

import h5py
import numpy as np

import toolkit
from toolkit import check, data, scratch, tools


def run(*words, directory=None, **variables):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("FUEL_")}
    environment.update(HOME=scratch, **variables)
    return subprocess.run([os.path.join(tools, words[0]), *words[1:]], capture_output=True, text=True, cwd=directory,
                          env=environment)


def batch(*words, **variables):
    ran = run("fuel-cat", *words, "--json", "--batches", "1", "--batch-size", "4", **variables)
    check(ran.returncode == 0, f"{words}: {ran.stderr}")
    return json.loads(ran.stdout)["data"] if ran.returncode == 0 else {}


def refused(status, parts, *words, **variables):
    ran = run(*words, **variables)
    check(ran.returncode == status, f"{words}: status {ran.returncode}")
    for part in parts:
        check(part in ran.stderr, f"{words}: '{part}' is missing in '{ran.stderr}'")


one, two = os.path.join(scratch, "one"), os.path.join(scratch, "two")
for folder in (one, two):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(os.path.join(folder, "fashion_mnist"))  # A folder of that name is no file.
mnist = os.path.join(data, "mnist_small.hdf5")
shutil.copy(mnist, os.path.join(two, "mnist.hdf5"))
path = one + ":" + two

# A name, a class of Fuel's, a file in the data path, a file of that name here.
raw = batch(mnist)
for name in ("mnist", "MNIST", "mnist.hdf5"):
    check(batch(name, FUEL_DATA_PATH=path) == raw, name)
ran = run("fuel-info", "mnist", FUEL_DATA_PATH=path)
check("features: ui8, 250x1x28x28" in ran.stdout, ran.stderr)
ran = run("fuel-info", "mnist", directory=two)  # Without a data path, here.
check("features: ui8" in ran.stdout, ran.stderr)
shutil.copy(os.path.join(data, "dtypes.hdf5"), os.path.join(one, "mnist"))
ran = run("fuel-info", "mnist", directory=one, FUEL_DATA_PATH=path)
check("features" not in ran.stdout and ran.returncode == 0, "a file's path wins")
os.remove(os.path.join(one, "mnist"))

# Default transformers: only on request, in the configured type, before others.
check(raw["features"]["dtype"] == "|u1", "raw by default")
for floatx, dtype in (("", "<f4"), ("float64", "<f8")):
    made = batch("mnist", "--default-transformers", FUEL_DATA_PATH=path, FUEL_FLOATX=floatx)
    check(made["features"]["dtype"] == dtype and made["targets"]["dtype"] == "|u1", f"floatX {floatx}")
    by_hand = batch(mnist, "--transform", "scale_and_shift(scale=1/255,which=features)", "--transform",
                    f"cast(dtype={floatx or 'float32'},which=features)")
    check(made == by_hand, f"default transformers, {floatx}")
forced = ("--transform", "cast(dtype=f16,which=features)", "--transform", "force_floatX")
for floatx, dtype in (("", "<f4"), ("float32", "<f4"), ("float64", "<f8")):
    check(batch(mnist, *forced, FUEL_FLOATX=floatx)["features"]["dtype"] == dtype, f"force_floatX, {floatx}")

# The seed: that given, else the configuration's, else 1.
settings = os.path.join(scratch, "settings.toml")
seeded = os.path.join(scratch, "seeded.toml")
for text, name in (("default_seed = 7\n", settings), (f'file = "{mnist}"\nseed = 5\n', seeded)):
    with open(name, "w") as f:
        f.write(text)
shuffled = (mnist, "--scheme", "shuffled")
seeds = [batch(*shuffled, "--seed", str(seed)) for seed in (1, 5, 7)]
check(batch(*shuffled) == seeds[0] and seeds[0] != seeds[2], "a seed of 1")
check(batch(*shuffled, FUEL_CONFIG=settings) == seeds[2], "default_seed")
check(batch(*shuffled, "--seed", "5", FUEL_CONFIG=settings) == seeds[1], "--seed wins")
check(batch("--scheme", "shuffled", "--config", seeded, FUEL_CONFIG=settings) == seeds[1], "and so does a stream's file")

made = batch("mnist", "--default-transformers", "--transform", "flatten(which=features)", FUEL_DATA_PATH=path)
check(made["features"]["shape"] == [4, 784] and made["features"]["dtype"] == "<f4", "more transformers")
check(batch(os.path.join(two, "mnist.hdf5"), "--default-transformers")["features"]["dtype"] == "<f4", "by the file's name")
with open(os.path.join(scratch, "stream.toml"), "w") as f:
    f.write('file = "mnist"\ndefault_transformers = true\n')
check(batch("--config", os.path.join(scratch, "stream.toml"), FUEL_DATA_PATH=path)["features"]["dtype"] == "<f4", "TOML")
refused(2, ["no built-in data set", "--transform"], "fuel-cat", mnist, "--default-transformers")
refused(2, ["no built-in data set"], "fuel-cat", "tcp://127.0.0.1:1", "--default-transformers")

# Ragged and encoded pictures have theirs, too.
with h5py.File(os.path.join(data, "vlen_images.hdf5")) as f:
    sources = list({row["source"].decode() for row in f.attrs["split"]})
check("image_features" in sources, "the ragged file")
shutil.copy(os.path.join(data, "vlen_images.hdf5"), os.path.join(two, "dogs_vs_cats.hdf5"))
made = batch("dogs_vs_cats", "--default-transformers", FUEL_DATA_PATH=path)
check("<f8" in json.dumps(made["image_features"]), "dogs and cats")
encoded = os.path.join(data, "images", "encoded_images.hdf5")
shutil.copy(encoded, os.path.join(two, "ilsvrc2012.hdf5"))
made = batch("ilsvrc2012", "--default-transformers", "--sources", "encoded_images", FUEL_DATA_PATH=path)
check("|u1" in json.dumps(made["encoded_images"]), "ImageNet")

# A single split stands for "train".
with h5py.File(mnist) as f, h5py.File(os.path.join(two, "iris.hdf5"), "w") as out:
    out["features"] = np.arange(40, dtype="f4").reshape(10, 4)
    rows = f.attrs["split"][:1].copy()
    rows["split"], rows["stop"] = b"all", 10
    out.attrs.create("split", rows, dtype=rows.dtype)
check(batch("iris", FUEL_DATA_PATH=path)["features"]["shape"] == [4, 4], "iris")
refused(1, ["has no split 'train'"], "fuel-cat", os.path.join(os.path.join(two, "."), "iris.hdf5").replace("iris", "./iris"),
        "--split", "train+all")

# What is not there.
refused(1, ["no 'cifar10.hdf5' in '" + one + "', '" + two + "'", "from the variable FUEL_DATA_PATH",
            "'fuel-download cifar10' and 'fuel-convert cifar10 -o " + one], "fuel-cat", "cifar10", FUEL_DATA_PATH=path)
refused(1, ["no data path is set", "fuel-download svhn 2"], "fuel-cat", "svhn_format_2", directory=one)
refused(1, ["did you mean 'svhn_format_1', 'svhn_format_2'?"], "fuel-cat", "svhn", FUEL_DATA_PATH=path)
refused(1, ["no built-in data set either"], "fuel-cat", "nonsense", FUEL_DATA_PATH=path)
refused(1, ["there is no file 'x.hdf5' here"], "fuel-server", "x.hdf5", FUEL_DATA_PATH=path)
refused(1, ["unknown key 'data_paht'"], "fuel-cat", "mnist",
        FUEL_CONFIG=(lambda p: (open(p, "w").write("data_paht: /x\n"), p)[1])(os.path.join(scratch, "rc")))
listed = json.loads(run("fuel-info", "--datasets", "--json", FUEL_DATA_PATH=path).stdout)
check(listed["mnist"]["path"] == os.path.join(two, "mnist.hdf5") and listed["adult"]["path"] == "" and len(listed) == 16,
      "--datasets")
check("not there" in run("fuel-info", "--datasets").stdout, "--datasets")
# The commands that it names exist.
converters = run("fuel-convert", "--help").stdout
for name, entry in listed.items():
    check(f"{entry['convert'].split()[0]} " in converters or name.startswith("ilsvrc"), name + ": converter")
    if os.path.exists(os.path.join(tools, "fuel-download")):
        words = entry["download"].split()
        ran = run("fuel-download", *words[:2 if len(words) == 2 else 1], "-d", one, "--clear")
        check(ran.returncode == 0, name + ": download: " + ran.stderr)
sys.exit(toolkit.status())
