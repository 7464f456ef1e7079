"""Shuffled batches of 128 from a Fuel file on disk (warm): our stream against
h5py's list indexing (sorted rows, as Fuel asks for them, and put back in order),
alternating in rounds. Prints medians and their ratio; it judges nothing.

  /usr/bin/python3 test/bench/dataload.py build/bin/bench-dataload FILE.hdf5 [ROUNDS]
"""
import re
import subprocess
import sys
import time

import h5py
import numpy as np

program, path = sys.argv[1:3]
rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
random = np.random.RandomState(1)


def ours():
    ran = subprocess.run([program, path, "1"], capture_output=True, text=True, check=True)
    return 128 / float(re.search(r"^stream +([0-9.]+) us", ran.stdout, re.M).group(1)) * 1e6


def theirs(file, batches=40):
    rows = random.permutation(len(file["features"]))[:128 * batches].reshape(batches, 128)
    start = time.perf_counter()
    for request in rows:
        order = np.argsort(request)
        for name in ("features", "targets"):
            read = file[name][list(request[order])]
            out = np.empty_like(read)
            out[order] = read
    return 128 * batches / (time.perf_counter() - start)


with h5py.File(path, "r") as file:
    theirs(file)
    pairs = [(ours(), theirs(file)) for _ in range(rounds)]
mine, other = (float(np.median(each)) for each in zip(*pairs))
print(f"stream {mine / 1e6:.2f} million images a second, h5py {other / 1e3:.1f} thousand, ratio {mine / other:.0f}")
