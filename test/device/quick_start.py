"""The quick start on a GPU: trains its model for some batches, evaluates, resumes, and predicts.

usage: quick_start.py BIN MODEL DATA WORK [BATCHES]
The processor does the same beside it: both learn, their evaluations agree, and so do their predictions from one file of
parameters. With the emulator 40 batches take seconds; the long form, one epoch, is 469 batches, under a minute.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "e2e"))
from tools import *
import numpy as np

batches = int(REST[0]) if REST else 40


def train(device, name, batches, *options):
    return run("blocks-run", "train", MODEL, "--data", DATA, "--batch-size", 128, "--batches", batches, "--step-rule",
               "adam(learning_rate=0.001)", "--checkpoint", path(name + ".ckpt"), "--log", path(name + ".jsonl"),
               "--device", device, "--json", *options)


def evaluate(device, parameters):
    done = run("blocks-run", "eval", MODEL, "--data", DATA, "--split", "test", "--parameters", parameters, "--device", device,
               "--batch-size", 1000, "--json")
    return events(done, "eval")[0]["values"]


def predict(device, parameters):
    np.save(path("x.npy"), np.arange(5 * 784, dtype=np.uint32).reshape(5, 1, 28, 28).astype(np.uint8))
    run("blocks-run", "infer", MODEL, "--entry", "predict", "--parameters", parameters, "--input", "features=" + path("x.npy"),
        "--output", "probabilities=" + path(device + ".npy"), "--device", device)
    return np.load(path(device + ".npy"))


remove(*(f"{device}{suffix}" for device in ("cpu", "cuda") for suffix in (".ckpt", ".ckpt.1", ".jsonl")))
for device in "cpu", "cuda":
    train(device, device, batches // 2)
    ended = events(train(device, device, batches, "--resume"), "end")[0]
    assert ended["iterations"] == batches, ended
found = {device: evaluate(device, path(device + ".ckpt")) for device in ("cpu", "cuda")}
print(found)
assert found["cuda"]["test/error_rate"] < 0.35, found
for name, value in found["cpu"].items():
    assert abs(found["cuda"][name] - value) < 0.01, found
crossed = evaluate("cpu", path("cuda.ckpt"))
assert abs(crossed["test/cost"] - found["cuda"]["test/cost"]) < 1e-5, (crossed, found)
assert np.allclose(predict("cuda", path("cuda.ckpt")), predict("cpu", path("cuda.ckpt")), atol=1e-5)
