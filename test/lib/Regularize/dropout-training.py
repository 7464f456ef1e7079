"""One training step under dropout: what each mask does to the cost, the gradient and the new parameters, and that the
evaluation of the same model has none.

usage: dropout-training.py MODEL FOLDER
x = [3, 4], W = [1, 1], the cost is (x·W)², dropout 0.5 on x, learning rate 0.01. With the mask [1, 0] the input is
[6, 0]: cost 36, gradient [72, 0], W = [0.28, 1]. Masks come from seeds; four of them are all that there are.
"""
import json
import os
import re
import subprocess
import sys

import numpy as np

MODEL, FOLDER = sys.argv[1:]
os.makedirs(FOLDER, exist_ok=True)
PASSES = ("blocks-expand-bricks,blocks-inline-applications,blocks-derive-entries,"
          "blocks-dropout{p=0.5 where='role:input brick:/linear'},blocks-differentiate{cost=cost},"
          "blocks-step-rules{rule='scale(learning_rate=0.01)'}")
seen = set()
for seed in range(32):
    file = os.path.join(FOLDER, "seed.npy")
    np.save(file, np.array(seed, np.int64))
    done = subprocess.run(["blocks-interpret", MODEL, f"--passes={PASSES}", f"--state=/algorithm.seed={file}"],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    values = {name: np.array(json.loads(value)) for name, value in
              re.findall(r"@(.*) = [\dx]*x?[fi]\d+ (.*)", done.stdout)}
    assert values["eval cost"] == 49
    mask = next(m for m in ((0, 0), (0, 1), (1, 0), (1, 1)) if values["train cost"] == (2 * np.dot(m, (3, 4))) ** 2)
    x = 2 * np.array(mask) * (3, 4)
    np.testing.assert_allclose(values["train new /linear.W"][:, 0], 1 - .01 * 2 * x.sum() * x, rtol=1e-6)
    if mask == (1, 0):
        assert values["train cost"] == 36
        np.testing.assert_allclose(values["train new /linear.W"][:, 0], [.28, 1], rtol=1e-6)
    seen.add(mask)
assert len(seen) == 4, seen
