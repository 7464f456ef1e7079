"""Converters of text files: iris, adult, binarized_mnist."""
import os

import numpy as np
from common import check, convert, data, folder, missing, refused, run, same_file, write

# iris: against NumPy's own reading.
classes = {"Iris-setosa": 0, "Iris-versicolor": 1, "Iris-virginica": 2}
with open(os.path.join(data, "iris.data")) as f:
    rows = [line.strip().split(",") for line in f if line.strip()]
features = np.array([row[:4] for row in rows], float).astype("float32")
targets = np.array([[classes[row[4]]] for row in rows], "uint8")
check(features.shape == (150, 4) and (np.bincount(targets[:, 0]) == 50).all(), "the genuine data set")
same_file(convert("iris", data), {"features": (features, ("batch", "feature")), "targets": (targets, ("batch", "index"))},
          {"all": {"features": (0, 150), "targets": (0, 150)}})
ran = run("fuel-convert", "iris", "-d", data, "-o", folder("names"))
check(ran.stdout.endswith("/iris.hdf5\n"), "the converter's own name")

inputs = folder("iris")
missing("iris", inputs, ["iris.data"])
for text, words in (("", "holds no flowers"), ("5.1,3.5,1.4,0.2\n", "line 1 has 4 fields; expected 5"),
                    ("5.1,3.5,1.4,0.2,Iris-rosa\n", "field 5 is 'Iris-rosa'"), ("5.1,3.5,x,0.2,Iris-setosa\n", "field 3 is 'x'"),
                    ("\n5.1,3.5,1.4,0.2,Iris-setosa\n5.1,3.5", "line 3 has 2 fields"), ("\0" * 1000, "has 1 fields"),
                    ("x" * (1 << 25), "has more than 16777216 bytes")):
    write(os.path.join(inputs, "iris.data"), text)
    refused(words, "iris", inputs)

# adult: columns in the order of the variables, values sorted.
people = [
    "39, State-gov, 77516, Bachelors, 13, Never-married, Adm-clerical, Not-in-family, White, Male, 2174, 0, 40, Cuba, <=50K",
    "50, Private, 83311, HS-grad, 9, Divorced, Sales, Husband, Black, Female, 0, 7, 13, Peru, >50K",
    "20, ?, 83311, HS-grad, 9, Divorced, Sales, Husband, Black, Female, 0, 7, 13, Peru, >50K",
    "28, Private, 1, 11th, 7, Divorced, Sales, Wife, Black, Female, 0, 0, 40, Japan, <=50K"]
tests = ["|1x3 Cross validator",
         "25, Private, 226802, 11th, 7, Divorced, Sales, Wife, Black, Male, 0, 0, 40, Cuba, >50K.",
         "26, Private, 226802, 11th, 7, Divorced, Sales, Wife, Black, Male, 0, 0, 40, ?, <=50K."]
inputs = folder("adult")
missing("adult", inputs, ["adult.data", "adult.test"])
write(os.path.join(inputs, "adult.data"), "\n".join(people) + "\n\n")
missing("adult", inputs, ["adult.test"])
write(os.path.join(inputs, "adult.test"), "\n".join(tests) + "\n\n")
kept = [p.split(", ") for p in (people[0], people[1], people[3], tests[1])]
columns = []
for i in range(14):
    if kept[0][i].isdigit():
        columns.append(np.array([[float(p[i])] for p in kept]))
    else:
        values = sorted({p[i] for p in kept})
        columns.append(np.array([[float(p[i] == v) for v in values] for p in kept]))
features = np.concatenate(columns, axis=1)
targets = np.array([[p[-1][0] == ">"] for p in kept])
path = convert("adult", inputs)
same_file(path, {"features": (features, ("batch", "feature")), "targets": (targets, ("batch", "index"))},
          {"train": {"features": (0, 3), "targets": (0, 3)}, "test": {"features": (3, 4), "targets": (3, 4)}})
for name, text, words in (("adult.data", people[0].replace("39", "old"), "adult.data', line 1, field 1 is 'old'"),
                          ("adult.data", people[0][:-7], "line 1 has 14 fields; expected 15"),
                          ("adult.data", people[0] + "s", "field 15 is '<=50Ks'; expected >50K or <=50K"),
                          ("adult.test", "|1x3 Cross validator\n", "adult.test' describes nobody"),
                          ("adult.test", "".join(tests[1].replace("Cuba", f"c{i}") + "\n" for i in range(5000)), "columns")):
    write(os.path.join(inputs, "adult.data"), people[0])
    write(os.path.join(inputs, "adult.test"), tests[1])
    write(os.path.join(inputs, name), text)
    refused(words, "adult", inputs)

# binarized_mnist
inputs = folder("binarized_mnist")
names = [f"binarized_mnist_{split}.amat" for split in ("train", "valid", "test")]
missing("binarized_mnist", inputs, names)
pixels = np.random.RandomState(3).randint(0, 2, size=(9, 1, 28, 28)).astype("uint8")
ranges = {"train": (0, 5), "valid": (5, 7), "test": (7, 9)}
for name, (start, stop) in zip(names, ranges.values()):
    np.savetxt(os.path.join(inputs, name), pixels[start:stop].reshape(-1, 784), fmt="%d")
labels = ("batch", "channel", "height", "width")
same_file(convert("binarized_mnist", inputs), {"features": (pixels, labels)},
          {split: {"features": rows} for split, rows in ranges.items()})
line = " ".join(["1"] * 784)
for text, words in (("", "holds no images"), (line[:-2], "line 1 has 783 fields"), (line + "\n" + line[2:] + " 2", "field 784 is '2'"),
                    (line.replace("1", "0.5", 1), "field 1 is '0.5'"), (line + " 1", "has 785 fields")):
    write(os.path.join(inputs, names[1]), text)
    refused(words, "binarized_mnist", inputs)
