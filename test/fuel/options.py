"""What describes a stream: a configuration is the same as a command line, and
says where something in it is wrong; --profile, --write-statistics, --resume."""
import json
import re
import sys

import h5py
import numpy as np

from toolkit import check, made, path, run, status

mnist = path("mnist_small.hdf5")


def config(name, text):
    file = made(name)
    with open(file, "w") as out:
        out.write(text)
    return file


def same(first, second, what):
    check(first.returncode == 0 and second.returncode == 0, f"{what}: {first.stderr} {second.stderr}")
    check(first.stdout and first.stdout == second.stdout, f"{what}: outputs differ")


# A configuration does what the command line does, and the command line wins.
full = config("full.toml", f"""
file = "{mnist}"
split = "test"
sources = ["targets", "features"]
batch_size = 7
scheme = "index_shuffled"
seed = 5
shard = 1
shards = 2
shard_ends = "pad"
workers = 3
prefetch_depth = 2
load_in_memory = true
[[transform]]
name = "random_fixed_size_crop"
window = [20, 24]
which = ["features"]
[[transform]]
name = "scale_and_shift"
scale = "1/255"
shift = 0.5
which = ["features", "targets"]
""")
words = [mnist, "--split", "test", "--sources", "targets,features", "--batch-size", "7", "--scheme", "index_shuffled",
         "--shard-ends", "pad", "--load-in-memory",
         "--transform", "random_fixed_size_crop(window=20x24,which=features)",
         "--transform", "scale_and_shift(scale=1/255,shift=0.5,which=features+targets)", "--json", "--epochs", "2"]
same(run("fuel-cat", "--config", full, "--json", "--epochs", 2),
     run("fuel-cat", *words, "--seed", 5, "--shard", "1/2"), "all options")
same(run("fuel-cat", "--config", full, "--json", "--epochs", 2, "--seed", 6, "--shard", "0/3", "--workers", 0),
     run("fuel-cat", *words, "--seed", 6, "--shard", "0/3"), "options on top")
mixed = config("mixed.toml", f'file = "{mnist}"\nmore_files = ["{mnist}"]\nscheme = "mixed(weights=1+2,draws=300)"\n')
same(run("fuel-cat", "--config", mixed, "--json"),
     run("fuel-cat", mnist, "--mix", mnist, "--scheme", "mixed(weights=1+2,draws=300)", "--json"), "several files")

# Errors say the file and the line.
for line, text, expected in (
        (2, "batch_sizes = 3", "there is no option 'batch_sizes'"),
        (2, "batch_size = 0", "batch_size is not a whole number from 1"),
        (2, "batch_size = \"8\"", "batch_size is not a whole number"),
        (2, "workers = 5000", "workers is not a whole number from 0 to 1024"),
        (2, "sources = [1]", "sources holds something that is no text"),
        (2, "split = ", ""),
        (2, "scheme = \"random\"", "unknown scheme 'random'"),
        (2, "scheme = \"shuffled(sorted=maybe)\"", "sorted=maybe; expected true or false"),
        (2, "scheme = \"block_shuffled(block_size=4,rows=some)\"", "rows=some; expected shuffled or in_order"),
        (2, "[[transform]]", "a transform is a table with a name"),
        (2, "[[transform]]\nname = \"blur\"", "unknown transformer 'blur'"),
        (2, "[[transform]]\nname = \"flatten\"\nwidth = 3", "it knows: which"),
        (3, "[[transform]]\nname = \"flatten\"\n\"a b\" = 3", "'a b' is no name of an option"),
        (2, "[[transform]]\nname = \"flatten,unpack\"", "'flatten,unpack' is no name"),
        (2, "[[transform]]\nname = \"flatten\"\nwhich = []", "names nothing in which"),
        (4, "[[transform]]\nname = \"flatten\"\n[[transform]]\nname = \"batch\"\nsize = 3", "single examples")):
    file = config("wrong.toml", f'file = "{mnist}"\n{text}\n')
    ran = run("fuel-cat", "--config", file)
    check(ran.returncode == 2 and expected in ran.stderr and re.search(f"wrong.toml, line [{line}-9]", ran.stderr),
          f"{text!r}: {ran.returncode} {ran.stderr}")
ran = run("fuel-cat", "--config", config("absent.toml", f'file = "{mnist}"\nsplit = "none"\n'))
check(ran.returncode == 1 and mnist in ran.stderr and "'none'" in ran.stderr, ran.stderr)
ran = run("fuel-cat", "--config", made("nowhere.toml"))
check(ran.returncode != 0 and "nowhere.toml" in ran.stderr, ran.stderr)

# States that are none name their file.
for text in ("", "no state\n", "fuel-stream/2 epoch=1\nmore\n"):
    file = config("state", text)
    ran = run("fuel-cat", mnist, "--resume", file)
    check(ran.returncode == 1 and file in ran.stderr and "is not the state" in ran.stderr, ran.stderr)
ran = run("fuel-cat", mnist, "--resume", made("nowhere"))
check(ran.returncode == 1 and "nowhere" in ran.stderr, ran.stderr)

# Where the time went: a line for each layer, and the batches.
ran = run("fuel-cat", mnist, "--profile", "--workers", 2, "--batch-size", 10, "--transform", "flatten",
          "--transform", "cast(dtype=f32,which=features)")
check(ran.returncode == 0 and ran.stderr.startswith("20 batches, 2 workers; waited "), ran.stderr)
for layer in ("read", "flatten", "cast(dtype=f32,which=features)"):
    check(re.search(rf"^  [0-9.e-]+ s in 20 items of {re.escape(layer)}$", ran.stderr, re.M), f"{layer}: {ran.stderr}")

# Statistics, and the transformer that uses them.
file = made("statistics.json")
ran = run("fuel-cat", mnist, "--write-statistics", file, "--batch-size", 33)
check(ran.returncode == 0 and not ran.stdout, ran.stderr)
with h5py.File(mnist) as f:
    pixels = f["features"][:200].astype("f8")
found = json.load(open(file))["features"]
check(found["count"] == pixels.size, "count")
check(abs(found["mean"] - pixels.mean()) < 1e-9 and abs(found["deviation"] - pixels.std()) < 1e-9, f"moments: {found}")
numbers = ["--transform", f"standardize(source=features,mean={found['mean']!r},deviation={found['deviation']!r})"]
same(run("fuel-cat", mnist, "--json", "--transform", f"standardize(source=features,statistics={file})"),
     run("fuel-cat", mnist, "--json", *numbers), "statistics from a file")
line = json.loads(run("fuel-cat", mnist, "--json", "--batches", 1, *numbers).stdout)["data"]["features"]
expected = (pixels[:128].astype("f4") - np.float32(found["mean"])) / np.float32(found["deviation"])
check(line["dtype"] == "<f4" and np.allclose(line["first24"], expected.ravel()[:24], atol=1e-5), "standardized")
check(abs(line["sum64"] - float(((pixels[:128] - found["mean"]) / found["deviation"]).sum())) < 1, "their sum")
ran = run("fuel-cat", mnist, "--transform", f"standardize(source=targets,statistics={config('none.json', '{')})")
check(ran.returncode == 1 and "none.json" in ran.stderr, ran.stderr)
sys.exit(status())
