"""Trains the sequence-to-sequence model from its first weights and compares the losses with the float64 reference.

usage: seq2seq.py BLOCKS_RUN MODEL DATA_FOLDER WORK_FOLDER [--device cuda] [--steps N]
The first 8 losses agree to 1e-4 relative, at 1 and 2 threads, and bit for bit between them; so do the parameters
after 8 steps of Adam. A batch is 30 positions and 30 steps of 32 sentences.
"""
import sys

import numpy as np

import reference_run
from seq2seq_files import from_paths, write_files

run, model, data, work = sys.argv[1:5]
write_files(work)
reference = np.load(data + "/seq2seq-before-traj.npz")
parameters, stored = reference_run.check_losses(run, model, work, reference, 1e-4, 30, "adam(learning_rate=0.001)",
                                                steps=8)
for name, value in from_paths(parameters).items():
    reference_run.check_parameter(value, reference[stored + name], 1e-3, name)
