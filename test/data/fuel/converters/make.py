"""Makes the fixtures of this folder that need SciPy or Pillow: python make.py. What the tests expect of them is computed
here by Pillow (expected.json), or by the functions in test/fuel/converters/pictures.py."""
import hashlib
import io
import json
import os
import sys

import numpy as np
from PIL import Image
from scipy.io import savemat

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "../../../fuel/converters"))
from digitstruct import digit_struct  # noqa: E402
from pictures import digits, silhouettes, wave  # noqa: E402


def save(name, variables, compress=True):
    savemat(os.path.join(here, name), variables, do_compression=compress)


# SVHN, format 2: height, width, channel, number. MATLAB keeps labels as doubles.
for name, first, count, compress, labels in (("train", 0, 4, True, "uint8"), ("test", 4, 2, False, "float64"),
                                             ("extra", 6, 1, True, "int16")):
    pixels, targets = digits(first, count)
    save(name + "_32x32.mat", {"X": pixels.transpose(2, 3, 1, 0), "y": targets.astype(labels)}, compress)

for size in (16, 28):
    variables = {}
    for name, (pixels, targets) in silhouettes(size).items():
        variables[name + "_data"] = pixels.reshape(len(pixels), -1)
        variables[name + "_labels"] = targets.astype("float64" if size == 16 else "uint8")
    variables["classnames"] = np.array(["ant", "bass"], dtype=object)
    save(f"caltech101_silhouettes_{size}_split1.mat", variables, size == 28)

# The tables of ILSVRC's development kits: classes, then a class of classes without images.
for year, ids in ((2010, (1, 2, 3, 4)), (2012, (1, 3, 2, 4))):
    rows = [(i, f"n0000000{i}", 0.0 if n < 3 else 1.0, "a gloss, caf\u00e9", float(0 if n < 3 else 2), f"word {i}",
             np.array([[1.0, 2.0]]) if n == 3 else np.zeros((0, 0)), float((2, 3, 1, 0)[n])) for n, i in enumerate(ids)]
    dtype = [(f, object) for f in (f"ILSVRC{year}_ID", "WNID", "wordnet_height", "gloss", "num_children", "words",
                                   "children", "num_train_images")]
    save(f"meta{year}.mat", {"synsets": np.array(rows, dtype).reshape(-1, 1), "cost_matrix": np.eye(3, dtype="uint8")})

with open(os.path.join(here, "digitStruct.mat"), "wb") as f:
    f.write(digit_struct([[(3, 20, 10, 5, 4)], [(10, 21, 11, 6, 5), (7, 22, 12, 20, 5)]]))

# Photographs, and what Pillow makes of them.
expected = {"dogs_vs_cats": {}, "celeba_aligned_cropped": [], "celeba_64": []}


def sha(image):
    return hashlib.sha256(np.asarray(image).transpose(2, 0, 1).tobytes()).hexdigest()


for number, (height, width) in enumerate(((9, 12), (16, 16), (20, 11), (8, 30), (17, 13), (24, 24))):
    kind = ("cat", "dog")[number % 2]
    Image.fromarray(wave(number, height, width).transpose(1, 2, 0)).save(f"{here}/{kind}.{number}.jpg", quality=85)
    image = Image.open(f"{here}/{kind}.{number}.jpg")
    expected["dogs_vs_cats"][f"{kind}.{number}.jpg"] = {"shape": [3, *image.size[::-1]], "sha256": sha(image)}
for number in range(3):
    name = f"{here}/{number + 1:06d}.jpg"
    Image.fromarray(wave(number, 218, 178).transpose(1, 2, 0)).save(name, quality=40)
    image = Image.open(name)
    expected["celeba_aligned_cropped"].append(sha(image))
    expected["celeba_64"].append(sha(image.resize((64, 78), Image.LANCZOS).crop((0, 7, 64, 71))))
with open(os.path.join(here, "expected.json"), "w") as f:
    json.dump(expected, f, indent=1)
