"""Slices in compiled code: gates cut from one product inside a loop, the last state, positions outside, no steps; parts
of axes whose extents must be right for them.

usage: slices.py BIN MODEL INTERPRETER WORK
A training step agrees with the reference interpreter to 1e-6 of the largest element of a parameter.
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "golden"))
from tools import *
import fuel_file
import numpy as np

INTERPRETER, RATE = DATA, 0.1


def save(name, value):
    np.save(path(name + ".npy"), value)
    return path(name + ".npy")


def trained(data, batch):
    """The parameters after a step by the compiled code."""
    run("blocks-run", "train", MODEL, "--data", data, "--batch-size", batch, "--batches", 1, "--step-rule",
        f"scale(learning_rate={RATE})", "--set-parameters", path("first.npz"), "--save-parameters", path("new.npz"),
        "--no-progress")
    return np.load(path("new.npz"))


def interpreted(module, x, parameters):
    """The same by the reference interpreter."""
    state = {**parameters, "/algorithm.learning_rate": np.float32(RATE)}
    arguments = [f"--state={name}=" + save(name.replace("/", "_"), value) for name, value in state.items()]
    done = subprocess.run([INTERPRETER, module, "--entry", "train", "--input=x=" + save("x", x), *arguments],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return {name: np.array(json.loads(value))
            for name, value in re.findall(r"@train new (.*) = [\dx]*x\w+ (.*)", done.stdout)}


def infer(x, output, status=0, entry="ends"):
    done = run("blocks-run", "infer", MODEL, "--entry", entry, "--input", "x=" + save("x", x), "--output",
               f"{output}=" + path("out.npy"), "--parameters", path("first.npz"), status=status)
    return done.stderr if status else np.load(path("out.npy"))


rng = np.random.default_rng(1)
for steps, batch in (1, 1), (5, 3), (2, 70):
    x = rng.standard_normal((batch, steps, 3)).astype(np.float32)
    fuel_file.write(path("x.hdf5"), {"train": {"x": x}}, {"x": ["batch", "time", "feature"]})
    first = {"/p.U": (3, 8), "/p.W": (4, 8), "/p.h0": (4,)}
    first = {name: rng.standard_normal(shape).astype(np.float32) for name, shape in first.items()}
    np.savez(path("first.npz"), **first)
    module = path("step.mlir")
    with open(module, "w") as file:
        file.write(run("blocks-run", "train", MODEL, "--data", path("x.hdf5"), "--batches", 1, "--stop-after",
                       "materialize-state").stdout)
    new, expected = trained(path("x.hdf5"), batch), interpreted(module, x, first)
    for name in first:
        assert np.abs(expected[name] - first[name]).max() > 1e-3, name + " did not move"
        worst = np.abs(new[name] - expected[name]).max() / np.abs(expected[name]).max()
        print(f"{steps} steps, {batch} examples, {name}: {worst:.1e}")
        assert worst <= 1e-6, (name, worst)

x = rng.standard_normal((3, 2, 3)).astype(np.float32)
assert (infer(x, "third") == x[2]).all()
assert (infer(x, "last") == 8 * np.tile(first["/p.h0"], (2, 1))).all()
message = infer(x[:2], "third", status=1)
assert "position 2 of axis 0, which has 2 elements" in message, message
# Without steps the last state is the first one; a slice of the data is an error, not a crash.
assert (infer(x[:0], "last") == np.tile(first["/p.h0"], (2, 1))).all()
assert "position 2 of axis 0, which has 0 elements" in infer(x[:0], "third", status=1)

# Extents are checked before the entry runs, each time; windows while it runs.
x = rng.standard_normal((4, 2, 3)).astype(np.float32)
assert (infer(x, "later", entry="parts") == x[1:]).all()
assert (infer(x[:1], "later", entry="parts").shape == (0, 2, 3))
message = infer(x[:0], "later", status=1, entry="parts")
assert "entry 'parts' does not take these data: tensor.extract_slice (line 66) takes a range of (time - 1)" in message, message
assert "time = 0, batch = 2" in message, message
assert (infer(x[:3], "start", entry="parts") == x[:1]).all()
assert (infer(x, "pairs", entry="parts") == x.reshape(2, 2, 2, 3)).all()
message = infer(x[:3], "pairs", status=1, entry="parts")
assert "splits 'time' elements into 2*(time/2), which is not possible where time = 3" in message, message
assert "position 4 of axis 0, which has 4 elements" in infer(x, "windows", status=1, entry="parts")
