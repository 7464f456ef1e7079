"""Attention and sequence generators in NumPy and float64, from their equations, against the reference interpreter.

usage: attention.py MODEL FOLDER
Every graph of MODEL is named BRICK_CASE; its sources are random. At the end the sums that the Python original froze in
its tests, from NumPy's generator and its order of initialization.
"""
import json
import os
import re
import subprocess
import sys

import numpy as np

MODEL, FOLDER = sys.argv[1:]


def logistic(a):
    return 1 / (1 + np.exp(-a))


def log_softmax(a):
    a = a - a.max(-1, keepdims=True)
    return a - np.log(np.exp(a).sum(-1, keepdims=True))


# --- The equations; p holds parameters by path below the brick. -----------------

def look(p, attended, mask, states):
    """Weighted averages (batch, features) and weights (batch, time)."""
    match = attended @ p["preprocess.W"] + p["preprocess.b"]
    for name, value in states.items():
        match = match + value @ p[f"state_trans/transform_{name}.W"]
    energies = (np.tanh(match) @ p["energy_comp/linear.W"])[..., 0]
    u = np.exp(energies - energies.max(0)) * mask
    total = u.sum(0)
    weights = u / np.where(total == 0, 1, total)
    return np.einsum("tb,tba->ba", weights, attended), weights.T


def gru(p, x, g, h):
    gates = logistic(h @ p["state_to_gates"] + g)
    z, r = np.split(gates, 2, axis=-1)
    return z * np.tanh((h * r) @ p["state_to_state"] + x) + (1 - z) * h


def below(p, prefix):
    return {name[len(prefix):]: value for name, value in p.items() if name.startswith(prefix)}


def attend_step(p, x, g, h, attended, attended_mask):
    """A GRU's step with attention: states, glimpse, weights."""
    glimpse, weights = look(below(p, "sequencecontentattention/"), attended, attended_mask, {"states": h})
    new = gru(below(p, "gatedrecurrent."), x + glimpse @ p["distribute/fork_inputs.W"],
              g + glimpse @ p["distribute/fork_gate_inputs.W"], h)
    return new, glimpse, weights


def attend(p, v):
    steps, batch = v["inputs"].shape[:2]
    h, results = np.tile(p["gatedrecurrent.initial_state"], (batch, 1)), []
    for t in range(steps):
        new, glimpse, weights = attend_step(p, v["inputs"][t], v["gate_inputs"][t], h, v["attended"],
                                            v.get("attended_mask", 1))
        m = v["mask"][t][:, None] if "mask" in v else 1
        h = m * new + (1 - m) * h
        results.append((h, glimpse, weights))
    return dict(zip(("states", "glimpses", "weights"), map(np.array, zip(*results))))


def transition_first(p, v):
    """The glimpse of the step before, then that of the new states."""
    steps, batch = v["inputs"].shape[:2]
    h, glimpse, results = np.tile(p["gatedrecurrent.initial_state"], (batch, 1)), np.zeros((batch, 2)), []
    for t in range(steps):
        h = v["mask"][t][:, None] * second_step(p, v["inputs"][t], v["gate_inputs"][t], h, glimpse) \
            + (1 - v["mask"][t][:, None]) * h
        glimpse, weights = look(below(p, "sequencecontentattention/"), v["attended"], v["attended_mask"], {"states": h})
        results.append((h, glimpse, weights))
    return dict(zip(("states", "glimpses", "weights"), map(np.array, zip(*results))))


def second_step(p, x, g, h, glimpse):
    return gru(below(p, "gatedrecurrent."), x + glimpse @ p["distribute/fork_inputs.W"],
               g + glimpse @ p["distribute/fork_gate_inputs.W"], h)


