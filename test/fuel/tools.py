"""fuel-info and fuel-cat: output, and the errors that users meet."""
import json
import os
import subprocess
import sys

from toolkit import check, data, run, scratch, status, tools

mnist = os.path.join(data, "mnist_small.hdf5")


def refused(expected, words, tool, *arguments):
    ran = run(tool, *arguments)
    check(ran.returncode == expected, f"{arguments}: status {ran.returncode} instead of {expected}")
    check(words in ran.stderr, f"'{words}' is missing in '{ran.stderr}'")
    check(not ran.stdout, f"{arguments} printed '{ran.stdout[:80]}'")


# fuel-cat --json has the form of the sidecars: the same objects come out.
for case in json.load(open(os.path.join(data, "mnist_small.json")))["cases"]:
    scheme = case.get("scheme", {})
    if case["id"] not in ("train_seq", "train_shuffled_seed1"):
        continue
    kind = "shuffled" if scheme["type"].startswith("Shuffled") else "sequential"
    ran = run("fuel-cat", mnist, "--json", "--split", case["dataset"]["which_sets"][0], "--scheme", kind,
              "--batch-size", str(scheme["batch_size"]), "--seed", str(scheme.get("seed", 1)),
              "--epochs", str(len(case["epochs"])))
    check(ran.returncode == 0, ran.stderr)
    lines = [json.loads(line) for line in ran.stdout.splitlines()]
    check(len(lines) == sum(e["n_batches"] for e in case["epochs"]), "number of batches")
    for number, epoch in enumerate(case["epochs"], 1):
        mine = [line for line in lines if line["epoch"] == number]
        check([line["batch"] for line in mine] == list(range(1, epoch["n_batches"] + 1)), "numbers")
        check(mine[-1]["request"] == epoch["last_request"], "last request")
        for line, expected in zip(mine, epoch["batches"]):
            check(line["request"] == expected["request"], "request")
            check(line["data"] == expected["data"], f"{case['id']}: data of batch {line['batch']}")

# Every numeric type prints as the sidecar has it.
case = json.load(open(os.path.join(data, "dtypes.json")))["cases"][0]
expected = case["epochs"][0]["batches"][0]["data"]
names = [n for n in expected if n != "s_bytes5"]
ran = run("fuel-cat", os.path.join(data, "dtypes.hdf5"), "--json", "--sources", ",".join(names), "--batch-size", "3")
line = json.loads(ran.stdout.splitlines()[0])
check(list(line["data"]) == names, "order of the sources")
for name in names:
    mine, theirs = line["data"][name], dict(expected[name])
    if theirs["dtype"].startswith(">"):  # Delivered in native order.
        theirs["dtype"] = "<" + theirs["dtype"][1:]
        mine["sha256"] = theirs["sha256"]
    if "sum64" in theirs and isinstance(theirs["sum64"], float):  # NumPy adds in another order.
        check(abs(mine.pop("sum64") - theirs.pop("sum64")) < 1e-12, name + ": sum")
    check(mine == theirs, f"{name}: {mine} instead of {theirs}")

ran = run("fuel-cat", mnist, "--batches", "2", "--batch-size", "4", "--sources", "targets")
check(ran.stdout == "epoch 1, batch 1: 4 examples, rows 0 1 2 3\n  targets: ui8 4x1: 0 8 0 7\n"
      "epoch 1, batch 2: 4 examples, rows 4 5 6 7\n  targets: ui8 4x1: 1 5 9 9\n", ran.stdout)

ran = run("fuel-info", mnist)
for words in ("Command: fuel-convert mnist -d idx", "fuel-convert version: 0.2", "Interface version: 0.3",
              "features: ui8, 250x1x28x28 (batch, channel, height, width)", "test, targets: 50 rows, 200 to 250"):
    check(words in ran.stdout, f"'{words}' is missing in '{ran.stdout}'")
info = json.loads(run("fuel-info", "--json", mnist).stdout)
check(info["sources"]["targets"] == {"dtype": "ui8", "shape": [250, 1], "axis_labels": ["batch", "index"], "bytes": 250,
                                     "storage": "contiguous", "problem": ""}, "sources")
