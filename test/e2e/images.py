"""Convolutions and pools in compiled code: a training step through every form of them.

usage: images.py BIN MODEL INTERPRETER WORK
The new parameters agree with the reference interpreter to 1e-5 of the largest element, for batches of 1, 2 and 37, and
bit for bit between 1 and 2 threads.
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "golden"))
from tools import *
import fuel_file
import numpy as np

INTERPRETER, RATE = DATA, 0.1
SHAPES = {"/first.W": (5, 2, 3, 2), "/first.b": (5,), "/second.W": (4, 5, 3, 3), "/second.b": (4, 6, 6),
          "/up.W": (3, 4, 2, 3), "/up.b": (3,)}


def save(name, value):
    np.save(path(name + ".npy"), value)
    return path(name + ".npy")


def trained(batch, threads):
    run("blocks-run", "train", MODEL, "--data", path("x.hdf5"), "--batch-size", batch, "--batches", 1, "--step-rule",
        f"scale(learning_rate={RATE})", "--set-parameters", path("first.npz"), "--save-parameters", path("new.npz"),
        "--threads", threads, "--no-progress")
    return dict(np.load(path("new.npz")))


def interpreted(module, x, parameters):
    state = {**parameters, "/algorithm.learning_rate": np.float32(RATE)}
    arguments = [f"--state={name}=" + save(name.replace("/", "_"), value) for name, value in state.items()]
    done = subprocess.run([INTERPRETER, module, "--entry", "train", "--input=x=" + save("x", x), *arguments],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return {name: np.array(json.loads(value))
            for name, value in re.findall(r"@train new (.*) = [\dx]*x\w+ (.*)", done.stdout)}


rng = np.random.default_rng(3)
for batch in 1, 2, 37:
    x = rng.standard_normal((batch, 2, 9, 10)).astype(np.float32)
    fuel_file.write(path("x.hdf5"), {"train": {"x": x}}, {"x": ["batch", "channel", "height", "width"]})
    first = {name: rng.standard_normal(shape).astype(np.float32) * 0.5 for name, shape in SHAPES.items()}
    np.savez(path("first.npz"), **first)
    module = path("step.mlir")
    with open(module, "w") as file:
        file.write(run("blocks-run", "train", MODEL, "--data", path("x.hdf5"), "--batches", 1, "--stop-after",
                       "materialize-state").stdout)
    one, two, expected = trained(batch, 1), trained(batch, 2), interpreted(module, x, first)
    for name in first:
        assert one[name].tobytes() == two[name].tobytes(), name + " differs between 1 and 2 threads"
        assert np.abs(expected[name] - first[name]).max() > 1e-3, name + " did not move"
        worst = np.abs(one[name] - expected[name]).max() / np.abs(expected[name]).max()
        print(f"batch {batch}, {name}: {worst:.1e}")
        assert worst <= 1e-5, (name, worst)