class SecondGenerator:
    """The transition first; the readout sees the states and the glimpse before it, and no feedback."""

    def __init__(self, p, attended):
        self.p, self.attended, self.inner = p, attended, below(p, "att_trans/")

    def start(self, batch):
        return np.tile(self.inner["gatedrecurrent.initial_state"], (batch, 1)), np.zeros((batch, 2))

    def costs(self, h, glimpse):
        p = self.p
        return -log_softmax(h @ p["readout/merge/transform_states.W"]
                            + glimpse @ p["readout/merge/transform_weighted_averages.W"] + p["readout/bias.b"])

    def next(self, h, glimpse, y):
        fed = self.p["readout/lookupfeedback/lookuptable.W"][y]
        x, g = (fed @ self.p[f"fork/fork_{name}.W"] + self.p[f"fork/fork_{name}.b"] for name in ("inputs", "gate_inputs"))
        h = second_step(self.inner, x, g, h, glimpse)
        return h, look(below(self.inner, "sequencecontentattention/"), self.attended, 1, {"states": h})[0]

    def matrix(self, outputs):
        (h, glimpse), costs, states = self.start(outputs.shape[1]), [], []
        for y in outputs:
            costs.append(self.costs(h, glimpse)[np.arange(len(y)), y])
            h, glimpse = self.next(h, glimpse, y)
            states.append(h)
        return np.array(costs), np.array(states)


class Generator:
    """A generator step by step; `first` is the initial output."""

    def __init__(self, p, attended=None, attended_mask=1, first=0):
        self.p, self.attended, self.attended_mask, self.first = p, attended, attended_mask, first
        self.inner = below(p, "att_trans/" if attended is not None else "with_fake_attention/")

    def start(self, batch):
        return np.tile(self.inner["gatedrecurrent.initial_state"], (batch, 1)), np.full(batch, self.first)

    def feedback(self, y):
        return self.p["readout/lookupfeedback/lookuptable.W"][y]

    def costs(self, h, y):
        """Of every next output."""
        sources = {"states": h, "feedback": self.feedback(y)}
        if self.attended is not None:
            sources["weighted_averages"] = look(below(self.inner, "sequencecontentattention/"), self.attended,
                                                self.attended_mask, {"states": h})[0]
        merged = sum(value @ self.p[f"readout/merge/transform_{name}.W"] for name, value in sources.items()
                     if f"readout/merge/transform_{name}.W" in self.p)
        return -log_softmax(merged + self.p["readout/bias.b"])

    def next(self, h, y):
        fed = self.feedback(y)
        x, g = (fed @ self.p[f"fork/fork_{name}.W"] + self.p[f"fork/fork_{name}.b"] for name in ("inputs", "gate_inputs"))
        if self.attended is None:
            return gru(below(self.inner, "gatedrecurrent."), x, g, h)
        return attend_step(self.inner, x, g, h, self.attended, self.attended_mask)[0]

    def matrix(self, outputs, mask=None):
        """Costs of given outputs, and the states after each."""
        steps, batch = outputs.shape
        h, y = self.start(batch)
        costs, states = np.zeros((steps, batch)), []
        for t in range(steps):
            m = np.ones(batch) if mask is None else mask[t]
            costs[t] = m * self.costs(h, y)[np.arange(batch), outputs[t]]
            y = outputs[t]
            h = m[:, None] * self.next(h, y) + (1 - m[:, None]) * h
            states.append(h)
        return costs, np.array(states)


# --- What each graph should give --------------------------------------------------

CONTENT = {"preprocess.W": (2, 4), "preprocess.b": (4,), "energy_comp/linear.W": (4, 1),
           "state_trans/transform_states.W": (3, 4)}
GRU = {"gatedrecurrent.state_to_state": (3, 3), "gatedrecurrent.state_to_gates": (3, 6), "gatedrecurrent.initial_state": (3,)}


def under(prefix, shapes):
    return {prefix + name: shape for name, shape in shapes.items()}


