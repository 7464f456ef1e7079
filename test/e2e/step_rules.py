"""Compiled steps of every rule, and what a model carries from batch to batch, against NumPy in float64.

usage: step_rules.py BIN MODEL INTERPRETER WORK
Four batches of a linear model and of a recurrence whose states go on from one batch to the next. The parameters and
the carried states agree to 2e-6; the logged norm of W is that before each step.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "golden"))
from tools import *
import fuel_file
import numpy as np

BATCHES, ROWS = 4, 5
W, B, R, H = "/linear.W", "/linear.b", "/rnn.W", "/carried.states"
rng = np.random.default_rng(5)
X, Y = (rng.standard_normal((BATCHES * ROWS, n)).astype(np.float32) for n in (3, 2))
FIRST = {W: rng.standard_normal((3, 2)), B: rng.standard_normal(2), R: rng.standard_normal((2, 2)), H: np.ones((1, 2))}


# --- Rules: the step of each parameter from its gradient; s holds buffers -------

def buffer(s, name, like):
    return s.setdefault(name, np.zeros_like(like))


def nesterov(s, g, theta, t):
    s["v"] = .9 * buffer(s, "v", g) + .1 * g
    return .9 * s["v"] + .1 * g


def adamax(s, g, theta, t):
    s["m"] = .9 * buffer(s, "m", g) + .1 * g
    s["u"] = np.maximum(.999 * buffer(s, "u", g), np.abs(g))
    return .05 / (1 - .9**t) * s["m"] / (s["u"] + 1e-8)


def adadelta(s, g, theta, t):
    s["E"] = .95 * buffer(s, "E", g) + .05 * g**2
    step = np.sqrt(buffer(s, "D", g) + 1e-2) / np.sqrt(s["E"] + 1e-2) * g
    s["D"] = .95 * s["D"] + .05 * step**2
    return step


def adagrad(s, g, theta, t):
    s["S"] = buffer(s, "S", g) + g**2
    return .1 * g / (np.sqrt(s["S"]) + 1e-6)


def rmsprop(s, g, theta, t):
    s["E"] = .9 * buffer(s, "E", g) + .1 * g**2
    return .01 * g / np.maximum(np.sqrt(s["E"]), 1)


def variable_clipping(s, g, theta, t):
    q = theta - .1 * g
    n = np.sqrt((q**2).sum(0, keepdims=True))
    return np.where(n <= 1, .1 * g, theta - q / n)


def remove_not_finite(s, g, theta, t):
    return .1 * g


def some(s, g, theta, t):
    return (.1 if theta.ndim == 2 else .01) * g


RULES = {
    "nesterov_momentum(learning_rate=0.1, momentum=0.9)": nesterov,
    "adamax(learning_rate=0.05)": adamax,
    "adadelta(epsilon=1e-2)": adadelta,
    "adagrad(learning_rate=0.1)": adagrad,
    "rmsprop(learning_rate=0.01, max_scaling=1)": rmsprop,
    'scale(learning_rate=0.1), variable_clipping(threshold=1, axis="0")': variable_clipping,
    "scale(learning_rate=0.1), remove_not_finite()": remove_not_finite,
    'scale(learning_rate=0.1, where="role:weight"), scale(learning_rate=0.01, where="role:bias")': some,
}


# --- The model --------------------------------------------------------------------

def gradients(p, x, y):
    """And the states that the next batch starts from; the gradient ends where they came in."""
    d = 2 * (x @ p[W] + p[B] - y) / len(x)
    states = [p[H][0]]
    for row in y:
        states.append(np.tanh(row + states[-1] @ p[R]))
    back, dr = np.zeros(2), np.zeros((2, 2))
    for t in reversed(range(len(y))):
        dz = (2 * states[t + 1] + back) * (1 - states[t + 1]**2)
        dr += np.outer(states[t], dz)
        back = p[R] @ dz
    return {W: x.T @ d, B: d.sum(0), R: dr}, states[-1][None]


def expected(rule):
    p, buffers, norms = dict(FIRST), {}, []
    for i in range(BATCHES):
        rows = slice(i * ROWS, (i + 1) * ROWS)
        norms.append(np.sqrt((p[W]**2).sum()))
        g, last = gradients(p, X[rows].astype(float), Y[rows].astype(float))
        for name in g:
            p[name] = p[name] - rule(buffers.setdefault(name, {}), g[name], p[name], i + 1)
        p[H] = last
    return p, norms


def train(rule):
    remove("log.jsonl", "last.npz")
    run("blocks-run", "train", MODEL, "--data", path("rows.hdf5"), "--batch-size", ROWS, "--batches", BATCHES, "--scheme",
        "sequential", "--step-rule", rule, "--set-parameters", path("first.npz"), "--save-parameters", path("last.npz"),
        "--log", path("log.jsonl"), "--log-every", 1, "--no-progress", "--monitor", "cost,/linear.W_norm")
    norms = {}
    for row in map(json.loads, open(path("log.jsonl"))):
        norms.setdefault(row["iterations"], row["values"]["train//linear.W_norm"])
    return np.load(path("last.npz")), [norms[i + 1] for i in range(BATCHES)]


fuel_file.write(path("rows.hdf5"), {"train": {"x": X, "y": Y}}, {"x": ["batch", "feature"], "y": ["batch", "feature"]})
np.savez(path("first.npz"), **{name: value.astype(np.float32) for name, value in FIRST.items()})
for text, rule in RULES.items():
    # Biases have no axis to be clipped along.
    if rule is variable_clipping:
        rule = lambda s, g, theta, t: variable_clipping(s, g, theta, t) if theta.ndim == 2 else .1 * g
        text = text.replace('axis="0"', 'axis="0", where="role:weight"')
    p, norms = expected(rule)
    found, logged = train(text)
    worst = max(np.abs(found[name] - p[name]).max() for name in FIRST)
    print(f"{text}: {worst:.1e}")
    assert worst < 2e-6, (text, {name: (found[name], p[name]) for name in FIRST})
    np.testing.assert_allclose(logged, norms, rtol=1e-6)
