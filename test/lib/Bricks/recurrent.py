"""The recurrent bricks, written from their equations in NumPy and float64, against the reference interpreter.

usage: recurrent.py MODEL FOLDER
Every graph of MODEL is named BRICK_CASE; its sources are random.
"""
import json
import os
import re
import subprocess
import sys

import numpy as np

MODEL, FOLDER = sys.argv[1:]
DIM = 3


def logistic(a):
    return 1 / (1 + np.exp(-a))


def rectifier(a):
    return np.maximum(a, 0)


# A step takes the brick's parameters by name and the values by name, and gives the next states.

def simple(p, v):
    return {"states": np.tanh(v["x"] + v["states"] @ p["W"])}


def lstm_of(peepholes, activation, gate):
    def step(p, v):
        h, c = v["states"], v["cells"]
        see = lambda name, cells: cells * p["W_cell_to_" + name] if peepholes else 0
        a = h @ p["W_state"] + v["x"]
        i, f, g, o = (a[:, k * DIM:(k + 1) * DIM] for k in range(4))
        new = gate(f + see("forget", c)) * c + gate(i + see("in", c)) * activation(g)
        return {"states": gate(o + see("out", new)) * activation(new), "cells": new}
    return step


lstm = lstm_of(True, np.tanh, logistic)


def gru(p, v):
    h = v["states"]
    gates = logistic(h @ p["state_to_gates"] + v["g"])
    z, r = gates[:, :DIM], gates[:, DIM:]
    candidate = np.tanh((h * r) @ p["state_to_state"] + v["x"])
    return {"states": z * candidate + (1 - z) * h}


def cudnn(p, v):
    h = v["states"]
    gates = logistic(h @ p["state_to_gates"] + v["g"])
    r, z = gates[:, :DIM], gates[:, DIM:]
    candidate = np.tanh(v["x"] + r * (h @ p["state_to_state"] + p["state_bias"]))
    return {"states": (1 - z) * candidate + z * h}


INITIAL = {"states": "initial_state", "cells": "initial_cells"}
SIMPLE = {"W": (DIM, DIM), "initial_state": (DIM,)}
GRU = {"state_to_state": (DIM, DIM), "state_to_gates": (DIM, 2 * DIM), "initial_state": (DIM,)}
PLAIN = {"W_state": (DIM, 4 * DIM), "initial_state": (DIM,), "initial_cells": (DIM,)}
LSTM = {**PLAIN, "W_cell_to_in": (DIM,), "W_cell_to_forget": (DIM,), "W_cell_to_out": (DIM,)}
STEPS = {"simple": simple, "lstm": lstm, "plain": lstm_of(False, rectifier, rectifier), "gru": gru, "cudnn": cudnn}


def under(prefix, shapes):
    return {prefix + name: shape for name, shape in shapes.items()}


SHAPES = {"simple": under("/simple.", SIMPLE), "lstm": under("/lstm.", LSTM), "plain": under("/plain.", PLAIN),
          "gru": under("/gru.", GRU), "cudnn": under("/cudnn.", {**GRU, "state_bias": (DIM,)}),
          "bi": {**under("/bi/forward.", SIMPLE), **under("/bi/backward.", SIMPLE)},
          "stack": {**under("/stack/lstm#0.", LSTM), **under("/stack/simplerecurrent#1.", SIMPLE),
                    "/stack/fork_1/fork_inputs.W": (DIM, DIM), "/stack/fork_1/fork_inputs.b": (DIM,)},
          "skip": {**under("/skip/lstm#0.", LSTM), **under("/skip/top#1.", SIMPLE),
                   "/skip/fork_1/fork_inputs.W": (DIM, DIM)}}


def below(parameters, prefix):
    return {name[len(prefix):]: value for name, value in parameters.items() if name.startswith(prefix)}


def masked(step, p, v):
    m = v["mask"][:, None] if "mask" in v else 1
    return {name: m * new + (1 - m) * v[name] for name, new in step(p, v).items()}


