"""Trains the LSTM language model from its first weights and compares the losses with the float64 reference.

usage: lstm_lm.py BLOCKS_RUN MODEL DATA_FOLDER WORK_FOLDER [--device cuda] [--steps N]
The first 20 losses agree to 1e-4 relative, at 1 and 2 threads, and bit for bit between them; so do the parameters
after 20 steps. A batch is 35 steps of 20 sequences.
"""
import sys

import numpy as np

import reference_run
from lstm_lm_files import SMALL, parameters as parameters_of, write_files

run, model, data, work = sys.argv[1:5]
write_files(data, work)
reference = np.load(data + "/lstm_lm-small-traj.npz")
parameters, stored = reference_run.check_losses(run, model, work, reference, 1e-4, 35,
                                        "step_clipping(threshold=5), scale(learning_rate=0.1)")
for name, (path, _, _) in parameters_of(SMALL).items():
    reference_run.check_parameter(parameters[path], reference[stored + name], 1e-3, path)
