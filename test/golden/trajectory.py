"""Trains from the stored weights and compares the losses with the float64 reference.

usage: trajectory.py BLOCKS_RUN MODEL TRAJECTORY WORK_FOLDER [--device cuda] [--steps N]
The first 20 losses agree to 1e-5 relative, at 1 and 2 threads, and bit for bit between them; after 20 steps, or one,
each parameter's sum and norm agree, too. WORK_FOLDER holds data.hdf5 and weights.npz.
"""
import sys

import numpy as np

import reference_run

run, model, trajectory, work = sys.argv[1:5]
reference = np.load(trajectory)
parameters, stored = reference_run.check_losses(run, model, work, reference, 1e-5, 128, "scale(learning_rate=0.1)")
for key in reference.files:
    if key.startswith(stored):
        path = f"/mlp/linear_{key[-1]}.{key[-2]}"
        reference_run.check_parameter(parameters[path], reference[key], 1e-4, path)
