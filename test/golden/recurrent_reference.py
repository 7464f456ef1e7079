"""The network of docs/examples/recurrent.mlir in NumPy and float64: forward, backpropagation through time, SGD.

Written from the equations, with loops over time and none of our code:
h[t] = m[t]·tanh(x[t]·U + c + h[t-1]·W) + (1 - m[t])·h[t-1], logits h·V + b, mean cross-entropy where m is 1.
"""
import numpy as np

PATHS = {"U": "/input.W", "c": "/input.b", "W": "/rnn.W", "h0": "/rnn.initial_state", "V": "/readout.W",
         "b": "/readout.b"}


def initial(rng):
    """Parameters by path, in float32; the initial state is not zero."""
    shapes = {"U": (3, 8), "c": (8,), "W": (8, 8), "h0": (8,), "V": (8, 5), "b": (5,)}
    return {PATHS[k]: (0.4 * rng.standard_normal(s)).astype(np.float32) for k, s in shapes.items()}


def step(parameters, x, mask, y, factors=None):
    """The cost and the gradients by path; x is (batch, time, 3), mask and y are (batch, time).

    `factors`, (time, batch, 8), are what dropout multiplies the activations by.
    """
    p = {k: parameters[path].astype(np.float64) for k, path in PATHS.items()}
    x, mask, y = np.moveaxis(x, 1, 0).astype(np.float64), mask.T[..., None].astype(np.float64), y.T.astype(int)
    steps, batch = y.shape
    f = np.ones((steps, batch, 8)) if factors is None else factors
    h, n = [np.tile(p["h0"], (batch, 1))], []
    for t in range(steps):
        n.append(np.tanh(x[t] @ p["U"] + p["c"] + h[t] @ p["W"]))
        h.append(mask[t] * f[t] * n[t] + (1 - mask[t]) * h[t])
    cost, count, g = 0.0, mask.sum(), {k: np.zeros_like(v) for k, v in p.items()}
    carried = np.zeros((batch, 8))
    for t in reversed(range(steps)):
        z = h[t + 1] @ p["V"] + p["b"]
        log_p = z - z.max(1, keepdims=True)
        log_p -= np.log(np.exp(log_p).sum(1, keepdims=True))
        hot = np.eye(5)[y[t]]
        cost -= (mask[t] * log_p * hot).sum() / count
        dz = (np.exp(log_p) - hot) * mask[t] / count
        g["V"] += h[t + 1].T @ dz
        g["b"] += dz.sum(0)
        dh = carried + dz @ p["V"].T
        da = dh * mask[t] * f[t] * (1 - n[t] ** 2)
        g["U"] += x[t].T @ da
        g["c"] += da.sum(0)
        g["W"] += h[t].T @ da
        carried = dh * (1 - mask[t]) + da @ p["W"].T
    g["h0"] += carried.sum(0)
    return cost, {PATHS[k]: v for k, v in g.items()}


def train(parameters, batches, rate, factors=None):
    """The costs of the steps, and the parameters after them; `factors` has those of each step."""
    parameters = {k: v.astype(np.float64) for k, v in parameters.items()}
    costs = []
    for i, batch in enumerate(batches):
        cost, gradients = step(parameters, *batch, None if factors is None else factors[i])
        costs.append(cost)
        for path, gradient in gradients.items():
            parameters[path] = parameters[path] - rate * gradient
    return costs, parameters
