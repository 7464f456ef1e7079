"""Steps of the rules over three batches, against Blocks' frozen numbers.

The cost is Σa²; `a` is set to each row of VALUES in turn while the buffers go
on. The steps are old minus new values, as blocks-interpret computes them.
Usage: golden-steps.py MODEL FOLDER (for the NPY files)
"""
import json
import os
import subprocess
import sys

import numpy as np

VALUES = [(3, 4), (2, 3), (1, 1.5)]
CASES = [
    # rule, the values of a, the steps, relative tolerance
    ("scale(learning_rate=0.1)", VALUES, [(.6, .8), (.4, .6), (.2, .3)], 1e-6),
    ("basic_momentum(momentum=0.5)", [(3, 4)] * 3, [(6, 8), (9, 12), (10.5, 14)], 1e-6),
    ("momentum(learning_rate=0.1, momentum=0.5)", [(3, 4)] * 3, [(.6, .8), (.9, 1.2), (1.05, 1.4)], 1e-6),
    ("adam()", VALUES, [(.002, .002), (.0019407, .00196515), (.00178724, .0018223)], 1e-4),
    ("step_clipping(threshold=8)", [(3, 4), (1.5, 2), (0, 0)], [(4.8, 6.4), (3, 4), (0, 0)], 1e-6),
    # One clipped gradient of length 5, then the scale.
    ("step_clipping(threshold=5), scale(learning_rate=0.1)", [(3, 4)] * 3, [(.3, .4)] * 3, 1e-6),
    # An epsilon outside of the bias correction: 0.0306534, not 0.5, for a
    # gradient of 1e-8. In single precision 1 - 0.999 has an error of 5e-5.
    ("adam(learning_rate=1)", [(5e-9, 5e-9)], [(.0306534, .0306534)], 1e-4),
    # A decay factor that single precision could not tell from 1.
    ("adam(decay_factor=0.5)", VALUES, None, 1e-5),
    ("adadelta(decay_rate=0.5, epsilon=1e-7)", [(3, 4)] * 3, [(4.4721e-4,) * 2, (5.1640e-4,) * 2, (5.6904e-4,) * 2], 2e-5),
    ("adagrad()", VALUES, [(.002, .002), (.0011094, .0012), (.00053452, .0005747)], 1e-4),
    ("basic_rmsprop(decay_rate=0.5)", VALUES, [(1.41421356,) * 2, (.9701425, 1.02899151), (.6172134, .64699664)], 1e-6),
    ("rmsprop(learning_rate=0.1, decay_rate=0.5)", VALUES,
     [(.141421356,) * 2, (.09701425, .102899151), (.06172134, .064699664)], 1e-6),
    # The largest scaling, 2, is reached by a gradient of 0.1: its size is 1/√2 of that.
    ("basic_rmsprop(decay_rate=0.5, max_scaling=2)", [(.05, 4)], [(.2, 1.41421356)], 1e-6),
    ("nesterov_momentum(learning_rate=0.1, momentum=0.9)", [(.5, .5)] * 3, [(.19,) * 2, (.271,) * 2, (.3439,) * 2], 1e-6),
    ("scale(learning_rate=0.1), basic_nesterov_momentum(momentum=0.9)", [(.5, .5)] * 3,
     [(.19,) * 2, (.271,) * 2, (.3439,) * 2], 1e-6),
    # m' = .1·(6, 8), u' = (6, 8), corrected by .1; then m' = .09·(6, 8) + .1·(4, 6), u' = .999·(6, 8), by .19.
    ("adamax()", VALUES[:2], [(.002, .002), (.00165077, .00173859)], 1e-4),
    # The new value (1.5, 2) times 2/2.5: a's step is (3, 4) - (1.2, 1.6).
    ("scale(learning_rate=0.25), variable_clipping(threshold=2)", [(3, 4), (.3, .4)], [(1.8, 2.4), (.15, .2)], 1e-6),
]


def adam(values, decay, rate=.002, b1=.9, b2=.999, epsilon=1e-8):
    """The equations, in double precision."""
    m = v = np.zeros(2)
    steps = []
    for t, a in enumerate(values, 1):
        g, b = 2 * np.array(a), b1 * decay ** (t - 1)
        m, v = b * m + (1 - b) * g, b2 * v + (1 - b2) * g * g
        steps.append(rate * np.sqrt(1 - b2 ** t) / (1 - b ** t) * m / (np.sqrt(v) + epsilon))
    return steps


def run(model, folder, rule, state, precise):
    """One step; the new state by path."""
    passes = "blocks-convert-to-f64," if precise else ""
    command = ["blocks-interpret", model, f"--passes={passes}blocks-differentiate,blocks-step-rules{{rule='{rule}'}}"]
    for i, (path, value) in enumerate(state.items()):
        name = os.path.join(folder, f"state{i}.npy")
        np.save(name, value)
        command.append(f"--state={path}={name}")
    new = {}
    for line in subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines():
        if " new " not in line:
            continue
        path, value = line.split(" new ", 1)[1].split(" = ")
        kind, value = value.split(" ", 1)
        dtype = {"f32": np.float32, "f64": np.float64, "i64": np.int64}[kind.split("x")[-1]]
        new[path] = np.array(json.loads(value), dtype)
    return new


def main(model, folder):
    os.makedirs(folder, exist_ok=True)
    bad = 0
    for rule, values, expected, tolerance, precise in [case + (p,) for case in CASES for p in (False, True)]:
        state = {}
        for i, (value, step) in enumerate(zip(values, expected or adam(values, .5))):
            state["/m.a"] = np.array(value, np.float64 if precise else np.float32)
            new = run(model, folder, rule, state, precise)
            found = state["/m.a"].astype(float) - new["/m.a"].astype(float)
            # The step is read off a difference, which has a's rounding.
            rounding = 1e-15 if precise else 2e-7
            if not np.allclose(found, step, rtol=tolerance, atol=np.max(np.abs(value)) * rounding):
                print(f"{rule}, step {i + 1}: found {found}, expected {step}")
                bad = 1
            state = new
    return bad


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
