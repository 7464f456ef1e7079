"""The stored weights and batches of the MLP reference trajectories, as files that blocks-run reads.

usage: mlp_files.py DATA_FOLDER OUT_FOLDER
Writes OUT/data.hdf5 (20 batches of 128 in order, features float32 = x/255, targets int32) and
OUT/weights.npz (float32 weights named by their paths). The features are divided in float32,
the weights are one float32 product, as the trajectories' README says.
"""
import sys

import numpy as np

import fuel_file

data, out = sys.argv[1:3]
batches = np.load(data + "/mlp-tanh-sgd-data.npz")
features = batches["x_u8"].reshape(-1, 784).astype(np.float32) / np.float32(255)
fuel_file.write(out + "/data.hdf5", {"train": {"features": features, "targets": batches["y"].reshape(-1)}},
                {"features": ["batch", "feature"], "targets": ["batch"]})
weights = np.load(data + "/mlp-tanh-sgd-weights.npz")
names = {"W": "/mlp/linear_%d.W", "b": "/mlp/linear_%d.b"}
np.savez(out + "/weights.npz", **{names[p[2]] % int(p[3]): weights[p].astype(np.float32) * weights["s" + p[1:]]
                                      for p in weights.files if p.startswith("q/")})