ATTENDING = {**GRU, **under("sequencecontentattention/", CONTENT), "distribute/fork_inputs.W": (2, 3),
             "distribute/fork_gate_inputs.W": (2, 6)}
FORK = {"fork/fork_inputs.W": (2, 3), "fork/fork_inputs.b": (3,), "fork/fork_gate_inputs.W": (2, 6),
        "fork/fork_gate_inputs.b": (6,)}
READOUT = {"readout/lookupfeedback/lookuptable.W": (5, 2), "readout/merge/transform_states.W": (3, 5),
           "readout/merge/transform_feedback.W": (2, 5), "readout/bias.b": (5,)}
SHAPES = {
    "content": {**CONTENT, "state_trans/transform_cells.W": (2, 4)},
    "gru": ATTENDING,
    "simple": {"simplerecurrent.W": (3, 3), "simplerecurrent.initial_state": (3,), "distribute/fork_inputs.W": (2, 3)},
    "plain": {**READOUT, **FORK, **under("with_fake_attention/", GRU)},
    "looking": {**READOUT, "readout/merge/transform_weighted_averages.W": (2, 5), **FORK, **under("att_trans/", ATTENDING)},
    "later": ATTENDING,
    "second": {**{name: shape for name, shape in READOUT.items() if "feedback.W" not in name},
               "readout/merge/transform_weighted_averages.W": (2, 5), **FORK, **under("att_trans/", ATTENDING)},
    "trivial": {"readout/merge/transform_states.W": (3, 2), "readout/bias.b": (2,), "fork/fork_inputs.W": (2, 3),
                "fork/fork_inputs.b": (3,), "with_fake_attention/simplerecurrent.W": (3, 3),
                "with_fake_attention/simplerecurrent.initial_state": (3,)},
}


def simple_attended(p, v):
    h, states = np.tile(p["simplerecurrent.initial_state"], (v["inputs"].shape[1], 1)), []
    for x, seen in zip(v["inputs"], v["attended"]):
        h = np.tanh(x + seen @ p["distribute/fork_inputs.W"] + h @ p["simplerecurrent.W"])
        states.append(h)
    return {"states": np.array(states), "glimpses": v["attended"]}


def trivial_generated(p, v):
    steps, batch = v["like"].shape
    inner = below(p, "with_fake_attention/simplerecurrent.")
    h, states, outputs = np.tile(inner["initial_state"], (batch, 1)), [], []
    for _ in range(steps):
        y = h @ p["readout/merge/transform_states.W"] + p["readout/bias.b"]
        h = np.tanh(y @ p["fork/fork_inputs.W"] + p["fork/fork_inputs.b"] + h @ inner["W"])
        states.append(h)
        outputs.append(y)
    return {"states": np.array(states), "outputs": np.array(outputs), "costs": np.zeros((steps, batch))}


def second(p, v, how, found):
    generator = SecondGenerator(p, v["attended"])
    if how == "search":
        h, glimpse = generator.start(len(v["outputs"]))
        after, seen = generator.next(h, glimpse, v["outputs"])
        return {"first": generator.costs(h, glimpse), "second": generator.costs(after, seen), "states": after}
    outputs = found["outputs"].astype(int) if how == "sampled" else v["outputs"]
    costs, states = generator.matrix(outputs)
    return {"outputs": outputs, "costs": costs, "states": states} if how == "sampled" else {"costs": costs}


