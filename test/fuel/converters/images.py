"""The converter images: folders, tar and zip archives, with and without classes; bytes and pixels; order, splits, sizes, and
what is refused. PNG files are written here; photographs are those of the reference data."""
import hashlib
import io
import os
import shutil
import struct
import tarfile
import zipfile
import zlib

import h5py
import numpy as np
from common import check, convert, folder, refused, run, same_file, write
from pictures import wave


def png(pixels):
    """(3, h, w) or (h, w) as a PNG file."""
    if pixels.ndim == 3:
        pixels = pixels.transpose(1, 2, 0)
    height, width = pixels.shape[:2]
    lines = b"".join(b"\0" + pixels[y].tobytes() for y in range(height))

    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
    header = struct.pack(">IIBBBBB", width, height, 8, 2 if pixels.ndim == 3 else 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")


inputs = folder("inputs")
classes = ["b-c", "b", "Zebra", "ä"]
files = {}  # name -> pixels
for number, name in enumerate(f"{c}/{i}.png" for c in classes for i in (10, 2, 1)):
    files[name] = wave(number, 12, 16)
files["b/in/side.PNG"] = wave(40, 12, 16)
for name, pixels in files.items():
    os.makedirs(os.path.dirname(os.path.join(inputs, "same", name)), exist_ok=True)
    write(os.path.join(inputs, "same", name), png(pixels))
write(os.path.join(inputs, "same", "b", ".hidden"), "no image")
order = sorted(files, key=lambda n: (n.split("/")[0].encode(), n.encode()))
names = sorted(classes, key=lambda n: n.encode())
targets = np.array([[names.index(n.split("/")[0])] for n in order], "u1")
content = [np.frombuffer(png(files[n]), "u1") for n in order]
pixels = np.stack([files[n] for n in order])
images, labels = ("batch", "channel", "height", "width"), ("batch", "index")


def ranges(**splits):
    return {n: {s: r for s in splits["sources"]} for n, r in splits.items() if n != "sources"}


def class_names(path):
    with h5py.File(path) as f:
        return list(f["targets_classes"].asstr()[()])


# --- a folder, and archives of it -----------------------------------------------
with tarfile.open(os.path.join(inputs, "same.tar.gz"), "w:gz") as archive:
    archive.add(os.path.join(inputs, "same"), "top/same")
with tarfile.open(os.path.join(inputs, "same.tar"), "w") as archive:
    for name in sorted(files, key=lambda n: n[::-1]):  # In another order, without a folder above.
        archive.add(os.path.join(inputs, "same", name), "./" + name)
with zipfile.ZipFile(os.path.join(inputs, "same.zip"), "w", zipfile.ZIP_DEFLATED) as archive:
    for name in reversed(list(files)):
        archive.write(os.path.join(inputs, "same", name), "same/" + name)
    archive.writestr("__MACOSX/same/._1.png", "clutter")
for source in ("same", "same.tar.gz", "same.tar", "same.zip"):
    path = convert("images", inputs, source)
    same_file(path, {"encoded_images": (content, ("batch",)), "targets": (targets, labels)},
              ranges(train=(0, 13), sources=("encoded_images", "targets")))
    check(class_names(path) == names, "names of the classes")
    path = convert("images", inputs, source, "--decode", "--compression", "gzip")
    same_file(path, {"image_features": (pixels, images), "targets": (targets, labels)},
              ranges(train=(0, 13), sources=("image_features", "targets")))

# The loader decodes what was stored.
path = convert("images", inputs, "same")
ran = run("fuel-cat", path, "--json", "--batch-size", "1", "--sources", "encoded_images", "--transform", "images_from_bytes")
check(hashlib.sha256(pixels[0].tobytes()).hexdigest() in ran.stdout.splitlines()[0], "decoded by the loader: " + ran.stderr)

# --- splits, shuffling, names ------------------------------------------------------
shuffled = np.arange(13)
np.random.RandomState(3).shuffle(shuffled)
path = convert("images", inputs, "same.tar", "--decode", "--split", "train=10,valid=rest", "--shuffle-seed", "3", "--filenames")
with h5py.File(path) as f:
    check(np.array_equal(f["image_features"][()], pixels[shuffled]) and np.array_equal(f["targets"][()], targets[shuffled]), "shuffled")
    check(list(f["filenames"].asstr()[()]) == [order[i] for i in shuffled], "names of the files")
    check([(r["start"], r["stop"]) for r in f.attrs["split"] if r["source"] == b"targets"] == [(0, 10), (10, 13)], "divided")
refused("add --shuffle-seed 1", "images", inputs, "same", "--split", "train=10,valid=rest", status=2)
only = os.path.join(inputs, "only", "b")
os.makedirs(only)
shutil.copy(os.path.join(inputs, "same", "b", "1.png"), only)
path = convert("images", inputs, "same", "test=only", "--decode")  # Classes have the numbers of the whole.
same_file(path, {"image_features": (np.concatenate([pixels, files["b/1.png"][None]]), images),
                 "targets": (np.concatenate([targets, [[names.index("b")]]]).astype("u1"), labels)},
          ranges(train=(0, 13), test=(13, 14), sources=("image_features", "targets")))

# --- without classes, in grey, of different sizes ------------------------------------
flat = os.path.join(inputs, "flat")
os.makedirs(flat)
sizes = [(9, 20), (30, 7), (8, 8)]
different = [wave(i, *size) for i, size in enumerate(sizes)]
for i, picture in enumerate(different):
    write(os.path.join(flat, f"{i}.img"), png(picture))
grey = wave(5, 11, 13)[0]
write(os.path.join(flat, "3"), png(grey))
different.append(np.stack([grey] * 3))
path = convert("images", inputs, "flat", "--decode")
same_file(path, {"image_features": (different, images)}, ranges(train=(0, 4), sources=("image_features",)))
path = convert("images", inputs, "flat", "--grey")
with h5py.File(path) as f:
    check(np.array_equal(f["image_features"][3].reshape(11, 13), grey), "grey stays as it is")
    luma = (different[0] * np.array([19595, 38470, 7471])[:, None, None]).sum(0) + 0x8000 >> 16
    check(np.array_equal(f["image_features"][0].reshape(9, 20), luma), "grey of colours")

# --- sizes ---------------------------------------------------------------------------
path = convert("images", inputs, "flat", "--resize", "8x6", "--resample", "nearest")
with h5py.File(path) as f:
    rows, columns = (np.arange(8) + 0.5) * 30 / 8, (np.arange(6) + 0.5) * 7 / 6
    check(f["image_features"].shape == (4, 3, 8, 6), "an exact size")
    check(np.array_equal(f["image_features"][1], different[1][:, rows.astype(int)][:, :, columns.astype(int)]), "nearest")
path = convert("images", inputs, "flat", "--resize", "8")
with h5py.File(path) as f:
    scales = [s for s in f["image_features"].dims[0].values() if s.attrs["NAME"] == b"shapes"]
    check(scales[0][()].tolist() == [[3, 8, 17], [3, 34, 8], [3, 8, 8], [3, 8, 9]], f"shorter side: {scales[0][()].tolist()}")
path = convert("images", inputs, "flat", "--crop", "5x6")
with h5py.File(path) as f:
    cropped = [p[:, (p.shape[1] - 5) // 2:][:, :5, (p.shape[2] - 6) // 2:][:, :, :6] for p in different]
    check(np.array_equal(f["image_features"][()], cropped), "the middle")
path = convert("images", inputs, "flat", "--resize", "9", "--crop", "9x8")
with h5py.File(path) as f:
    check(f["image_features"].shape == (4, 3, 9, 8), "resized and cropped")
refused("too few for --crop 9x9; add --resize", "images", inputs, "flat", "--crop", "9x9", status=2)
refused("expected HEIGHTxWIDTH", "images", inputs, "flat", "--resize", "0x4", status=2)
refused("nearest, bilinear or bicubic", "images", inputs, "flat", "--resample", "lanczos", status=2)

# --- what is no image ----------------------------------------------------------------
write(os.path.join(flat, "notes.txt"), "not an image, but longer than a header")
refused("notes.txt' is not a readable image", "images", inputs, "flat")
refused("--skip-unreadable", "images", inputs, "flat")
path = convert("images", inputs, "flat", "--skip-unreadable")
with h5py.File(path) as f:
    check(len(f["encoded_images"]) == 4 and f.attrs["split"][0]["comment"] == b"1 files were no usable images", "left out, and told")
write(os.path.join(flat, "notes.txt"), png(grey)[:-40])  # A good header, and bad pixels.
check(convert("images", inputs, "flat") is not None, "bytes are not decoded unasked")
refused("notes.txt' is not a readable image", "images", inputs, "flat", "--verify")
refused("notes.txt' is not a readable image", "images", inputs, "flat", "--decode")
write(os.path.join(inputs, "same", "stray.png"), png(grey))
refused("stray.png' stands beside folders", "images", inputs, "same")
os.remove(os.path.join(inputs, "same", "stray.png"))
refused("no folders of classes", "images", inputs, "same", "flat")
os.makedirs(os.path.join(inputs, "nothing"))
refused("holds no file", "images", inputs, "nothing")
refused("there is no", "images", inputs, "absent")
with open(os.path.join(inputs, "same.tar.gz"), "rb") as f:
    write(os.path.join(inputs, "cut.tar.gz"), f.read()[:-200])
refused("cut.tar.gz", "images", inputs, "cut.tar.gz")

# --- links: a hard one is its file; of symbolic ones a folder follows them, a tar is refused ---
linked = os.path.join(inputs, "linked")
for name in ("cat/a.png", "dog/c.png"):
    os.makedirs(os.path.dirname(os.path.join(linked, name)))
    write(os.path.join(linked, name), png(wave(len(name), 6, 5)))
os.link(os.path.join(linked, "cat", "a.png"), os.path.join(linked, "cat", "b.png"))
os.symlink("/nowhere", os.path.join(linked, "cat", ".clutter"))
for name in ("linked.tar", "linked.tar.gz"):
    with tarfile.open(os.path.join(inputs, name), "w:gz" if name.endswith("gz") else "w") as archive:
        archive.add(linked, "linked")
        check(sum(m.islnk() for m in archive.getmembers()) == 1, "the archive holds a hard link")
    stored = []
    for source in ("linked", name):
        with h5py.File(convert("images", inputs, source, "--filenames")) as f:
            stored.append([[e.tobytes() for e in f["encoded_images"][()]], f["targets"][()].tolist(), class_names(f.filename)])
    check(stored[0] == stored[1] and len(stored[0][0]) == 3, f"hard links: {stored}")
os.symlink("dog", os.path.join(linked, "bird"))
with h5py.File(convert("images", inputs, "linked")) as f:
    check(len(f["encoded_images"]) == 4, "a class that is a link")
with tarfile.open(os.path.join(inputs, "linked.tar"), "w") as archive:
    archive.add(linked, "linked")
refused("entry 'linked/bird' is a link to 'dog'", "images", inputs, "linked.tar")

# --- left out: damaged within an archive, too small, too large; what the system refuses is told ---
sizes = os.path.join(inputs, "sizes")
os.makedirs(sizes)
for name, shape in (("a", (8, 8)), ("b", (4, 8)), ("c", (8, 9))):
    write(os.path.join(sizes, name + ".png"), png(wave(5, *shape)))
refused("--skip-unreadable leaves", "images", inputs, "sizes", "--crop", "6x6", status=2)
with h5py.File(convert("images", inputs, "sizes", "--crop", "6x6", "--skip-unreadable")) as f:
    check(len(f["image_features"]) == 2 and f.attrs["split"][0]["comment"] == b"1 files were no usable images", "too small")
with zipfile.ZipFile(os.path.join(inputs, "sizes.zip"), "w") as archive:
    for name in "abc":
        archive.write(os.path.join(sizes, name + ".png"), name + ".png")
with open(os.path.join(inputs, "sizes.zip"), "rb") as f:
    packed = f.read()
with open(os.path.join(sizes, "b.png"), "rb") as f:
    write(os.path.join(inputs, "sizes.zip"), packed.replace(f.read()[-30:], bytes(30)))
refused("b.png", "images", inputs, "sizes.zip", also="--skip-unreadable")
with h5py.File(convert("images", inputs, "sizes.zip", "--skip-unreadable")) as f:
    check(len(f["encoded_images"]) == 2, "a checksum of a zip")
os.symlink("round.png", os.path.join(sizes, "round.png"))
refused("cannot look at", "images", inputs, "sizes", also="round.png")
refused("cannot look at", "mnist", os.path.join(sizes, "round.png"))
