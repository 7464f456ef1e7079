"""The file of boxes in SVHN's first form, as MATLAB 7.3 writes it."""
import io

import h5py
import numpy as np

fields = ("label", "height", "width", "left", "top")


def digit_struct(boxes, change=None):
    """Its bytes: `boxes` has for each image a list of (label, height, width, left, top); `change` may spoil it."""
    buffer = io.BytesIO()
    with h5py.File(buffer, "w", userblock_size=512) as f:
        f.create_group("#refs#")
        group = f.create_group("digitStruct")
        bbox = group.create_dataset("bbox", (len(boxes), 1), h5py.ref_dtype)
        for i, image in enumerate(boxes):
            holder = f.create_group(f"#refs#/image{i}")
            for k, field in enumerate(fields):
                if len(image) == 1:
                    holder[field] = np.array([[float(image[0][k])]])
                    continue
                column = holder.create_dataset(field, (len(image), 1), h5py.ref_dtype)
                for b, box in enumerate(image):
                    f[f"#refs#/value{i}_{k}_{b}"] = np.array([[float(box[k])]])
                    column[b, 0] = f[f"#refs#/value{i}_{k}_{b}"].ref
            bbox[i, 0] = holder.ref
        if change:
            change(f)
    return buffer.getvalue()