def expected(case, p, v, found):
    brick, how = case.split("_")
    if brick == "content":
        states = {name: v[name] for name in ("states", "cells")}
        return dict(zip(("glimpses", "weights"), look(p, v["attended"], v.get("attended_mask", 1), states)))
    if brick == "simple":
        return simple_attended(p, v)
    if brick == "trivial":
        return trivial_generated(p, v)
    if brick == "later":
        return transition_first(p, v)
    if brick == "second":
        return second(p, v, how, found)
    if case == "gru_pieces":
        batch = len(v["inputs"])
        h = np.tile(p["gatedrecurrent.initial_state"], (batch, 1))
        return {**dict(zip(("states", "glimpses", "weights"),
                           attend_step(p, v["inputs"], v["gate_inputs"], h, v["attended"], 1))),
                "before": np.zeros((batch, 2))}
    if brick == "gru":
        results = attend(p, v)
        if how == "initial":
            first = np.broadcast_to(p["gatedrecurrent.initial_state"], results["states"][:1].shape)
            results = {name: np.concatenate([first if name == "states" else 0 * value[:1], value])
                       for name, value in results.items()}
        return results
    generator = Generator(p, v.get("attended"), v.get("attended_mask", 1), first=1 if brick == "plain" else 0)
    if how == "search":
        h, y = generator.start(len(v["outputs"]))
        after = generator.next(h, v["outputs"])
        return {"first": generator.costs(h, y), "second": generator.costs(after, v["outputs"]), "states": after}
    if how == "sampled":
        outputs = found["outputs"].astype(int)
        assert outputs.min() >= 0 and outputs.max() < 5
        costs, states = generator.matrix(outputs)
        return {"outputs": outputs, "costs": costs, "states": states}
    costs, _ = generator.matrix(v["outputs"], v.get("mask"))
    return {"costs": costs, "cost": costs.sum() / costs.shape[1]} if case != "looking_cost" else {"costs": costs}


# --- Comparing --------------------------------------------------------------------

