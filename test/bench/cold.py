"""Reads a file that is in no cache: our streams, in several orders, against dd,
alternating in rounds. Before each run the file's pages are dropped from the
system's cache. A stream's time is that of its whole process: opening the file reads
some rows too. Prints medians and quartiles; it judges nothing.

  /usr/bin/python3 test/bench/cold.py build/bin/bench-stream FILE.hdf5 BATCH [ROUNDS] [SCHEME...]
"""
import os
import re
import subprocess
import sys
import time

import numpy as np

program, path, batch = sys.argv[1:4]
rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 3
schemes = sys.argv[5:] or ["sequential", "block_shuffled(block_size=1024)", "shuffled"]


def drop():
    file = os.open(path, os.O_RDONLY)
    os.fsync(file)
    os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(file)


def dd():
    drop()
    ran = subprocess.run(["dd", f"if={path}", "of=/dev/null", "bs=1M"], capture_output=True, text=True, check=True)
    return float(re.search(r"([0-9.e+-]+) s,", ran.stderr).group(1)) ** -1 * os.path.getsize(path)


def stream(scheme):
    drop()
    start = time.perf_counter()
    subprocess.run([program, path, scheme, batch, "1", "1"], capture_output=True, check=True)
    return os.path.getsize(path) / (time.perf_counter() - start)


def main():
    runs = {"dd": dd, **{scheme: lambda scheme=scheme: stream(scheme) for scheme in schemes}}
    rates = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            rates[name].append(run() / 1e6)
    reference = np.median(rates["dd"])
    for name, values in rates.items():
        low, middle, high = np.percentile(values, (25, 50, 75))
        print(f"{name:32} {middle:7.0f} MB/s (quartiles {low:.0f} to {high:.0f}), {middle / reference:.2f} of dd")


if __name__ == "__main__":
    main()
