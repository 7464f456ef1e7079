"""Small inputs of every kind that the generic converters read, for test/fuel/mutated-inputs.cpp. Usage: make.py FOLDER"""
import gzip
import io
import os
import struct
import sys
import tarfile
import zipfile
import zlib

import numpy as np

folder = sys.argv[1]
here = os.path.dirname(os.path.abspath(__file__))


def put(name, content):
    with open(os.path.join(folder, name), "wb") as f:
        f.write(content)


def npy(array):
    out = io.BytesIO()
    np.lib.format.write_array(out, array)
    return out.getvalue()


def png(pixels):
    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
    height, width, _ = pixels.shape
    lines = b"".join(b"\0" + row.tobytes() for row in pixels)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b""))


numbers = np.asfortranarray(np.arange(24, dtype=">f4").reshape(6, 2, 2))
words = np.array(["ein", "zwei", "drei", "vier", "fünf", "六"])
put("numbers.npy", npy(numbers))
put("words.npy", npy(words))
for name, method in (("stored.npz", zipfile.ZIP_STORED), ("deflated.npz", zipfile.ZIP_DEFLATED)):
    with zipfile.ZipFile(os.path.join(folder, name), "w", method) as archive:
        for array, values in (("numbers", numbers), ("words", words)):
            archive.writestr(zipfile.ZipInfo(array + ".npy"), npy(values), method)
idx = struct.pack(">HBBII", 0, 0x0b, 2, 6, 3) + np.arange(18, dtype=">i2").tobytes()
put("numbers.idx", idx)
put("numbers.idx.gz", gzip.compress(idx, mtime=0))
put("table.csv", 'size,"kind, of",note\r\n1.5,dog,"a ""word"""\r\n-2e3,cat,"two\nlines"\r\n,dog,\r\n'.encode())
pictures = [png((np.arange(5 * 4 * 3).reshape(5, 4, 3) * (i + 3) % 256).astype("u1")) for i in range(2)]
put("picture.png", pictures[0])
out = io.BytesIO()
with tarfile.open(fileobj=out, mode="w") as archive:
    for i, content in enumerate(pictures):
        info = tarfile.TarInfo(f"class{i}/{i}.png")
        info.size = len(content)
        archive.addfile(info, io.BytesIO(content))
put("pictures.tar.gz", gzip.compress(out.getvalue(), mtime=0))
with zipfile.ZipFile(os.path.join(folder, "pictures.zip"), "w", zipfile.ZIP_DEFLATED) as archive:
    for i, content in enumerate(pictures):
        archive.writestr(zipfile.ZipInfo(f"class{i}/{i}.png"), content, zipfile.ZIP_DEFLATED)
put("pairs.tsv", "a b\tc d\nGrüße\tsaludos\n".encode())
