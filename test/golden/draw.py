"""Trains DRAW from its first weights and compares the losses with the float64 reference.

usage: draw.py BLOCKS_RUN MODEL DATA_FOLDER WORK_FOLDER [--device cuda] [--steps N]
The first 20 losses agree to 1e-4 relative, at 1 and 2 threads, and bit for bit between them; so do the parameters
after 20 steps, but for what Adam makes of gradients that are nearly zero. A batch is 64 images and ten steps of noise.
"""
import sys

import numpy as np

import reference_run
from draw_files import GLIMPSE, PARAMETERS, write_files

run, model, data, work = sys.argv[1:5]
write_files(data, work)
reference = np.load(data + "/draw-traj.npz")
parameters, stored = reference_run.check_losses(run, model, work, reference, 1e-4, 64, "adam(learning_rate=0.001)")
found = {name: parameters[path] for name, (path, _, _) in PARAMETERS.items()}
found["Wr"], found["Wd"] = np.split(parameters["/encoder_input.W"], [GLIMPSE])
for name, value in found.items():
    reference_run.check_parameter(value, reference[stored + name], 1e-2, name)
