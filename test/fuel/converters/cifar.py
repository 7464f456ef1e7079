"""cifar10 and cifar100: pickles as Python 2 and 3 write them, in tar archives; hostile ones."""
import gzip
import io
import os
import pickle
import struct
import tarfile

import numpy as np
from common import check, convert, folder, missing, refused, same_file, write

random = np.random.RandomState(7)


def images(count):
    return random.randint(0, 256, size=(count, 3072)).astype("uint8")


def python2(entries):
    """Protocol 2 as Python 2's cPickle wrote the genuine files: strings of bytes, memo numbers that nobody recalls."""
    def text(value):
        return (b"U" + struct.pack("B", len(value)) if len(value) < 256 else b"T" + struct.pack("<I", len(value))) + value

    def number(value):
        return b"K" + struct.pack("B", value)

    def array(value):
        rows, columns = value.shape
        return (b"cnumpy.core.multiarray\n_reconstruct\nq\x03cnumpy\nndarray\nq\x04K\x00\x85U\x01b\x87Rq\x05(K\x01"
                b"M" + struct.pack("<H", rows) + b"M" + struct.pack("<H", columns) + b"\x86cnumpy\ndtype\nq\x06"
                b"U\x02u1K\x00K\x01\x87Rq\x07(K\x03U\x01|NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb\x89"
                + text(value.tobytes()) + b"tb")

    out = b"\x80\x02}q\x01("
    for key, value in entries.items():
        out += text(key.encode())
        if isinstance(value, str):
            out += text(value.encode())
        elif isinstance(value, list):
            out += b"]q\x02(" + b"".join(map(number, value)) + b"e"
        else:
            out += array(value)
    return out + b"u."


def archive(path, members, mode="w:gz"):
    with tarfile.open(path, mode) as tar:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))


check(pickle.loads(python2({"data": images(2), "labels": [1, 2], "batch_label": "x"}), encoding="latin1")["labels"] == [1, 2],
      "Python reads what this test writes")

# cifar10: files out of order, and every form of a pickle.
inputs = folder("cifar10")
missing("cifar10", inputs, ["cifar-10-python.tar.gz"])
path = os.path.join(inputs, "cifar-10-python.tar.gz")
names = [f"data_batch_{i}" for i in range(1, 6)] + ["test_batch"]
data = {name: images(3 + i) for i, name in enumerate(names)}
labels = {name: [int(x) for x in random.randint(0, 10, size=len(data[name]))] for name in names}
entries = {name: {"batch_label": "batch", "labels": labels[name], "data": data[name], "filenames": ["a.png"]} for name in names}
forms = {"data_batch_1": lambda d: python2({k: d[k] for k in ("batch_label", "labels", "data")})}
for i, name in enumerate(names[1:]):
    forms[name] = lambda d, protocol=i: pickle.dumps(d, protocol=protocol)
entries["data_batch_3"]["data"] = np.asfortranarray(data["data_batch_3"])
members = {"cifar-10-batches-py/" + name: forms[name](entries[name]) for name in reversed(names)}
members["cifar-10-batches-py/readme.html"] = b"<html>"
order = {"features": np.concatenate([data[n] for n in names]).reshape(-1, 3, 32, 32),
         "targets": np.array(sum((labels[n] for n in names), []), "uint8")[:, None]}
sources = {"features": (order["features"], ("batch", "channel", "height", "width")), "targets": (order["targets"], ("batch", "index"))}
train, total = 3 + 4 + 5 + 6 + 7, 3 + 4 + 5 + 6 + 7 + 8
splits = {"train": dict.fromkeys(sources, (0, train)), "test": dict.fromkeys(sources, (train, total))}
for mode in ("w:gz", "w"):  # By name the second one lies.
    archive(path, members, mode)
    same_file(convert("cifar10", inputs), sources, splits)

# cifar100
inputs100 = folder("cifar100")
missing("cifar100", inputs100, ["cifar-100-python.tar.gz"])
parts = {name: {"data": images(n), "coarse_labels": [int(x) for x in random.randint(0, 20, size=n)],
                "fine_labels": [int(x) for x in random.randint(0, 100, size=n)]} for name, n in (("train", 6), ("test", 3))}
archive(os.path.join(inputs100, "cifar-100-python.tar.gz"),
        {"cifar-100-python/" + name: python2(part) for name, part in parts.items()})
