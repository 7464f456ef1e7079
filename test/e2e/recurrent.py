"""A recurrent network, compiled: its training steps are those of NumPy and of the reference interpreter.

usage: recurrent.py BIN MODEL INTERPRETER WORK
Five steps of SGD from a Fuel file of (batch, time, feature), for several numbers of examples and steps, from one
compile; with a mask, a trained initial state, and dropout in the loop. Costs and parameters agree with float64 to
1e-5 (relative to the largest element of a parameter), with the reference to the same. With `{checkpoint}` the numbers
are the same, from one compile as well, and the memory of what the loop keeps grows as the root of the length.
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "golden"))
from tools import *
import fuel_file
import numpy as np
import philox
import recurrent_reference as reference

INTERPRETER = DATA  # the third argument, here
STEPS, RATE, SEED, TOLERANCE = 5, 0.5, 3, 1e-5
DROPOUT = 'dropout(p=0.5, where="role:output brick:/rnn/tanh")'


def batches_of(steps, batch, rng):
    """Batches of sequences, each of its own length; padding is not zero, and counts for nothing."""
    for _ in range(STEPS):
        lengths = rng.integers(1, steps + 1, batch)
        mask = (np.arange(steps) < lengths[:, None]).astype(np.float32)
        yield (rng.standard_normal((batch, steps, 3)).astype(np.float32), mask,
               rng.integers(0, 5, (batch, steps)).astype(np.uint8))


def write(name, batches):
    sources = dict(zip(("x", "mask", "y"), (np.concatenate(a) for a in zip(*batches))))
    fuel_file.write(path(name), {"train": sources}, {"x": ["batch", "time", "feature"], "mask": ["batch", "time"],
                                                     "y": ["batch", "time"]})


def train(name, batch, *extra, rate=RATE, model=MODEL):
    """The costs of the steps, the parameters after them, and whether the object came from the cache."""
    remove(name + ".jsonl", name + ".npz")
    done = run("blocks-run", "train", model, "--data", path(name + ".hdf5"), "--batch-size", batch, "--batches", STEPS,
               "--scheme", "sequential", "--step-rule", f"scale(learning_rate={rate})", "--set-parameters",
               path("first.npz"), "--save-parameters", path(name + ".npz"), "--log", path(name + ".jsonl"),
               "--log-every", 1, "--seed", SEED, "--no-progress", "--json", *extra)
    costs = {}
    for row in map(json.loads, open(path(name + ".jsonl"))):
        costs.setdefault(row["iterations"], row["values"]["train/cost"])
    cached = {e["cached"] for e in events(done, "compiled")}
    return [costs[i + 1] for i in range(STEPS)], np.load(path(name + ".npz")), cached


def compare(what, found, expected):
    (costs, parameters), (expected_costs, expected_parameters) = found, expected
    worst = max(abs(c / e - 1) for c, e in zip(costs, expected_costs))
    for key in reference.PATHS.values():
        difference = np.abs(parameters[key] - expected_parameters[key]).max() / np.abs(expected_parameters[key]).max()
        worst = max(worst, float(difference))
    print(f"{what}: {worst:.1e}")
    assert worst <= TOLERANCE, (what, costs, expected_costs)


def factors_of(site, steps, batch):
    """2 where the unit stays, 0 where it goes, as (time, batch, 8) for each training step."""
    return [np.array([[2.0 * (np.float32((philox.bits(SEED, site, i, t, e) >> 8) * 2.0**-24) < 0.5)
                       for e in range(batch * 8)] for t in range(steps)]).reshape(steps, batch, 8)
            for i in range(STEPS)]


def text_values(text):
    """{"new /rnn.W": array, "cost": array} of what the interpreter printed."""
    lines = re.findall(r"@train (.*) = (?:[\dx]*x)?\w+ (.*)", text)
    return {name: np.array(json.loads(value)) for name, value in lines}


def interpret(module, batches, parameters):
    """The same five steps by the reference interpreter, on the IR that was compiled."""
    state = {**parameters, "/algorithm.step": np.int64(0), "/algorithm.seed": np.int64(SEED),
             "/algorithm.learning_rate": np.float32(RATE)}
    costs = []
    for batch in batches:
        arguments = []
        for option, values in ("--input", dict(zip(("x", "mask", "y"), batch))), ("--state", state):
            for name, value in values.items():
                file = path(name.replace("/", "_") + ".npy")
                np.save(file, value)
                arguments += [option, f"{name}={file}"]
        done = subprocess.run([INTERPRETER, module, "--entry", "train", *arguments], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        values = text_values(done.stdout)
        costs.append(float(values["cost"]))
        for key in state:
            if "new " + key in values:
                state[key] = values["new " + key].astype(np.asarray(state[key]).dtype)
    return costs, state


rng = np.random.default_rng(7)
first = reference.initial(rng)
np.savez(path("first.npz"), **first)
with open(path("segments.mlir"), "w") as file:
    file.write(open(MODEL).read().replace("(%inputs, %masks) :", "(%inputs, %masks) {checkpoint} :"))
assert "{checkpoint}" in open(path("segments.mlir")).read()
compiles, compiles_of_segments = [], []
for steps, batch in (1, 1), (1, 3), (4, 1), (7, 5):
    batches = list(batches_of(steps, batch, rng))
    name = f"t{steps}b{batch}"
    write(name + ".hdf5", batches)
    costs, parameters, cached = train(name, batch)
    compiles.append(cached)
    compare(f"{steps} steps, {batch} examples, NumPy", (costs, parameters), reference.train(first, batches, RATE))

    for options in (), ("--regularize", DROPOUT):
        whole = train(name, batch, *options)
        found, parameters_of_segments, cached = train(name, batch, *options, model=path("segments.mlir"))
        assert found[0] == whole[0][0], "the values of the steps differ"
        compare(f"{steps} steps, {batch} examples, {len(options)} options, segments", (found, parameters_of_segments), whole[:2])
        compiles_of_segments.append(cached)

    dropped, parameters, cached = train(name, batch, "--regularize", DROPOUT)
    assert dropped != costs, "dropout changed nothing"
    module = path(name + ".mlir")
    with open(module, "w") as file:
        file.write(run("blocks-run", "train", MODEL, "--data", path(name + ".hdf5"), "--regularize", DROPOUT,
                       "--step-rule", f"scale(learning_rate={RATE})", "--batches", 1, "--stop-after", "materialize-state").stdout)
    sites = set(re.findall(r"blocks.random uniform like .* site (-?\d+) index", open(module).read()))
    assert len(sites) == 1, "forward and backward draw different masks"
    factors = factors_of(int(sites.pop()) % 2**32, steps, batch)
    compare(f"{steps} steps, {batch} examples, dropout, NumPy", (dropped, parameters),
            reference.train(first, batches, RATE, factors))
    compare(f"{steps} steps, {batch} examples, dropout, reference", (dropped, parameters),
            interpret(module, batches, first))
assert compiles[1:] == [{True}] * 3, f"another shape was compiled again: {compiles}"
assert compiles_of_segments[2:] == [{True}] * 6, f"another shape was compiled again: {compiles_of_segments}"

# The same batch, and parameters that stay: only the masks differ from step to step.
write("same.hdf5", [batches[0]] * STEPS)
assert len(set(train("same", batch, rate=0)[0])) == 1
assert len(set(train("same", batch, "--regularize", DROPOUT, rate=0)[0])) == STEPS

# A mask of another length than the sequences: both lengths, and where each was seen.
x, mask, y = batches[0]
fuel_file.write(path("short.hdf5"), {"train": {"x": x, "mask": mask[:, :-1], "y": y}},
                {"x": ["batch", "time", "feature"], "mask": ["batch", "time"], "y": ["batch", "time"]})
done = run("blocks-run", "train", MODEL, "--data", path("short.hdf5"), "--batch-size", 5, "--batches", 1, "--step-rule",
           "scale(learning_rate=0.1)", "--no-progress", status=1)
assert re.search(r"mask.*axis 'time' is 6, but source 'x' .* has 7", done.stderr, re.S), done.stderr

# What a loop keeps for its gradient: with segments, four times the steps take about twice the memory.
COUNTED = """
blocks.brick @rnn {
  blocks.parameter @W : tensor<64x64xf32> roles [weight] init #blocks.isotropic_gaussian<std = 0.1>
}
blocks.graph @cost(%x: tensor<?x1xf32> {blocks.source = "x", blocks.axes = ["time", ""]},
                   %h0: tensor<?x64xf32> {blocks.source = "h0", blocks.axes = ["batch", ""]}) {
  %W = blocks.get @rnn::@W : tensor<64x64xf32>
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %T = tensor.dim %x, %zero : tensor<?x1xf32>
  %hs = blocks.scan states(%h0) steps(%T) {ATTRIBUTE} : (tensor<?x64xf32>, index) -> tensor<?x?x64xf32> {
  ^bb0(%t: index, %h: tensor<?x64xf32>):
    %p = blocks.matmul %h, %W : tensor<?x64xf32>, tensor<64x64xf32> to tensor<?x64xf32>
    %n = math.tanh %p : tensor<?x64xf32>
    blocks.yield states(%n : tensor<?x64xf32>)
  }
  %B = tensor.dim %hs, %one : tensor<?x?x64xf32>
  %last = arith.subi %T, %one : index
  %h = tensor.extract_slice %hs[%last, 0, 0] [1, %B, 64] [1, 1, 1] : tensor<?x?x64xf32> to tensor<?x64xf32>
  %q = arith.mulf %h, %h : tensor<?x64xf32>
  %cost = blocks.reduce sum %q dims [0, 1] : tensor<?x64xf32> to tensor<f32>
  blocks.output %cost "cost" roles [cost] : tensor<f32>
}
"""


def memory(attribute):
    with open(path("counted.mlir"), "w") as file:
        file.write(COUNTED.replace("ATTRIBUTE", attribute))
    plans = []
    for steps in 16, 64, 256:
        done = run("blocks-run", "bench", path("counted.mlir"), "--steps", 1, "--shape", f"time={steps},batch=64",
                   "--step-rule", "scale(learning_rate=0.001)", "--json")
        plans.append(max(event["bytes"] for event in events(done, "plan")))
    return plans


kept, segments = memory(""), memory("blocks.checkpoint")
print(f"bytes for 16, 64, 256 steps: {kept}, in segments {segments}")
assert kept[2] > 3.5 * kept[1], kept
assert segments[1] < 2.1 * segments[0] and segments[2] < 2.1 * segments[1] and segments[2] < kept[2] / 3, segments
