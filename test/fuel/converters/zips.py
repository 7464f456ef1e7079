"""Converters of zip archives of photographs: celeba, dogs_vs_cats. What the images hold was found by Pillow."""
import hashlib
import json
import os
import zipfile

import h5py
import numpy as np
from common import check, convert, data, folder, missing, refused, run, same_file, write
from pictures import wave

expected = json.load(open(os.path.join(data, "expected.json")))


def photo(name):
    with open(os.path.join(data, name), "rb") as f:
        return f.read()


def zipped(path, members):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)


def sha(array):
    return hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()


# --- dogs_vs_cats -------------------------------------------------------------
inputs = folder("dogs")
train, test = (os.path.join(inputs, f"dogs_vs_cats.{part}.zip") for part in ("train", "test1"))
missing("dogs_vs_cats", inputs, [os.path.basename(train), os.path.basename(test)])
photos = list(expected["dogs_vs_cats"])
names = [f"train/{photos[i % 6][:3]}.{i}.jpg" for i in range(23)]
numbers = [f"test1/{i}.jpg" for i in range(1, 13)]
zipped(train, [("train/", b"")] + [(name, photo(photos[i % 6])) for i, name in enumerate(names)])
zipped(test, [("test1/", b"")] + [(name, photo(photos[(i * 5) % 6])) for i, name in enumerate(numbers)][::-1])
path = convert("dogs_vs_cats", inputs)
shuffled = list(range(len(names)))
np.random.RandomState(123522).shuffle(shuffled)
order = [(names[i], expected["dogs_vs_cats"][photos[i % 6]]) for i in shuffled]
order += [(name, expected["dogs_vs_cats"][photos[(i * 5) % 6]]) for i, name in enumerate(numbers)]
with h5py.File(path) as f:
    check([tuple(s) for s in f["image_features_shapes"][()]] == [tuple(e["shape"]) for _, e in order], "shapes")
    check(f["image_features_shapes"].dtype == "int32", "type of the shapes")
    check([hashlib.sha256(row.tobytes()).hexdigest() for row in f["image_features"][()]] == [e["sha256"] for _, e in order], "pixels")
    pixels = [row.reshape(e["shape"]) for row, (_, e) in zip(f["image_features"][()], order)]
targets = np.array([[0 if "cat" in name else 1] for name, _ in order[:23]], "uint8")
same_file(path, {"image_features": (pixels, ("batch", "channel", "height", "width")), "targets": (targets, ("batch", "index"))},
          {"train": {"image_features": (0, 23), "targets": (0, 23)}, "test": {"image_features": (23, 35)}})

for content, words in ((b"", "damaged"), (b"nothing", "tar archive"), (None, "holds no photographs"),
                       ([("test1/1.jpg", b"no image")], "begins like neither"), ([("test1/a.jpg", photo(photos[0]))], "has no number for its name"), ([("test1/1.jpg", photo(photos[0])[:60])], "file 'test1/1.jpg'"),
                       ([("test1/1.jpg", b"\x89PNG\r\n\x1a\n" + bytes(30))], "its header gives no size")):
    if isinstance(content, bytes):
        write(test, content)
    else:
        zipped(test, content or [("test1/", b"")])
    refused(words if content != b"" else "archive", "dogs_vs_cats", inputs)
zipped(test, [("test1/1.jpg", photo(photos[0]))])
with open(test, "rb") as f:
    whole = f.read()
for content, words in ((whole[:-40], "was it cut off"), (whole[:300] + bytes(50) + whole[350:], "damaged ZIP archive")):
    write(test, content)
    refused(words, "dogs_vs_cats", inputs)

# --- celeba -------------------------------------------------------------------
inputs = folder("celeba")
archive, attributes, partition = (os.path.join(inputs, n) for n in ("img_align_celeba.zip", "list_attr_celeba.txt", "list_eval_partition.txt"))
missing("celeba", inputs, [os.path.basename(archive), os.path.basename(attributes)], 64)
signs = np.random.RandomState(1).randint(0, 2, size=(6, 40)).astype("uint8")
zipped(archive, [("img_align_celeba/", b"")] + [(f"img_align_celeba/{i + 1:06d}.jpg", photo(f"{i % 3 + 1:06d}.jpg")) for i in reversed(range(6))])


def listed(rows, announced=6):
    return f"{announced}\n" + " ".join(f"Attribute_{i}" for i in range(40)) + " \n" + "".join(
        f"{i + 1:06d}.jpg " + " ".join("%2d" % (2 * int(v) - 1) for v in row) + "\n" for i, row in enumerate(rows))


def parts(numbers):
    return "".join(f"{i + 1:06d}.jpg {n}\n" for i, n in enumerate(numbers))


write(attributes, listed(signs))
refused("attributes of 6 images, not of all 202599", "celeba", inputs, 64)
write(partition, parts((0, 0, 0, 1, 2, 2)))
for form, shape in (("aligned_cropped", (218, 178)), ("64", (64, 64))):
    path = convert("celeba", inputs, form)
    with h5py.File(path) as f:
        pixels = f["features"][()]
    check(pixels.shape == (6, 3, *shape) and [sha(p) for p in pixels] == expected["celeba_" + form] * 2, f"celeba {form}: pixels")
    check(form == "64" or np.abs(pixels[0].astype(int) - wave(0, 218, 178)).mean() < 5, "they look like the original")
    sources = {"features": (pixels, ("batch", "channel", "height", "width")), "targets": (signs, ("batch", "target"))}
    same_file(path, sources, {"train": dict.fromkeys(sources, (0, 3)), "valid": dict.fromkeys(sources, (3, 4)),
                              "test": dict.fromkeys(sources, (4, 6))})
ran = run("fuel-convert", "celeba", "64", "-d", inputs, "-o", folder("names"))
check(ran.stdout.endswith("/celeba_64.hdf5\n"), "the converter's own name")

for text, words in (("", "is empty"), ("7\n", "ends after its first line"), (listed(signs, 7), "describes 6 images; its first line announces 7"),
                    (listed(signs).replace("000002", "000003"), "is '000003.jpg'; expected 000002.jpg"),
                    (listed(signs[:, :39]), "has 40 fields; expected 41"), (listed(signs).replace("-1", "-2", 1), "is '-2'"),
                    ("many\n", "field 1 is 'many'"), (listed(signs, 10 ** 12), "whole number from 1 to")):
    write(attributes, text)
    refused(words, "celeba", inputs, 64)
write(attributes, listed(signs))
for text, words in ((parts((0, 1, 0, 1, 2, 2)), "part 0 after those of part 1"), (parts((0, 1)), "has 2 lines"),
                    (parts((0, 0, 0, 0, 0, 3)), "is '3'")):
    write(partition, text)
    refused(words, "celeba", inputs, 64)
write(partition, parts((0, 0, 0, 1, 2, 2)))
zipped(archive, [(f"img_align_celeba/{i + 1:06d}.jpg", photo(f"{i + 1:06d}.jpg")) for i in range(3)])
refused("holds no file 'img_align_celeba/000004.jpg'", "celeba", inputs, 64)
zipped(archive, [("img_align_celeba/000001.jpg", photo("cat.0.jpg"))])
refused("has the shape 3x9x12; expected 3x218x178", "celeba", inputs, 64)
