"""svhn, format 1: PNG images and MATLAB 7.3 files of references, in compressed tar archives."""
import io
import os
import struct
import subprocess
import tarfile
import zipfile
import zlib

import h5py
import numpy as np
from common import check, convert, folder, missing, refused, same_file, tools, write
from digitstruct import digit_struct

random = np.random.RandomState(11)


def png(pixels):
    """Bytes of colours, 3 x height x width."""
    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
    _, height, width = pixels.shape
    rows = b"".join(b"\0" + pixels[:, y].T.tobytes() for y in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def archive(path, members):
    with tarfile.open(path, "w:gz") as tar:
        tar.addfile(tarfile.TarInfo(members[0][0].split("/")[0] + "/see_bboxes.m"))
        for name, content in members:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))


def make(split, count):
    images, boxes = [], []
    for _ in range(count):
        images.append(random.randint(0, 256, size=(3, *random.randint(4, 12, size=2))).astype("uint8"))
        boxes.append([(random.randint(1, 11), *random.randint(1, 60, size=4)) for _ in range(random.randint(1, 4))])
    return images, boxes


inputs = folder("svhn1")
splits = ("train", "test", "extra")
paths = {split: os.path.join(inputs, split + ".tar.gz") for split in splits}
missing("svhn", inputs, [split + ".tar.gz" for split in splits], 1)
parts = {split: make(split, count) for split, count in zip(splits, (12, 3, 4))}
parts["extra"][1][2] = [(10, 5, 6, -3, 7)]  # It begins outside of the image: at its edge.


def members(split):
    images, boxes = parts[split]
    listed = [(f"{split}/{i + 1}.png", png(image)) for i, image in enumerate(images)]
    return listed[::-1] + [(split + "/digitStruct.mat", digit_struct(boxes))]


for split in splits:
    archive(paths[split], members(split))
images = sum((parts[s][0] for s in splits), [])
boxes = sum((parts[s][1] for s in splits), [])
sources = {"features": (images, ("batch", "channel", "height", "width"))}
for k, (name, axis, dtype) in enumerate((("labels", "index", "uint8"), ("heights", "height", "uint16"), ("widths", "width", "uint16"),
                                         ("lefts", "x", "uint16"), ("tops", "y", "uint16"))):
    columns = [np.array([[box[k] % 10 if k == 0 else max(box[k], 0)] for box in image]).astype(dtype) for image in boxes]
    sources["bbox_" + name] = (columns, ("batch", "bounding_box", axis))
path = convert("svhn", inputs, 1)
same_file(path, sources, {split: dict.fromkeys(sources, rows) for split, rows in
                          (("train", (0, 12)), ("test", (12, 15)), ("extra", (15, 19)))})
with h5py.File(path) as f:
    check(f["features_shapes"].dtype == "uint16", "type of the shapes")


def replaced(name, content):
    return [(n, content if n == name else c) for n, c in members("test") if n != name or content is not None]


def structure(change=None, boxes=None):
    return replaced("test/digitStruct.mat", digit_struct(boxes or parts["test"][1], change))


def without(name):
    return lambda f: f.__delitem__(name)


def put(name, value):
    def change(f):
        del f[name]
        f[name] = value
    return change


one = [[(3, 1, 2, 3, 4)]] * 3
whole = dict(members("test"))["test/digitStruct.mat"]
for listed, words in (
        (replaced("test/digitStruct.mat", None), "holds no file 'test/digitStruct.mat'"),
        (replaced("test/digitStruct.mat", b"nothing"), "not an HDF5 file"),
        (replaced("test/digitStruct.mat", whole[:len(whole) // 2]), "truncated"),
        (structure(boxes=parts["test"][1][:2]), "has the shape 2x1; expected 3 rows"),
        (structure(without("digitStruct/bbox")), "bbox"), (structure(put("digitStruct/bbox", np.ones((3, 1)))), "expected references"),
        (structure(lambda f: f["digitStruct/bbox"].__setitem__((1, 0), f["digitStruct/bbox"].ref)), "leads to no group"),
        (structure(lambda f: f["digitStruct/bbox"].__setitem__((1, 0), h5py.Reference())), "leads to no group"),
        (structure(without("#refs#/image1/top"), one), "top"), (structure(put("#refs#/image1/top", np.ones((1001, 1))), one), "describes 1001 boxes"),
        (structure(put("#refs#/image1/top", np.ones((2, 1))), one), "expected references"),
        (structure(put("#refs#/image1/top", np.array([[1e9]])), one), "expected a number of pixels"),
        (structure(put("#refs#/image1/top", np.array([b"a"])), one), "elements of type"),
        (structure(boxes=[[(11, 1, 1, 1, 1)]] * 3), "labels a box of image 1 with 11"),
        (replaced("test/2.png", b"no image"), "test/2.png' is not a readable image"), (replaced("test/2.png", None), "expected 2 rows"),
        ([("test/7.png" if n == "test/2.png" else n, c) for n, c in members("test")], "holds no file 'test/2.png'")):
    archive(paths["test"], listed)
    refused(words, "svhn", inputs, 1, also="test.tar.gz")
write(paths["test"], b"")
refused("tar archive", "svhn", inputs, 1)

# A large file of a zip goes through in pieces.
with zipfile.ZipFile(paths["train"], "w", zipfile.ZIP_DEFLATED) as packed:
    packed.writestr("train/digitStruct.mat", bytes(1 << 29))
out = folder("pieces-out")
child = subprocess.Popen([os.path.join(tools, "fuel-convert"), "svhn", "1", "-d", inputs, "-o", out], stderr=subprocess.PIPE, text=True)
words = child.stderr.read()
_, child.returncode, used = os.wait4(child.pid, 0)
check(child.returncode != 0 and "digitStruct.mat" in words and os.listdir(out) == [], "no table: " + words)
check(used.ru_maxrss < 1 << 18, f"{used.ru_maxrss} KiB for a file of 512 MiB")
