"""The stored weights and batches of LeNet's reference trajectory, as files that blocks-run reads.

usage: lenet_files.py DATA_FOLDER OUT_FOLDER
Writes OUT/data.hdf5 (the batches of the MLP trajectories as images, float32 = x/255) and OUT/weights.npz.
"""
import sys

import numpy as np

import fuel_file

PATHS = {"K0": "/convnet/convolutional_0.W", "c0": "/convnet/convolutional_0.b", "K1": "/convnet/convolutional_1.W",
         "c1": "/convnet/convolutional_1.b", "W0": "/mlp/linear_0.W", "b0": "/mlp/linear_0.b", "W1": "/mlp/linear_1.W",
         "b1": "/mlp/linear_1.b"}


def write_files(data, work):
    batches = np.load(data + "/mlp-tanh-sgd-data.npz")
    images = batches["x_u8"].reshape(-1, 1, 28, 28).astype(np.float32) / np.float32(255)
    fuel_file.write(work + "/data.hdf5", {"train": {"features": images, "targets": batches["y"].reshape(-1)}},
                    {"features": ["batch", "channel", "height", "width"], "targets": ["batch"]})
    weights = np.load(data + "/lenet-sgd-weights.npz")
    np.savez(work + "/weights.npz", **{path: weights["q/" + name].astype(np.float32) * weights["s/" + name]
                                       for name, path in PATHS.items()})


if __name__ == "__main__":
    write_files(*sys.argv[1:3])