both = {key: np.concatenate([np.array(parts[n][key], "uint8") for n in ("train", "test")]) for key in parts["train"]}
same_file(convert("cifar100", inputs100),
          {"features": (both["data"].reshape(-1, 3, 32, 32), ("batch", "channel", "height", "width")),
           "coarse_labels": (both["coarse_labels"][:, None], ("batch", "index")),
           "fine_labels": (both["fine_labels"][:, None], ("batch", "index"))},
          {"train": dict.fromkeys(("features", "coarse_labels", "fine_labels"), (0, 6)),
           "test": dict.fromkeys(("features", "coarse_labels", "fine_labels"), (6, 9))})


# What must be refused. Nothing of a pickle is carried out.
class Runs:
    def __reduce__(self):
        return os.system, ("touch " + os.path.join(inputs, "was-run"),)


good = {key: entries["data_batch_2"][key] for key in ("labels", "data")}
deep = b"\x80\x02" + b"]" * 100000 + b"a" * 99999 + b"."
for content, words in (
        (pickle.dumps(Runs(), protocol=2), "refers to 'posix.system', which is not carried out"),
        (pickle.dumps({"data": Runs()}, protocol=4), "refers to 'posix.system'"),
        (b"cos\nsystem\n(S'true'\ntR.", "refers to 'os.system'"),
        (b"cnumpy\nndarray\n(S'true'\ntR.", "'numpy.ndarray' is called"),
        (b"(S'true'\nios\nsystem\n.", "the instruction 0x69"),
        (b"", "it ends too early"), (python2(good)[:-400], "it ends too early"),
        (b"\x80\x09N.", "protocol 9"), (b"no pickle at all", "the instruction 0x6e"), (b"h\x05.", "does not hold"),
        (deep, "holds no dictionary"), (b"N" * (1 << 23), "holds more than"), (b"T\xff\xff\xff\xffx", "it ends too early"),
        (b"(" * 100, "it ends too early"), (b"t.", "a mark is missing"), (b"a.", "a value is missing"),
        (python2(good | {"data": images(4)}).replace(b"M\x00\x0c", b"M\x01\x0c"), "expected 12292"),
        (pickle.dumps({k: good[k] for k in ("labels",)}), "has no entry 'data'"),
        (pickle.dumps(good | {"data": good["data"].astype("int32")}, protocol=2), "elements of type i32; expected ui8"),
        (pickle.dumps(good | {"data": good["data"][:, :3071]}, protocol=2), "expected lines of 3072"),
        (pickle.dumps(good | {"data": [1, 2]}, protocol=2), "is no array of NumPy"),
        (pickle.dumps(good | {"labels": good["labels"][1:]}, protocol=2), "4 images, but 3 labels"),
        (pickle.dumps(good | {"labels": [1, 2, 3, 10]}, protocol=2), "holds 10; expected numbers from 0 to 9"),
        (pickle.dumps(good | {"labels": [1, 2, 3, -1]}, protocol=2), "holds -1"),
        (pickle.dumps(good | {"labels": [1, 2, 3, 1 << 70]}, protocol=2), "more than 8 bytes"),
        (pickle.dumps(good | {"labels": ["a"] * 4}, protocol=2), "something else than whole numbers"),
        (pickle.dumps(good | {"labels": 3}, protocol=2), "is no list"),
        (pickle.dumps({"data": np.array(["a"])}, protocol=2), "element type 'U1'"),
        (pickle.dumps([], protocol=2), "holds no dictionary")):
    archive(path, members | {"cifar-10-batches-py/data_batch_2": content})
    refused(words, "cifar10", inputs)
check(not os.path.exists(os.path.join(inputs, "was-run")), "a pickle was carried out")

# Damaged archives.
archive(path, {name: content for name, content in members.items() if "test" not in name})
refused("holds no file 'cifar-10-batches-py/test_batch'", "cifar10", inputs)
archive(path, members)
with open(path, "rb") as f:
    whole = f.read()
plain = gzip.decompress(whole)
flipped = bytearray(plain)
flipped[4] ^= 1  # In the name: the header's checksum no longer holds.
for content, words in ((whole[:-5000], "truncated gzip"), (b"", "tar archive"), (b"garbage" * 1000, "tar archive"),
                       (plain[:-30000], "as a tar archive: Truncated"), (bytes(flipped), "tar archive"),
                       (gzip.compress(plain[:1000]), "tar archive"), (b"PK\3\4" + b"x" * 100, "damaged ZIP archive")):
    write(path, content)
    refused(words, "cifar10", inputs)
archive(path, {"cifar-10-batches-py/bomb": bytes(1 << 25)})
refused("times its size", "cifar10", inputs)