def interpret(model, case, parameters, sources, watch=""):
    watching = f"blocks-watch{{values={watch}}}," if watch else ""
    passes = f"blocks-expand-bricks,blocks-inline-applications,{watching}blocks-convert-to-f64"
    command = ["blocks-interpret", model, "--passes", passes, "--entry", case]
    for option, values in ("--state", parameters), ("--input", sources):
        for name, value in values.items():
            file = os.path.join(FOLDER, name.replace("/", "_") + ".npy")
            np.save(file, value)
            command += [option, f"{name}={file}"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return {name: np.array(json.loads(value))
            for name, value in re.findall(r" ([\w/.]+) = [\dx]*(?:x?f64|xi64) (.*)", done.stdout)}


def check_all(rng):
    for case, arguments in re.findall(r"blocks.graph @(\w+)\(((?:.|\n)*?)\) {\n", open(MODEL).read()):
        brick = case.split("_")[0]
        p = {path: .7 * rng.standard_normal(shape) for path, shape in SHAPES[brick].items()}
        names = {f"/{brick}/{path}": value for path, value in p.items()}
        for steps, length, batch in (4, 5, 3), (1, 1, 2), (3, 2, 1):
            if brick == "simple":
                length = steps
            v = {}
            for shape, kind, name in re.findall(r'tensor<([?\dx]+)x([fi]\d+)> {blocks.source = "(\w+)"', arguments):
                extents = [int(n) for n in shape.split("x") if n != "?"]
                time = length if name.startswith("attended") else steps
                shape = tuple(([batch] if shape.count("?") == 1 else [time, batch]) + extents)
                v[name] = (rng.integers(0, 5, shape) if kind == "i64" else
                           rng.integers(0, 2, shape).astype(float) if name.endswith("mask") else
                           rng.standard_normal(shape))
            if "attended_mask" in v:
                v["attended_mask"][:, 0] = 0  # nothing is left: zeros
            found = interpret(MODEL, case, names, v)
            wanted = expected(case, p, v, found)
            assert found.keys() == wanted.keys(), (case, found.keys(), wanted.keys())
            for name in wanted:
                assert found[name].shape == np.shape(wanted[name]), (case, name, found[name].shape)
                worst = np.abs(found[name] - wanted[name]).max()
                assert worst < 1e-11, (case, steps, batch, name, worst, found[name], wanted[name])
        print(case)


# --- Blocks' frozen sums ------------------------------------------------------------

def padded(rng, length, batch):
    mask = np.ones((length, batch))
    for i in range(batch):
        mask[1 + rng.randint(0, length - 1):, i] = 0
    return mask


SUMS = """
blocks.brick @recurrent = "AttentionRecurrent" {transition = {kind = "SimpleRecurrent", dim = 5, activation = "Identity"}, attention = {kind = "SequenceContentAttention", match_dim = 10, attended_dim = 10}}
blocks.brick @generator = "SequenceGenerator" {
  readout = {kind = "Readout", source_names = ["states"], readout_dim = 5, emitter = "SoftmaxEmitter", feedback_brick = {kind = "LookupFeedback", num_outputs = 5, feedback_dim = 3}},
  transition = {kind = "GatedRecurrent", dim = 20}}
blocks.brick @reals = "SequenceGenerator" {
  readout = {kind = "Readout", source_names = ["states"], readout_dim = 1, emitter = {kind = "TrivialEmitter", cost = "squared_error"}},
  transition = {kind = "SimpleRecurrent", dim = 20, activation = "Tanh"}}
blocks.brick @looker = "SequenceGenerator" {
  readout = {kind = "Readout", source_names = ["states", "weighted_averages"], readout_dim = 2, emitter = {kind = "TrivialEmitter", cost = "squared_error"}},
  transition = {kind = "SimpleRecurrent", dim = 2, activation = "Identity"}, attention = {kind = "SequenceContentAttention", match_dim = 2, attended_dim = 3}}
blocks.graph @reals_cost(%y: tensor<?x?x1xf32> {blocks.source = "outputs", blocks.axes = ["time", "batch", ""]}, %m: tensor<?x?xf32> {blocks.source = "mask", blocks.axes = ["time", "batch"]}) {
  %c = blocks.apply @reals::@cost_matrix(%y, %m) : (tensor<?x?x1xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %t = blocks.apply @reals::@cost(%y, %m) : (tensor<?x?x1xf32>, tensor<?x?xf32>) -> tensor<f32>
  blocks.output %c "costs" : tensor<?x?xf32>
  blocks.output %t "cost" roles [cost] : tensor<f32>
}
blocks.graph @reals_generated(%h: tensor<?x20xf32> {blocks.source = "states"}) {
  %s, %y, %c = blocks.apply @reals::@generate(%h) {n_steps = 10, arguments = ["states"]} : (tensor<?x20xf32>) -> (tensor<10x?x20xf32>, tensor<10x?x1xf32>, tensor<10x?xf32>)
  blocks.output %s "states" : tensor<10x?x20xf32>
  blocks.output %y "outputs" : tensor<10x?x1xf32>
  blocks.output %c "costs" : tensor<10x?xf32>
}
blocks.graph @looker_cost(%y: tensor<?x?x2xf32> {blocks.source = "outputs", blocks.axes = ["time", "batch", ""]}, %m: tensor<?x?xf32> {blocks.source = "mask", blocks.axes = ["time", "batch"]}, %a: tensor<?x?x3xf32> {blocks.source = "attended", blocks.axes = ["positions", "batch", ""]}, %n: tensor<?x?xf32> {blocks.source = "attended_mask", blocks.axes = ["positions", "batch"]}) {
  %c = blocks.apply @looker::@cost_matrix(%y, %a, %m, %n) {arguments = ["outputs", "attended", "mask", "attended_mask"]} : (tensor<?x?x2xf32>, tensor<?x?x3xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  blocks.output %c "costs" : tensor<?x?xf32>
}
blocks.graph @looker_generated(%a: tensor<?x?x3xf32> {blocks.source = "attended", blocks.axes = ["positions", "batch", ""]}, %n: tensor<?x?xf32> {blocks.source = "attended_mask", blocks.axes = ["positions", "batch"]}) {
  %s, %y, %g, %w, %c = blocks.apply @looker::@generate(%a, %n) {n_steps = 30, arguments = ["attended", "attended_mask"]} : (tensor<?x?x3xf32>, tensor<?x?xf32>) -> (tensor<30x?x2xf32>, tensor<30x?x2xf32>, tensor<30x?x3xf32>, tensor<30x?x?xf32>, tensor<30x?xf32>)
  blocks.output %s "states" : tensor<30x?x2xf32>
  blocks.output %y "outputs" : tensor<30x?x2xf32>
  blocks.output %g "glimpses" : tensor<30x?x3xf32>
  blocks.output %w "weights" : tensor<30x?x?xf32>
  blocks.output %c "costs" : tensor<30x?xf32>
}
blocks.graph @attended(%x: tensor<?x?x5xf32> {blocks.source = "inputs", blocks.axes = ["time", "batch", ""]}, %m: tensor<?x?xf32> {blocks.source = "mask", blocks.axes = ["time", "batch"]}, %a: tensor<?x?x10xf32> {blocks.source = "attended", blocks.axes = ["positions", "batch", ""]}, %n: tensor<?x?xf32> {blocks.source = "attended_mask", blocks.axes = ["positions", "batch"]}) {
  %s, %g, %w = blocks.apply @recurrent::@apply(%x, %m, %a, %n) {arguments = ["inputs", "mask", "attended", "attended_mask"]} : (tensor<?x?x5xf32>, tensor<?x?xf32>, tensor<?x?x10xf32>, tensor<?x?xf32>) -> (tensor<?x?x5xf32>, tensor<?x?x10xf32>, tensor<?x?x?xf32>)
  blocks.output %s "states" : tensor<?x?x5xf32>
  blocks.output %g "glimpses" : tensor<?x?x10xf32>
}
blocks.graph @integers(%y: tensor<?x?xi64> {blocks.source = "outputs", blocks.axes = ["time", "batch"]}) {
  %c = blocks.apply @generator::@cost(%y) : (tensor<?x?xi64>) -> tensor<f32>
  blocks.output %c "cost" : tensor<f32>
}
"""


def check_sums():
    model = os.path.join(FOLDER, "sums.mlir")
    with open(model, "w") as file:
        file.write(SUMS)
    init, rng = np.random.RandomState(1234), np.random.RandomState(1234)

    def gaussian(std, *shape):
        return init.normal(0, std, size=shape)
    p = {"/recurrent/simplerecurrent.W": gaussian(.5, 5, 5), "/recurrent/simplerecurrent.initial_state": np.zeros(5)}
    look_at = "/recurrent/sequencecontentattention/"
    p.update({look_at + "state_trans/transform_states.W": gaussian(.5, 5, 10), look_at + "preprocess.b": np.zeros(10),
              look_at + "preprocess.W": gaussian(.5, 10, 10), look_at + "energy_comp/linear.W": gaussian(.5, 10, 1),
              "/recurrent/distribute/fork_inputs.W": gaussian(.5, 10, 5)})
    v = {"inputs": rng.uniform(size=(20, 4, 5)), "mask": padded(rng, 20, 4), "attended": rng.uniform(size=(15, 4, 10)),
         "attended_mask": padded(rng, 15, 4)}
    found = interpret(model, "attended", p, v)
    np.testing.assert_allclose([found["states"].sum(), found["glimpses"].sum()], [113.429, 415.901], rtol=1e-5)

    init, rng = np.random.RandomState(1234), np.random.RandomState(1234)
    p = {"/generator/readout/lookupfeedback/lookuptable.W": gaussian(.1, 5, 3),
         "/generator/readout/merge/transform_states.W": gaussian(.1, 20, 5), "/generator/readout/bias.b": np.zeros(5)}
    for name, dim in ("inputs", 20), ("gate_inputs", 40):
        p.update({f"/generator/fork/fork_{name}.b": np.zeros(dim), f"/generator/fork/fork_{name}.W": gaussian(.1, 3, dim)})
    inner = "/generator/with_fake_attention/gatedrecurrent."
    p.update({inner + "state_to_state": gaussian(.1, 20, 20), inner + "initial_state": np.zeros(20),
              inner + "state_to_gates": np.concatenate([gaussian(.1, 20, 20), gaussian(.1, 20, 20)], axis=1)})
    found = interpret(model, "integers", p, {"outputs": rng.randint(5, size=(10, 30))})
    np.testing.assert_allclose(found["cost"], 16.0942, rtol=1e-5)

    # Outputs are real numbers; the cost of the emitter is the squared error.
    init, rng = np.random.RandomState(1234), np.random.RandomState(1234)
    p = {"/reals/readout/merge/transform_states.W": gaussian(.1, 20, 1), "/reals/readout/bias.b": np.zeros(1),
         "/reals/fork/fork_inputs.W": gaussian(.1, 1, 20), "/reals/fork/fork_inputs.b": np.zeros(20),
         "/reals/with_fake_attention/simplerecurrent.W": gaussian(.1, 20, 20),
         "/reals/with_fake_attention/simplerecurrent.initial_state": np.zeros(20)}
    v = {"outputs": rng.uniform(size=(10, 30, 1)), "mask": np.ones((10, 30))}
    found = interpret(model, "reals_cost", p, v)
    np.testing.assert_allclose([found["costs"].sum(), found["cost"]], [115.594, 3.8531], rtol=1e-5)
    watched = interpret(model, "reals_cost", p, v, watch="/reals.per_sequence_element")
    np.testing.assert_allclose(watched["/reals.per_sequence_element"], .38531, rtol=1e-5)
    found = interpret(model, "reals_generated", p, {"states": rng.uniform(size=(30, 20))})
    np.testing.assert_allclose([found["outputs"].sum(), found["states"].sum(), found["costs"].sum()],
                               [-.33683, 15.7909, 0], rtol=1e-5)

    # The same with attention.
    init, rng = np.random.RandomState(1234), np.random.RandomState(1234)
    inner = "/looker/att_trans/"
    look_at = inner + "sequencecontentattention/"
    p = {"/looker/readout/merge/transform_states.W": gaussian(.1, 2, 2),
         "/looker/readout/merge/transform_weighted_averages.W": gaussian(.1, 3, 2), "/looker/readout/bias.b": np.zeros(2),
         "/looker/fork/fork_inputs.W": gaussian(.1, 2, 2), "/looker/fork/fork_inputs.b": np.zeros(2),
         inner + "simplerecurrent.W": gaussian(.1, 2, 2), inner + "simplerecurrent.initial_state": np.zeros(2),
         look_at + "state_trans/transform_states.W": gaussian(.1, 2, 2), look_at + "preprocess.b": np.zeros(2),
         look_at + "preprocess.W": gaussian(.1, 3, 2), look_at + "energy_comp/linear.W": gaussian(.1, 2, 1),
         inner + "distribute/fork_inputs.W": gaussian(.1, 3, 2)}
    v = {"outputs": rng.uniform(size=(10, 4, 2)), "mask": padded(rng, 10, 4), "attended": rng.uniform(size=(11, 4, 3)),
         "attended_mask": padded(rng, 11, 4)}
    found = interpret(model, "looker_cost", p, v)
    np.testing.assert_allclose(found["costs"].sum(), 13.5042, rtol=1e-5)
    found = interpret(model, "looker_generated", p, {name: v[name] for name in ("attended", "attended_mask")})
    np.testing.assert_allclose([found[name].sum() for name in ("states", "outputs", "glimpses", "weights", "costs")],
                               [23.4172, -11.6008, 199.2402, 120, 0], rtol=1e-5)
    print("Blocks' sums")


os.makedirs(FOLDER, exist_ok=True)
check_all(np.random.default_rng(7))
check_sums()
