"""ilsvrc2010 and ilsvrc2012: archives within archives, patches, gzipped images; the shuffle is NumPy's."""
import gzip
import io
import os
import struct
import tarfile

import numpy as np
from common import check, convert, data, folder, missing, refused, same_file, write

random = np.random.RandomState(5)
jpegs = [open(os.path.join(data, name), "rb").read() for name in sorted(os.listdir(data)) if name.endswith(".jpg")]


def tar(members, mode="w"):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:
        for name, content in members:
            info = tarfile.TarInfo(name)
            if content is None:
                info.type = tarfile.DIRTYPE
            else:
                info.size = len(content)
            archive.addfile(info, io.BytesIO(content or b""))
    return buffer.getvalue()


def image():
    """Bytes of a photograph and something after its end, so that each is another one."""
    return jpegs[random.randint(len(jpegs))] + random.bytes(random.randint(1, 40))


def kit(year, truth, meta=None):
    top = "devkit-1.0" if year == 2010 else "ILSVRC2012_devkit_t12"
    with open(os.path.join(data, f"meta{year}.mat"), "rb") as f:
        table = f.read() if meta is None else meta
    return tar([(top, None), (f"{top}/data/meta.mat", table), (f"{top}/readme.txt", b"read me"),
                (f"{top}/data/ILSVRC{year}_validation_ground_truth.txt", "".join(f"{t}\n" for t in truth).encode())], "w:gz")


def column(values, dtype):
    return np.array(values, dtype)[:, None]


none = ("", "")
for year in (2010, 2012):
    name = f"ilsvrc{year}"
    inputs = folder(name)
    middle = "images" if year == 2010 else "img"
    kit_name = f"ILSVRC2010_devkit-1.0.tar.gz" if year == 2010 else "ILSVRC2012_devkit_t12.tar.gz"
    tars = [f"ILSVRC{year}_{middle}_{part}.tar" for part in ("train", "val", "test")]
    extra = ["patch_images.tar", "ILSVRC2010_test_ground_truth.txt"] if year == 2010 else []
    missing(name, inputs, [kit_name, *tars, *extra])

    # Class i has ids[i], and 2, 3 and 1 images; names do not come in order.
    ids = (1, 2, 3) if year == 2010 else (1, 3, 2)
    counts = (2, 3, 1)
    classes = {f"n0000000{i}": [(f"n0000000{i}_{n}.JPEG", image()) for n in random.permutation(20)[:count]] for i, count in zip(ids, counts)}
    labels = {f"n0000000{i}": k for k, i in enumerate(ids)}
    valid = [(f"ILSVRC{year}_val_{i:08d}.JPEG", image()) for i in range(1, 5)]
    test = [(f"ILSVRC{year}_test_{i:08d}.JPEG", image()) for i in range(1, 4)]
    truth, test_truth = [ids[1], ids[0], ids[2], ids[1]], [ids[2], ids[0], ids[0]]
    outer = [(wnid + ".tar", tar(members)) for wnid, members in reversed(classes.items())]
    patches = {"train": dict([(classes["n00000003"][0][0], image())]), "val": {}, "test": {test[1][0]: image()}}
    write(os.path.join(inputs, kit_name), kit(year, truth))
    write(os.path.join(inputs, tars[0]), tar(outer))
    packed = [(f"val/{n}", gzip.compress(c) if i == 2 else c) for i, (n, c) in enumerate(valid)]
    write(os.path.join(inputs, tars[1]), tar([("val", None)] + packed[::-1]))
    write(os.path.join(inputs, tars[2]), tar(test))
    if year == 2010:
        members = [(f"patch_images/{split}/{n}", c) for split, files in patches.items() for n, c in files.items()]
        write(os.path.join(inputs, extra[0]), tar([("patch_images", None), ("patch_images/readme.txt", b"x")] + members))
        write(os.path.join(inputs, extra[1]), "\n".join(map(str, test_truth)) + "\n")
    else:
        patches = {split: {} for split in patches}

    train = [(n, patches["train"].get(n, c), labels[wnid]) for wnid, members in reversed(classes.items()) for n, c in sorted(members)]
    for options, seed in (((), 1), (("--shuffle-seed", 123), 123)):
        rows = [None] * len(train)
        for row, entry in zip(np.random.RandomState(seed).permutation(len(train)), train):
            rows[row] = entry
        rows += [(n, c, ids.index(t)) for (n, c), t in zip(valid, truth)]
        rows += [(n, patches["test"].get(n, c), ids.index(t)) for (n, c), t in zip(test, test_truth)]
        labelled = len(rows) if year == 2010 else len(rows) - len(test)
        sources = {"encoded_images": ([np.frombuffer(c, "uint8") for _, c, _ in rows], none),
                   "targets": (column([t for _, _, t in rows[:labelled]], "int16"), none),
                   "filenames": (column([n.encode() for n, _, _ in rows], "S32"), none)}
        splits = {"train": dict.fromkeys(sources, (0, 6)), "valid": dict.fromkeys(sources, (6, 10)), "test": dict.fromkeys(sources, (10, 13))}
        if year == 2012:
            del splits["test"]["targets"]
        same_file(convert(name, inputs, *options), sources, splits)


