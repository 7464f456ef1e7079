"""The first weights and batches of the language model's reference trajectory, as files that blocks-run reads.

usage: lstm_lm_files.py DATA_FOLDER OUT_FOLDER
Writes OUT/data.hdf5 (tokens, time along the first axis, so that batches of 35 steps follow each other) and
OUT/weights.npz.
"""
import sys

import numpy as np

import fuel_file
from stored_weights import first_weights

WORDS, DIM = 10000, 200
# Name in the trajectory: path, shape, scale of the first weights (0: zeros).
PARAMETERS = {"E": ("/lookup.W", (WORDS, DIM), 0.1), "Wo": ("/readout.W", (DIM, WORDS), 0.1),
              "bo": ("/readout.b", (WORDS,), 0)}
for layer in range(2):
    PARAMETERS[f"Wx{layer}"] = (f"/input_{layer}.W", (DIM, 4 * DIM), 0.1)
    PARAMETERS[f"b{layer}"] = (f"/input_{layer}.b", (4 * DIM,), 0)
    PARAMETERS[f"Wh{layer}"] = (f"/lstm_{layer}.W_state", (DIM, 4 * DIM), 0.1)


def write_files(data, work):
    tokens = np.load(data + "/lstm_lm-small-data.npz")["tokens"].astype(np.int32)
    fuel_file.write(work + "/data.hdf5", {"train": {"x": np.ascontiguousarray(tokens[:, :-1].T),
                                                    "y": np.ascontiguousarray(tokens[:, 1:].T)}},
                    {"x": ["time", "batch"], "y": ["time", "batch"]})
    arrays = {path: first_weights("lstm200/" + name, shape, scale) for name, (path, shape, scale) in PARAMETERS.items()}
    for state in ("states", "cells"):
        for layer in range(2):
            arrays[f"/carried.{state}_{layer}"] = np.zeros((tokens.shape[0], DIM), np.float32)
    np.savez(work + "/weights.npz", **arrays)


if __name__ == "__main__":
    write_files(*sys.argv[1:3])
