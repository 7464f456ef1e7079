"""Makes encoded_images.hdf5 beside it: the two images (one in colour, one grey)
that genuine Fuel decoded in the case "encoded_default" of transformers.json,
as PNG files in a source of varying length without shapes or labels."""
import os
import struct
import sys
import zlib

import h5py
import numpy as np

folder = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(folder, "../../../fuel"))
from splits import write_splits

draws = np.random.RandomState(5).randint(0, 256, 600).astype("u1")  # Two give each shape.
colour, grey = draws[4:4 + 9 * 19 * 3].reshape(9, 19, 3), draws[519:519 + 80].reshape(8, 10)


def png(pixels):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    height, width = pixels.shape[:2]
    header = struct.pack(">IIBBBBB", width, height, 8, 2 if pixels.ndim == 3 else 0, 0, 0, 0)
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


with h5py.File(os.path.join(folder, "encoded_images.hdf5"), "w", libver="earliest") as file:
    images = file.create_dataset("encoded_images", (2,), dtype=h5py.special_dtype(vlen=np.dtype("u1")))
    for i, pixels in enumerate((colour, grey)):
        images[i] = np.frombuffer(png(pixels), "u1")
    file["filenames"] = np.array([[b"img_00000.PNG"], [b"img_00001.PNG"]], "S32")
    file["targets"] = np.array([[0], [1]], "i2")
    write_splits(file, 2, ["encoded_images", "filenames", "targets"])
