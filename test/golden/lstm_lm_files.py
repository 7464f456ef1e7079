"""The first weights and batches of the language model's reference trajectory, as files that blocks-run reads.

usage: lstm_lm_files.py DATA_FOLDER OUT_FOLDER
Writes OUT/data.hdf5 (tokens, time along the first axis, so that batches of 35 steps follow each other) and
OUT/weights.npz.
"""
import sys

import numpy as np

import fuel_file

WORDS, DIM = 10000, 200
# Name in the trajectory: path, shape, scale of the first weights (0: zeros).
PARAMETERS = {"E": ("/lookup.W", (WORDS, DIM), 0.1), "Wo": ("/readout.W", (DIM, WORDS), 0.1),
              "bo": ("/readout.b", (WORDS,), 0)}
for layer in range(2):
    PARAMETERS[f"Wx{layer}"] = (f"/input_{layer}.W", (DIM, 4 * DIM), 0.1)
    PARAMETERS[f"b{layer}"] = (f"/input_{layer}.b", (4 * DIM,), 0)
    PARAMETERS[f"Wh{layer}"] = (f"/lstm_{layer}.W_state", (DIM, 4 * DIM), 0.1)


def first_weights(name, shape, scale):
    """The trajectories' rule: top bytes of splitmix64 from the FNV-1a hash of the name, times scale / 128."""
    key = 0xCBF29CE484222325
    for byte in name.encode():
        key = (key ^ byte) * 0x100000001B3 % 2**64
    with np.errstate(over="ignore"):
        z = np.uint64(key) + np.arange(1, np.prod(shape) + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z ^= z >> np.uint64(31)
    q = (z >> np.uint64(56)).astype(np.uint8).view(np.int8)
    return (q.astype(np.float32) * (np.float32(scale) / np.float32(128))).reshape(shape)


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
