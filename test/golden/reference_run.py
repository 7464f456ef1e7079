"""Training runs from stored weights, compared with stored losses: what the trajectories' scripts share."""
import json
import subprocess

import numpy as np


def train(run, model, work, threads, batch_size, step_rule, steps):
    """Steps over WORK/data.hdf5 in order, from WORK/weights.npz: the losses, and the parameters after them."""
    log, npz = f"{work}/t{threads}.jsonl", f"{work}/t{threads}.npz"
    subprocess.run([run, "train", model, "--data", work + "/data.hdf5", "--scheme", "sequential", "--batch-size",
                    str(batch_size), "--batches", str(steps), "--step-rule", step_rule, "--set-parameters",
                    work + "/weights.npz", "--save-parameters", npz, "--threads", str(threads), "--log", log,
                    "--log-every", "1", "--no-progress"], check=True, stdout=subprocess.DEVNULL)
    rows = [json.loads(line) for line in open(log)]
    losses = {r["iterations"]: r["values"]["train/cost"] for r in reversed(rows)}
    return [losses[i] for i in range(1, steps + 1)], np.load(npz)


def check_losses(run, model, work, reference, tolerance, batch_size, step_rule, steps=20):
    """Losses within `tolerance` (relative) of the float64 ones, and equal bits at 1 and 2 threads; the parameters."""
    one, parameters = train(run, model, work, 1, batch_size, step_rule, steps)
    two, parameters2 = train(run, model, work, 2, batch_size, step_rule, steps)
    assert one == two, "losses differ between 1 and 2 threads"
    for name in parameters.files:
        assert parameters[name].tobytes() == parameters2[name].tobytes(), name + " differs between 1 and 2 threads"
    expected = reference["loss_jax64"][:steps]
    worst = np.max(np.abs(np.array(one) / expected - 1))
    print("largest relative difference of a loss:", worst)
    assert worst <= tolerance, (one, expected)
    return parameters


def check_parameter(value, expected, tolerance, name):
    """Sum, norm and first four values of a parameter, as the trajectories store them."""
    value = value.astype(np.float64).ravel()
    found = np.array([value.sum(), np.linalg.norm(value), *value[:4]])
    scale = np.linalg.norm(value) / np.sqrt(value.size)
    assert np.allclose(found[1:], expected[1:], rtol=tolerance, atol=tolerance * scale), (name, found, expected)
    assert abs(found[0] - expected[0]) < tolerance * np.abs(value).sum() + 1e-6, (name, found, expected)