def loop(step, p, sequences, given, reverse):
    """All states of all steps."""
    steps, batch = sequences["x"].shape[:2]
    state = {name: given.get(name, np.tile(p[start], (batch, 1))) for name, start in INITIAL.items() if start in p}
    results = {name: np.zeros((steps, batch, DIM)) for name in state}
    for t in reversed(range(steps)) if reverse else range(steps):
        state = masked(step, p, {**{name: value[t] for name, value in sequences.items()}, **state})
        for name in state:
            results[name][t] = state[name]
    return results


def layers(p, top, v, reverse):
    """An LSTM and a SimpleRecurrent on it, through a fork."""
    mask = {"mask": v["mask"]} if "mask" in v else {}
    results = loop(lstm, below(p, "lstm#0."), {"x": v["x"], **mask}, {}, reverse)
    up = results["states"] @ p["fork_1/fork_inputs.W"] + p.get("fork_1/fork_inputs.b", 0) + v.get("skipped", 0)
    given = {"states": v["states_1"]} if "states_1" in v else {}
    results["top"] = loop(simple, below(p, top), {"x": up, **mask}, given, reverse)["states"]
    return results


def run(case, p, sources):
    """The outputs of a graph, in float64."""
    brick, how = case.split("_")
    p = below(p, "/" + brick)
    if brick == "bi":
        both = [loop(simple, below(p, name), sources, {}, reverse)["states"]
                for name, reverse in (("/forward.", False), ("/backward.", True))]
        return {"states": np.concatenate(both, axis=2)}
    if brick in ("stack", "skip"):
        return layers(below(p, "/"), "simplerecurrent#1." if brick == "stack" else "top#1.", sources, how == "reverse")
    p = below(p, ".")
    if how == "step":
        start = {name: np.tile(p[key], (len(sources["x"]), 1)) for name, key in INITIAL.items() if key in p}
        return masked(STEPS[brick], p, {**start, **sources})
    given = {name: value for name, value in sources.items() if name in INITIAL}
    sequences = {name: value for name, value in sources.items() if name not in INITIAL}
    results = loop(STEPS[brick], p, sequences, given, how == "reverse")
    if how == "initial":
        results = {name: np.concatenate([np.broadcast_to(p[INITIAL[name]], (1, *stacked.shape[1:])), stacked])
                   for name, stacked in results.items()}
    return results


def interpret(case, parameters, sources):
    command = ["blocks-interpret", MODEL, "--passes", "blocks-expand-bricks,blocks-inline-applications", "--entry", case]
    for option, values in ("--state", parameters), ("--input", sources):
        for name, value in values.items():
            file = os.path.join(FOLDER, name.replace("/", "_") + ".npy")
            np.save(file, value.astype(np.float32))
            command += [option, f"{name}={file}"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return {name: np.array(json.loads(value)) for name, value in re.findall(r" (\w+) = [\dx]*xf32 (.*)", done.stdout)}


def single(a):
    return a.astype(np.float32).astype(np.float64)


os.makedirs(FOLDER, exist_ok=True)
rng = np.random.default_rng(5)
for case, arguments in re.findall(r"blocks.graph @(\w+)\(((?:.|\n)*?)\) {\n", open(MODEL).read()):
    sources = re.findall(r'tensor<([?\dx]+)xf32> {blocks.source = "(\w+)"', arguments)
    parameters = {path: single(.7 * rng.standard_normal(shape)) for path, shape in SHAPES[case.split("_")[0]].items()}
    for steps, batch in (4, 2), (1, 2), (3, 1):
        values = {}
        for shape, name in sources:
            extents = [int(n) for n in shape.split("x") if n != "?"]
            shape = tuple(([batch] if shape.count("?") == 1 else [steps, batch]) + extents)
            values[name] = single(rng.integers(0, 2, shape) if name == "mask" else rng.standard_normal(shape))
        found, expected = interpret(case, parameters, values), run(case, parameters, values)
        assert found.keys() == expected.keys(), (case, found.keys())
        for name in expected:
            worst = np.abs(found[name] - expected[name]).max()
            assert worst < 2e-5, (case, steps, batch, name, worst, found[name], expected[name])
    print(case)
