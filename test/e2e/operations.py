"""Operations and bricks in compiled code: one training step of each model of a folder, against the reference.

usage: operations.py BIN FOLDER INTERPRETER WORK
Parameters and outputs agree with the reference interpreter to 1e-5 of the largest element, at several extents, and
their bits do not depend on the number of threads. A row number out of range is an error that names row and value.
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "golden"))
from tools import *
import fuel_file
import numpy as np

INTERPRETER, RATE, TOLERANCE = DATA, 0.1, 1e-5


def save(name, value):
    np.save(path(name + ".npy"), value)
    return path(name + ".npy")


def signature(module, entry):
    """The text of an entry's arguments."""
    return pathlib.Path(module).read_text().split(f"func.func @{entry}(", 1)[1].split(" -> ", 1)[0]


def read_by(module, entry, sources):
    """The sources that an entry reads."""
    found = re.findall(r'blocks.source = "(\w+)"', signature(module, entry))
    return {name: value for name, value in sources.items() if name in found}


def shapes_of(module):
    """Paths and shapes of what a training step reads or writes, but the algorithm's own state."""
    found = re.findall(r'tensor<([\dx]*?)x?f32> \{blocks.state = "([^"]+)"', signature(module, "train"))
    return {name: tuple(map(int, shape.split("x"))) for shape, name in found if not name.startswith("/algorithm")}


def first_value(rng, name, shape):
    value = rng.standard_normal(shape).astype(np.float32)
    return np.abs(value) + np.float32(0.5) if "stdev" in name else value


def train(model, batch, threads):
    """The parameters after one step of the compiled code."""
    run("blocks-run", "train", model, "--data", path("data.hdf5"), "--batch-size", batch, "--batches", 1,
        "--step-rule", f"scale(learning_rate={RATE})", "--set-parameters", path("first.npz"), "--save-parameters",
        path("new.npz"), "--threads", threads, "--no-progress")
    return dict(np.load(path("new.npz")))


def interpret(module, entry, sources, state):
    """What an entry yields in the reference interpreter: values by name."""
    arguments = [f"--state={name}=" + save(name.replace("/", "_"), value) for name, value in state.items()]
    sources = read_by(module, entry, sources)
    arguments += [f"--input={name}=" + save(name, value) for name, value in sources.items()]
    done = subprocess.run([INTERPRETER, module, "--entry", entry, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    values = {}
    for name, shape, value in re.findall(rf"@{entry} (.*) = ([\dx]*?)x?[fiu]\w+ (.*)", done.stdout):
        extents = [int(n) for n in shape.split("x")] if shape else []
        values[name.removeprefix("new ")] = np.array(json.loads(value)).reshape(extents)
    return values


def compare(what, found, expected):
    scale = max(np.abs(expected).max(initial=0), 1e-6)
    worst = np.abs(found - expected).max(initial=0) / scale
    print(f"{what}: {worst:.1e}")
    assert found.shape == expected.shape and worst <= TOLERANCE, (what, worst)


def stopped(model, command, *options):
    """The module after materialize-state."""
    module = path("step.mlir")
    with open(module, "w") as file:
        file.write(run("blocks-run", command, model, *options, "--stop-after", "materialize-state").stdout)
    return module


def check(model, batch, time):
    rng = np.random.default_rng(batch * 100 + time)
    sources = {"x": rng.standard_normal((batch, time, 5)).astype(np.float32),
               "i": rng.integers(0, min(7, batch), (batch, time)).astype(np.uint8)}
    fuel_file.write(path("data.hdf5"), {"train": sources},
                    {"x": ["batch", "time", "feature"], "i": ["batch", "time"]})
    module = stopped(model, "train", "--data", path("data.hdf5"), "--batches", 1)
    first = {name: first_value(rng, name, shape) for name, shape in shapes_of(module).items()}
    np.savez(path("first.npz"), **first)
    expected = interpret(module, "train", sources, {**first, "/algorithm.learning_rate": np.float32(RATE)})
    new, again = train(model, batch, 1), train(model, batch, 2)
    for name in first:
        compare(f"{model.stem} {batch}x{time} {name}", new[name], expected[name])
        assert new[name].tobytes() == again[name].tobytes(), name + " depends on the number of threads"
    for entry, output in re.findall(r"blocks.graph @(\w+)\(.*?blocks.output %\w+ \"(\w+)\" : ", model.read_text(),
                                    re.S):
        infer(model, module, entry, output, sources, first)


def infer(model, module, entry, output, sources, first):
    plain = subprocess.run([os.path.join(BIN, "blocks-opt"), model, "--blocks-expand-bricks",
                            "--blocks-inline-applications", "--blocks-prune=outputs=" + output,
                            "--blocks-materialize-state"], capture_output=True, text=True)
    assert plain.returncode == 0, plain.stderr
    pathlib.Path(path("plain.mlir")).write_text(plain.stdout)
    expected = interpret(path("plain.mlir"), entry, sources, first)
    inputs = [f"--input={name}=" + save(name, value)
              for name, value in read_by(path("plain.mlir"), entry, sources).items()]
    run("blocks-run", "infer", model, "--entry", entry, *inputs, "--output", f"{output}=" + path("out.npy"),
        "--parameters", path("first.npz"))
    compare(f"{model.stem} @{entry} {output}", np.load(path("out.npy")), expected[output])


models = sorted(pathlib.Path(MODEL).glob("*.mlir"))
assert models, MODEL
for model in models:
    for batch, time in (1, 1), (5, 3), (64, 9):
        check(model, batch, time)

gather = pathlib.Path(MODEL) / "gather.mlir"
if not gather.exists():
    sys.exit()
bad = np.zeros((2, 3), np.uint8)
bad[1, 1] = 9
message = run("blocks-run", "infer", gather, "--entry", "cost", "--input", "i=" + save("i", bad), "--output",
              "rows=" + path("out.npy"), status=1).stderr
for part in "/p", "row 4 of the indices", "is 9", "rows 0 to 6":
    assert part in message, (part, message)
