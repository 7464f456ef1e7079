"""The first weights and batches of the language models' reference trajectories, as files that blocks-run reads.

usage: lstm_lm_files.py DATA_FOLDER OUT_FOLDER [DIM]
DIM is 200 for the small model (if left out) and 650 for the medium one. Writes OUT/data.hdf5 (tokens, time along the
first axis, so that batches of 35 steps follow each other), OUT/weights.npz and OUT/model.mlir, which is
Inputs/lstm_lm.mlir with that dimension.
"""
import os
import re
import sys

import numpy as np

import fuel_file
from stored_weights import first_weights

WORDS, SMALL = 10000, 200


def parameters(dim):
    """Name in the trajectory: path, shape, scale of the first weights (0: zeros)."""
    scale = 0.1 if dim == SMALL else 0.05
    found = {"E": ("/lookup.W", (WORDS, dim), scale), "Wo": ("/readout.W", (dim, WORDS), scale),
             "bo": ("/readout.b", (WORDS,), 0)}
    for layer in range(2):
        found[f"Wx{layer}"] = (f"/input_{layer}.W", (dim, 4 * dim), scale)
        found[f"b{layer}"] = (f"/input_{layer}.b", (4 * dim,), 0)
        found[f"Wh{layer}"] = (f"/lstm_{layer}.W_state", (dim, 4 * dim), scale)
    return found


def write_model(work, dim):
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs", "lstm_lm.mlir")) as file:
        text = file.read()
    text = re.sub(rf"(?<![0-9])({SMALL}|{4 * SMALL})(?![0-9])",
                  lambda found: str(dim if int(found[1]) == SMALL else 4 * dim), text)
    with open(work + "/model.mlir", "w") as file:
        file.write(text)


def write_files(data, work, dim=SMALL):
    dim = int(dim)
    tokens = np.load(data + "/lstm_lm-small-data.npz")["tokens"].astype(np.int32)
    fuel_file.write(work + "/data.hdf5", {"train": {"x": np.ascontiguousarray(tokens[:, :-1].T),
                                                    "y": np.ascontiguousarray(tokens[:, 1:].T)}},
                    {"x": ["time", "batch"], "y": ["time", "batch"]})
    arrays = {path: first_weights(f"lstm{dim}/" + name, shape, scale)
              for name, (path, shape, scale) in parameters(dim).items()}
    for state in ("states", "cells"):
        for layer in range(2):
            arrays[f"/carried.{state}_{layer}"] = np.zeros((tokens.shape[0], dim), np.float32)
    np.savez(work + "/weights.npz", **arrays)
    write_model(work, dim)


if __name__ == "__main__":
    write_files(*sys.argv[1:4])