# --- What is refused (of 2012, then what 2010 has more) -----------------------
def broken(words, name, file, content):
    path = os.path.join(scratch, file)
    with open(path, "rb") as f:
        whole = f.read()
    write(path, content)
    refused(words, name, scratch)
    write(path, whole)


scratch = inputs
with open(os.path.join(data, "meta2010.mat"), "rb") as f:
    other_meta = f.read()
train, val = tars[0], tars[1]
for file, content, words in (
        (kit_name, kit(2012, truth[1:]), "holds 4 images; the development kit announces 3"),
        (kit_name, kit(2012, [9] + truth[1:]), "line 1, is '9'; expected the number of a class"),
        (kit_name, kit(2012, ["x"] + truth[1:]), "line 1, is 'x'"), (kit_name, kit(2012, truth, other_meta), "has no field 'ILSVRC2012_ID'"),
        (kit_name, kit(2012, truth, b"nothing"), "no MATLAB file"), (kit_name, tar([]), "holds no file"), (kit_name, b"x", "tar archive"),
        (train, tar(outer[1:]), "images; the development kit announces 6"), (train, tar([("n9.tar", tar([]))] + outer), "belongs to no class"),
        (train, tar([(n, gzip.compress(c)) for n, c in outer]), "is compressed; expected a plain tar archive"),
        (train, tar(outer, "w:gz"), "is compressed"), (train, tar(outer)[:3000], "Truncated"), (train, tar([(outer[0][0], b"no tar")]), "tar archive"),
        (val, tar(valid[1:]), "holds 3 images"), (val, tar([(n, b"no image") for n, _ in valid]), "begins like neither"),
        (val, tar([("x" * 40, c) for n, c in valid]), "expected names of at most 32"), (val, tar([("caf\u00e9", c) for n, c in valid]), "of ASCII"),
        (val, tar([(n, gzip.compress(c)[:-30]) for n, c in valid]), "damaged gzip"),
        (val, tar([(n, gzip.compress(bytes(1 << 20))) for n, c in valid]), "begins like neither")):
    broken(words, "ilsvrc2012", file, content)


def structure(elements, names):
    """A table of names of one byte each, and no values."""
    def part(kind, content):
        return struct.pack("<II", kind, len(content)) + content + bytes(-len(content) % 8)
    return b"MATLAB 5.0 MAT-file".ljust(124) + struct.pack("<HH", 0x100, 0x4d49) + part(
        14, part(6, struct.pack("<II", 2, 0)) + part(5, struct.pack("<2i", elements, 1)) + part(1, b"synsets") +
        part(5, struct.pack("<i", 1)) + part(1, b"a" * names))


broken("more than 4096 fields", "ilsvrc2012", kit_name, kit(2012, truth, structure(1, 5000)))
broken("a structure of 1048576 elements has no fields", "ilsvrc2012", kit_name, kit(2012, truth, structure(1 << 20, 0)))
for seed in ("-1", "x", str(1 << 32)):
    refused("shuffle-seed", "ilsvrc2012", inputs, "--shuffle-seed", seed, status=2)
scratch = os.path.join(os.path.dirname(inputs), "ilsvrc2010")
broken("only 0 replace one", "ilsvrc2010", "patch_images.tar", tar([("a/train/n00000001_99.JPEG", image())]))
broken("announces 2", "ilsvrc2010", "ILSVRC2010_test_ground_truth.txt", "1\n2\n")
check(len(jpegs) == 9, "the photographs")
