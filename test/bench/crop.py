"""Random crop (3x256x256 u8 to 3x224x224) and flip: our stream against PyTorch's
DataLoader with the same operations, two workers each, alternating in rounds.
PyTorch's dataset lies in memory, mapped, crops by slicing, and its workers
persist over the epochs. Prints medians and quartiles; it judges nothing.

  PYTHON-WITH-TORCH test/bench/crop.py build/bin/bench-stream FILE.hdf5 [ROUNDS] [BATCH]

FILE.hdf5 is made by make_images.py; h5py tells where the images lie in it.
"""
import subprocess
import sys
import time

import h5py
import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

program, path = sys.argv[1:3]
rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
batch = int(sys.argv[4]) if len(sys.argv) > 4 else 64
window = 224


class Images(Dataset):
    def __init__(self):
        with h5py.File(path, "r") as file:
            images = file["image_features"]
            self.images = torch.from_numpy(np.memmap(path, "u1", "c", images.id.get_offset(), images.shape))
            self.targets = torch.from_numpy(file["targets"][:])

    def __len__(self):
        return len(self.images)

    def __getitem__(self, row):
        image = self.images[row]
        top, left = torch.randint(0, image.shape[1] - window + 1, (2,)).tolist()
        image = image[:, top:top + window, left:left + window]
        if torch.rand(()) < 0.5:
            image = image.flip(-1)
        return image, self.targets[row]


def rate(loader):
    start, images = time.perf_counter(), 0
    for features, _ in loader:
        images += len(features)
    return images / (time.perf_counter() - start)


def ours():
    transforms = [f"random_fixed_size_crop(window={window}x{window},which=image_features)", "random_flip(which=image_features)"]
    ran = subprocess.run([program, path, "shuffled", str(batch), "2", "2", *transforms], capture_output=True, text=True, check=True)
    return float(ran.stdout.split()[-2])


def spread(values):
    low, middle, high = np.percentile(values, (25, 50, 75))
    return f"{middle:.0f} images a second (quartiles {low:.0f} to {high:.0f})"


def main():
    torch.set_num_threads(1)
    loader = DataLoader(Images(), batch_size=batch, shuffle=True, num_workers=2, persistent_workers=True)
    rate(loader)
    pairs = np.array([(ours(), rate(loader)) for _ in range(rounds)])
    print("stream :", spread(pairs[:, 0]))
    print("PyTorch:", spread(pairs[:, 1]))
    ratios = pairs[:, 0] / pairs[:, 1]
    print(f"ratio  : {np.median(ratios):.2f} ({ratios.min():.2f} to {ratios.max():.2f})")


if __name__ == "__main__":
    main()
