"""Trains from the stored weights and compares the losses with the float64 reference.

usage: trajectory.py BLOCKS_RUN MODEL TRAJECTORY FILES_FOLDER WORK_FOLDER
The first 20 losses agree to 1e-5 relative, at 1 and 2 threads, and bit for bit between them; after 20 steps
each parameter's sum and norm agree, too.
"""
import json
import subprocess
import sys

import numpy as np

run, model, trajectory, files, work = sys.argv[1:6]


def train(threads):
    log, npz = f"{work}/t{threads}.jsonl", f"{work}/t{threads}.npz"
    subprocess.run([run, "train", model, "--data", files + "/mlp.hdf5", "--scheme", "sequential", "--batch-size", "128",
                    "--batches", "20", "--step-rule", "scale(learning_rate=0.1)", "--set-parameters",
                    files + "/mlp_weights.npz", "--save-parameters", npz, "--threads", str(threads), "--log", log,
                    "--log-every", "1", "--no-progress"], check=True, stdout=subprocess.DEVNULL)
    rows = [json.loads(line) for line in open(log)]
    losses = {r["iterations"]: r["values"]["train/cost"] for r in reversed(rows)}
    return [losses[i] for i in range(1, 21)], np.load(npz)


one, parameters = train(1)
two, parameters2 = train(2)
assert one == two, "losses differ between 1 and 2 threads"
for name in parameters.files:
    assert parameters[name].tobytes() == parameters2[name].tobytes(), name + " differs between 1 and 2 threads"
reference = np.load(trajectory)
worst = np.max(np.abs(np.array(one) / reference["loss_jax64"] - 1))
print("largest relative difference of a loss:", worst)
assert worst <= 1e-5, (one, reference["loss_jax64"])
for key in reference.files:
    if key.startswith("stat20/"):
        kind, layer = key[7], key[8]
        value = parameters[f"/mlp/linear_{layer}.{kind}"].astype(np.float64).ravel()
        found = np.array([value.sum(), np.linalg.norm(value), *value[:4]])
        scale = np.linalg.norm(value) / np.sqrt(value.size)
        assert np.allclose(found[1:], reference[key][1:], rtol=1e-4, atol=1e-4 * scale), (key, found, reference[key])
        assert abs(found[0] - reference[key][0]) < 1e-4 * np.abs(value).sum() + 1e-6, (key, found, reference[key])