check(info["splits"]["train"]["features"] == {"start": 0, "stop": 200, "by_index": False, "comment": ""}, "splits")
info = json.loads(run("fuel-info", "--json", os.path.join(data, "index_split.hdf5")).stdout)
check(info["splits"]["train"]["targets"]["by_index"], "index")
check("Command: N/A" in run("fuel-info", os.path.join(data, "cases", "c01_rows.hdf5")).stdout, "no command")

# --check reads all of it.
for name in ("mnist_small", "vlen_images", "vlen_sequences", "text_corpus", "dtypes", "index_split", "storage/latest",
             "storage/earliest", "cases/c06_many_splits"):
    ran = run("fuel-info", "--check", os.path.join(data, name + ".hdf5"))
    check(ran.returncode == 0 and "is sound" in ran.stdout, f"{name}: {ran.stdout} {ran.stderr}")
for name, words in (("c18a_stop_beyond", "only 5 rows exist"), ("c18b_missing_dataset", "has no such dataset"),
                    ("c17_minus_one", "are negative"), ("c03_disjoint_sources", "")):
    ran = run("fuel-info", "--check", os.path.join(data, "cases", name + ".hdf5"))
    check(ran.returncode == (1 if words else 0) and words in ran.stdout, f"{name}: {ran.stdout} {ran.stderr}")
with open(os.path.join(data, "storage", "earliest.hdf5"), "rb") as f:
    whole = f.read()
with open(os.path.join(scratch, "broken_heap.hdf5"), "wb") as f:
    f.write(whole.replace(b"GCOL", b"GXOL"))
ran = run("fuel-info", "--check", os.path.join(scratch, "broken_heap.hdf5"))
check(ran.returncode == 1 and "row 1: its heap collection has no signature" in ran.stdout, ran.stdout + ran.stderr)
ran = run("fuel-info", "--check", "--json", os.path.join(scratch, "broken_heap.hdf5"))
check(len(json.loads(ran.stdout)["problems"]) >= 1, "problems as JSON")

for tool in ("fuel-info", "fuel-cat", "fuel-convert", "fuel-server", "fuel-download"):
    if tool == "fuel-download" and not os.path.exists(os.path.join(tools, tool)):
        continue  # Not built without libcurl.
    ran = run(tool, "--help")
    check(ran.returncode == 0 and "Examples:" in ran.stdout, tool + " --help")
    refused(2, "--help", tool)
    refused(2, "--help", tool, "--nonsense")

refused(1, "there is no file 'nowhere.hdf5' here", "fuel-info", "nowhere.hdf5")
refused(1, "nowhere.hdf5': No such file", "fuel-info", "./nowhere.hdf5")
refused(1, "is not an HDF5 file", "fuel-info", os.path.join(data, "mnist_small.json"))
refused(1, "has no attribute 'split'", "fuel-info", os.path.join(data, "cases", "c18c_no_split.hdf5"))
with open(mnist, "rb") as f, open(os.path.join(scratch, "cut.hdf5"), "wb") as out:
    out.write(f.read()[:100000])
refused(1, "truncated file", "fuel-cat", os.path.join(scratch, "cut.hdf5"))
refused(1, "it has: 'train', 'test'", "fuel-cat", mnist, "--split", "valid")
refused(1, "it has: 'features', 'targets'", "fuel-cat", mnist, "--sources", "x")
refused(2, "'sequential', 'shuffled'", "fuel-cat", mnist, "--scheme", "random")
refused(2, "batch size is 0", "fuel-cat", mnist, "--batch-size", "0")
refused(2, "--batch-size", "fuel-cat", mnist, "--batch-size", "many")
for text, words in (("blur", "expected batch, cache, cast"), ("cast", "lacks the option 'dtype'"),
                    ("cast(dtype=f31)", "for example f32"), ("cast(dtype=f32", "',' or ')'"),
                    ("flatten(scale=2)", "it knows: which"), ("flatten(which=x)", "'features', 'targets'"),
                    ("scale_and_shift(scale=two)", "not a number"), ("flatten(which)", "NAME=VALUE")):
    refused(2, words, "fuel-cat", mnist, "--transform", text)
full = open("/dev/full", "w")
ran = subprocess.run([os.path.join(tools, "fuel-cat"), mnist], stdout=full, stderr=subprocess.PIPE, text=True)
check(ran.returncode == 1 and "standard output" in ran.stderr, "full disk")
sys.exit(status())
