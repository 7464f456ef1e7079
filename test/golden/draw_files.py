"""The first weights and batches of DRAW's reference trajectory, as files that blocks-run reads.

usage: draw_files.py DATA_FOLDER OUT_FOLDER
Writes OUT/data.hdf5 (images, and the noise of each example's steps) and OUT/weights.npz.
"""
import sys

import numpy as np

import fuel_file
from stored_weights import first_weights

GLIMPSE, DIM, CODE = 50, 256, 10


def glorot(rows, columns):
    return float(np.sqrt(6.0 / (rows + columns)))


# Name in the trajectory: path, shape, scale of the first weights (0: zeros).
PARAMETERS = {"Ue": ("/encoder.W_state", (DIM, 4 * DIM), glorot(DIM, DIM)), "be": ("/encoder_input.b", (4 * DIM,), 0),
              "Ud": ("/decoder.W_state", (DIM, 4 * DIM), glorot(DIM, DIM)), "bd": ("/decoder_input.b", (4 * DIM,), 0),
              "Wz": ("/decoder_input.W", (CODE, 4 * DIM), glorot(CODE, DIM)),
              "Qm": ("/sampler/sampler_mean.W", (DIM, CODE), glorot(DIM, CODE)),
              "qmb": ("/sampler/sampler_mean.b", (CODE,), 0),
              "Qs": ("/sampler/sampler_log_sigma.W", (DIM, CODE), glorot(DIM, CODE)),
              "qsb": ("/sampler/sampler_log_sigma.b", (CODE,), 0),
              "Ra": ("/read_place.W", (DIM, 5), 0.05), "rab": ("/read_place.b", (5,), 0),
              "Wat": ("/write_place.W", (DIM, 5), 0.05), "watb": ("/write_place.b", (5,), 0),
              "Ww": ("/patch.W", (DIM, 25), glorot(DIM, 25)), "wwb": ("/patch.b", (25,), 0)}
# The encoder's weights for the glimpse and for the decoder's state stand below each other in one matrix.
STACKED = {"Wr": ((GLIMPSE, 4 * DIM), glorot(GLIMPSE, DIM)), "Wd": ((DIM, 4 * DIM), glorot(DIM, DIM))}


def write_files(data, work):
    stored = np.load(data + "/draw-data.npz")
    noise = stored["eps_f16"].astype(np.float32)  # batch, time, example, number
    images = np.unpackbits(stored["x_bits"]).astype(np.float32).reshape(-1, 784)
    fuel_file.write(work + "/data.hdf5",
                    {"train": {"x": images, "eps": noise.transpose(0, 2, 1, 3).reshape(len(images), -1, CODE)}},
                    {"x": ["batch", "pixel"], "eps": ["batch", "time", "code"]})
    arrays = {path: first_weights("draw/" + name, shape, scale) for name, (path, shape, scale) in PARAMETERS.items()}
    arrays["/encoder_input.W"] = np.concatenate(
        [first_weights("draw/" + name, shape, scale) for name, (shape, scale) in STACKED.items()])
    np.savez(work + "/weights.npz", **arrays)


if __name__ == "__main__":
    write_files(*sys.argv[1:3])
