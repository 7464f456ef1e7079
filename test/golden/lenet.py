"""Trains LeNet from the stored weights and compares the losses with the float64 reference.

usage: lenet.py BLOCKS_RUN MODEL DATA_FOLDER WORK_FOLDER
The first 20 losses agree to 1e-4 relative, at 1 and 2 threads, and bit for bit between them; so do the norms of the
parameters after 20 steps. The batches are those of the MLP trajectories, as images.
"""
import json
import subprocess
import sys

import numpy as np

from lenet_files import PATHS, write_files

run, model, data, work = sys.argv[1:5]


def train(threads):
    log, npz = f"{work}/t{threads}.jsonl", f"{work}/t{threads}.npz"
    subprocess.run([run, "train", model, "--data", work + "/lenet.hdf5", "--scheme", "sequential", "--batch-size", "128",
                    "--batches", "20", "--step-rule", "scale(learning_rate=0.05)", "--set-parameters",
                    work + "/weights.npz", "--save-parameters", npz, "--threads", str(threads), "--log", log,
                    "--log-every", "1", "--no-progress"], check=True, stdout=subprocess.DEVNULL)
    rows = [json.loads(line) for line in open(log)]
    losses = {r["iterations"]: r["values"]["train/cost"] for r in reversed(rows)}
    return [losses[i] for i in range(1, 21)], np.load(npz)


write_files(data, work)
one, parameters = train(1)
two, parameters2 = train(2)
assert one == two, "losses differ between 1 and 2 threads"
for name in parameters.files:
    assert parameters[name].tobytes() == parameters2[name].tobytes(), name + " differs between 1 and 2 threads"
reference = np.load(data + "/lenet-sgd-traj.npz")
worst = np.max(np.abs(np.array(one) / reference["loss_jax64"] - 1))
print("largest relative difference of a loss:", worst)
assert worst <= 1e-4, (one, reference["loss_jax64"])
for name, path in PATHS.items():
    value, expected = parameters[path].astype(np.float64).ravel(), reference["stat20/" + name]
    tolerance = 1e-5 if name[0] in "KW" else 1e-2  # Biases are small, and a rectifier at 0 turns on one rounding.
    assert abs(np.linalg.norm(value) / expected[1] - 1) <= tolerance, (name, np.linalg.norm(value), expected[1])
