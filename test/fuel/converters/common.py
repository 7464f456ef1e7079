"""What the tests of converters share: running fuel-convert in a folder of its own, comparing what it wrote with arrays,
by h5py, fuel-info and fuel-cat, and asking for refusals that leave nothing behind."""
import atexit
import hashlib
import json
import os
import shutil
import subprocess
import sys

import h5py
import numpy as np

scratch, data, tools = sys.argv[1:4]
data = os.path.join(data, "converters")
failures = 0


@atexit.register
def finish():
    if failures:
        os._exit(1)


def check(condition, what):
    global failures
    if not condition:
        failures += 1
        print("failed:", what, file=sys.stderr)


def folder(name):
    """An empty folder."""
    path = os.path.join(scratch, name)
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path)
    return path


def write(path, content):
    with open(path, "wb" if isinstance(content, bytes) else "w") as f:
        f.write(content)


def run(tool, *arguments):
    return subprocess.run([os.path.join(tools, tool), *map(str, arguments)], capture_output=True, text=True)


def convert(name, inputs, *options, output="result", beside=()):
    """Converts; returns the file's path, or None. `beside`: other files that must appear."""
    out = folder(name + "-out")
    arguments = [name, *options, "-d", inputs, "-o", out, "-r", output]
    ran = run("fuel-convert", *arguments)
    check(ran.returncode == 0, f"{name}: {ran.stderr}")
    path = os.path.join(out, output + ".hdf5")
    check(ran.stdout.strip() == path and sorted(os.listdir(out)) == sorted([output + ".hdf5", *beside]), f"{name}: {ran.stdout} {os.listdir(out)}")
    if ran.returncode:
        return None
    with h5py.File(path) as f:
        check(f.attrs["fuel_convert_command"] == " ".join(map(str, ["fuel-convert", *arguments])), name + ": command")
        check((f.attrs["h5py_interface_version"], f.attrs["fuel_convert_version"]) == ("0.3", "0.2"), name + ": versions")
    info = run("fuel-info", "--check", path)
    check(info.returncode == 0 and "is sound" in info.stdout, f"{name}: {info.stdout} {info.stderr}")
    return path


def refused(words, name, inputs, *options, status=1, also=""):
    out = folder(name + "-out")
    ran = run("fuel-convert", name, *options, "-d", inputs, "-o", out)
    check(ran.returncode == status, f"{name}: {words}: status {ran.returncode}, {ran.stderr}")
    check(words in ran.stderr and also in ran.stderr, f"{name}: '{words}' is missing in '{ran.stderr}'")
    check(ran.stderr.count("\n") <= status, f"{name}: {ran.stderr}")
    check(os.listdir(out) == [], f"{name}: {words}: left {os.listdir(out)}")


def missing(name, inputs, files, *options):
    """All that is missing is listed at once, and how to get it."""
    refused("lacks " + ", ".join(files), name, inputs, *options)
    refused(f"fuel-download {name}", name, inputs, *options)


def same_file(path, sources, splits):
    """`sources`: name -> (array, labels); for ragged ones a list of arrays. `splits`: name -> source -> (start, stop)."""
    if path is None:
        return
    with h5py.File(path) as f:
        for name, (expected, labels) in sources.items():
            stored = f[name]
            check(tuple(d.label for d in stored.dims) == tuple(labels)[:stored.ndim], f"{path} {name}: labels")
            if isinstance(expected, list):
                same_items(f, name, expected, labels)
                continue
            check(stored.dtype == expected.dtype and stored.shape == expected.shape,
                  f"{path} {name}: {stored.dtype} {stored.shape} instead of {expected.dtype} {expected.shape}")
            check(stored.shape == expected.shape and np.array_equal(stored[()], expected), f"{path} {name}: values")
        rows = {(r["split"].decode(), r["source"].decode()): r for r in f.attrs["split"]}
        check(len(rows) == len(splits) * len(sources), f"{path}: {sorted(rows)}")
        for (split, source), row in rows.items():
            expected = splits[split].get(source)
            check(bool(row["available"]) == (expected is not None), f"{path}: {split}, {source}")
            check(expected is None or (row["start"], row["stop"]) == expected, f"{path}: {split}, {source}: {row}")
    same_by_cat(path, sources, splits)


def same_items(f, name, expected, labels):
    stored = f[name]
    check(len(stored) == len(expected), f"{name}: {len(stored)} items")
    check(all(np.array_equal(a, b.ravel()) for a, b in zip(stored[()], expected)), f"{name}: items")
    check(h5py.check_vlen_dtype(stored.dtype) == expected[0].dtype, f"{name}: type")
    if expected[0].ndim > 1:
        scales = {s.attrs["NAME"].decode(): s for s in stored.dims[0].values()}
        check(np.array_equal(scales["shapes"][()], [e.shape for e in expected]), f"{name}: shapes")
        check([s.decode() for s in scales["shape_labels"][()]] == list(labels)[1:], f"{name}: shape labels")


def same_by_cat(path, sources, splits):
    """The loader delivers the same bytes."""
    for split, parts in splits.items():
        ran = run("fuel-cat", path, "--json", "--split", split, "--batch-size", 1)
        check(ran.returncode == 0, f"{path}: {ran.stderr}")
        lines = [json.loads(line)["data"] for line in ran.stdout.splitlines()]
        for source, (start, stop) in parts.items():
            check(len(lines) == stop - start, f"{path} {split}: {len(lines)} batches")
            for i in (0, len(lines) - 1):
                values = sources[source][0]
                expected = np.ascontiguousarray(values[start + i] if isinstance(values, list) else values[start + i:start + i + 1])
                found = lines[i][source]
                found = found["items"][0] if found.get("kind") == "ragged" else found
                check(found["sha256"] == hashlib.sha256(expected.tobytes()).hexdigest(),
                      f"{path} {split} {source}: row {start + i}")
