"""Training runs from stored weights, compared with stored losses: what the trajectories' scripts share.

Each takes, after its own arguments, `[--device cuda] [--steps N]`: where to train, and how many steps of the trajectory.
"""
import argparse
import json
import subprocess
import sys

import numpy as np


def options():
    """(device, steps or None) of the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("paths", nargs=4)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--steps", type=int)
    a = parser.parse_args()
    return a.device, a.steps


def train(run, model, work, threads, batch_size, step_rule, steps, device="cpu"):
    """Steps over WORK/data.hdf5 in order, from WORK/weights.npz: the losses, and the parameters after them."""
    log, npz = f"{work}/{device}-t{threads}.jsonl", f"{work}/{device}-t{threads}.npz"
    subprocess.run([run, "train", model, "--data", work + "/data.hdf5", "--scheme", "sequential", "--batch-size",
                    str(batch_size), "--batches", str(steps), "--step-rule", step_rule, "--set-parameters",
                    work + "/weights.npz", "--save-parameters", npz, "--threads", str(threads), "--log", log,
                    "--log-every", "1", "--no-progress", "--device", device], check=True, stdout=subprocess.DEVNULL)
    rows = [json.loads(line) for line in open(log)]
    losses = {r["iterations"]: r["values"]["train/cost"] for r in reversed(rows)}
    return [losses[i] for i in range(1, steps + 1)], np.load(npz)


def check_repeats(one, parameters, two, parameters2):
    assert one == two, "losses differ between two runs"
    for name in parameters.files:
        assert parameters[name].tobytes() == parameters2[name].tobytes(), name + " differs between two runs"


def check_losses(run, model, work, reference, tolerance, batch_size, step_rule, steps=20):
    """Losses within `tolerance` (relative) of the float64 ones, and equal bits in two runs, which on the processor have
    1 and 2 threads (a few steps on another device run once). The parameters after the last step, and what the reference
    calls its numbers of them."""
    device, wanted = options()
    settings = (batch_size, step_rule, min(wanted or steps, steps), device)
    one, parameters = train(run, model, work, 1, *settings)
    if device == "cpu" or not wanted:
        check_repeats(one, parameters, *train(run, model, work, 2, *settings))
    expected = reference["loss_jax64"][:len(one)]
    worst = np.max(np.abs(np.array(one) / expected - 1))
    print(f"{device}, {len(one)} steps: largest relative difference of a loss:", worst)
    assert worst <= tolerance, (one, expected)
    stored = f"stat{len(one)}/"
    if not any(key.startswith(stored) for key in reference.files):
        print("no parameters are stored after so many steps")
        sys.exit()
    return parameters, stored


def check_parameter(value, expected, tolerance, name):
    """Sum, norm and first four values of a parameter, as the trajectories store them."""
    value = value.astype(np.float64).ravel()
    found = np.array([value.sum(), np.linalg.norm(value), *value[:4]])
    scale = np.linalg.norm(value) / np.sqrt(value.size)
    assert np.allclose(found[1:], expected[1:], rtol=tolerance, atol=tolerance * scale), (name, found, expected)
    assert abs(found[0] - expected[0]) < tolerance * np.abs(value).sum() + 1e-6, (name, found, expected)
