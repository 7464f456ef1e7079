"""Written: files of our Writer seen by h5py: the same values, and the same
structure (attributes, types, scales) as the genuine files they were copied from."""
import os
import subprocess
import sys

import h5py
import numpy as np

from toolkit import check, data, scratch, status, tools


def attribute(holder, name):
    """Its type and shape on disk, and the value where h5py has a plain one."""
    stored = h5py.h5a.open(holder.id, name.encode())
    kind = stored.get_type()
    text = str(kind.get_class())
    if kind.get_class() == h5py.h5t.STRING:
        text += f" {kind.is_variable_str()} {kind.get_cset()} {kind.get_strpad()} {kind.get_size()}"
    if kind.get_class() == h5py.h5t.COMPOUND:
        text = [(kind.get_member_name(i), kind.get_member_offset(i), str(kind.get_member_type(i).get_class()),
                 kind.get_member_type(i).get_size()) for i in range(kind.get_nmembers())]
    return text, stored.shape


def structure(holder, leave=()):
    return {name: attribute(holder, name) for name in holder.attrs if name not in leave}


def same(mine, theirs):
    with h5py.File(mine) as a, h5py.File(theirs) as b:
        sources = sorted({row["source"].decode() for row in b.attrs["split"]})
        check(structure(a)["split"][0][1:6] == structure(b)["split"][0][1:6], "split table's members")
        for name in sources:
            check(a[name].id.get_type().equal(b[name].id.get_type()) or b[name].dtype.byteorder == ">", name + ": type")
            check(a[name].shape[1:] == b[name].shape[1:], f"{name}: shape {a[name].shape}")
            check(a[name].id.get_create_plist().get_layout() == h5py.h5d.CONTIGUOUS, name + ": layout")
            check(structure(a[name]) == structure(b[name]), f"{name}: {structure(a[name])} and {structure(b[name])}")
            check([d.label for d in a[name].dims] == [d.label for d in b[name].dims], name + ": labels")
            scales, expected = a[name].dims[0], b[name].dims[0]
            check(list(scales.keys()) == list(expected.keys()), name + ": scales")
            for key in expected.keys():
                check(np.array_equal(scales[key][()], expected[key][()]), f"{name}: {key}")
                if key == "shape_labels":  # Shapes are of any integer type.
                    check(scales[key].dtype == expected[key].dtype, f"{name}: type of {key}")
                check(structure(scales[key]) == structure(expected[key]), f"{name}: attributes of {key}")
            for x, y in zip(a[name][()], b[name][()]):
                check(np.array_equal(x, y) or np.asarray(x).dtype.kind == "f" and np.array_equal(x, y, equal_nan=True),
                      name + ": values")
        rows = {(r["split"], r["source"]): r for r in a.attrs["split"]}
        some = rows[b"some", sources[0].encode()]
        check((some["start"], some["stop"]) == (-1, -1) and list(a[some["indices"]][()]) == [5, 2, 2], "index")
        check(rows[b"test", sources[0].encode()]["comment"] == b"rest", "comment")
        check(rows[b"train", sources[0].encode()]["comment"] == b".", "empty comment")
        check(a.attrs["fuel_convert_command"] == "writer test" and a.attrs["h5py_interface_version"] == "0.3", "origin")


ran = subprocess.run([os.path.join(tools, "test-fuel-writer"), scratch, data])
check(ran.returncode == 0, "the files were not written")
for known in ("known", "unknown"):
    same(os.path.join(scratch, f"images_{known}.hdf5"), os.path.join(data, "vlen_images.hdf5"))
    same(os.path.join(scratch, f"sequences_{known}.hdf5"), os.path.join(data, "vlen_sequences.hdf5"))
    same(os.path.join(scratch, f"dtypes_{known}.hdf5"), os.path.join(data, "dtypes.hdf5"))
with h5py.File(os.path.join(scratch, "texts.hdf5")) as file:
    check(list(file["word"][()]) == [b"abc", b"d"], "fixed texts")
    check(list(file["line"].asstr()[()]) == ["Grüße", ""], "texts of any length")
    check(list(file["vocabulary"].asstr()[()]) == ["a", "Grüße"], "vocabulary")
with h5py.File(os.path.join(scratch, "many.hdf5")) as file:
    table = file.attrs["split"]
    check(len(table) == 2800 and table.nbytes > 65536, "all pairs")
    missing = table[2]
    check(missing["source"] == b"s2" and not missing["available"] and missing["start"] == missing["stop"] == 0
          and not missing["indices"], "a missing pair")
sys.exit(status())
