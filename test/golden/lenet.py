"""Trains LeNet from the stored weights and compares the losses with the float64 reference.

usage: lenet.py BLOCKS_RUN MODEL DATA_FOLDER WORK_FOLDER [--device cuda] [--steps N]
The first 20 losses agree to 1e-4 relative, at 1 and 2 threads, and bit for bit between them; so do the norms of the
parameters after 20 steps. The batches are those of the MLP trajectories, as images.
"""
import sys

import numpy as np

import reference_run
from lenet_files import PATHS, write_files

run, model, data, work = sys.argv[1:5]
write_files(data, work)
reference = np.load(data + "/lenet-sgd-traj.npz")
parameters, stored = reference_run.check_losses(run, model, work, reference, 1e-4, 128, "scale(learning_rate=0.05)")
for name, path in PATHS.items():
    value, expected = parameters[path].astype(np.float64).ravel(), reference[stored + name]
    tolerance = 1e-5 if name[0] in "KW" else 1e-2  # Biases are small, and a rectifier at 0 turns on one rounding.
    assert abs(np.linalg.norm(value) / expected[1] - 1) <= tolerance, (name, np.linalg.norm(value), expected[1])
