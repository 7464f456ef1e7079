"""Pictures by formula, for fixtures and for what is expected of them."""
import numpy as np


def digits(first, count):
    """Images of SVHN's second form and their labels, ten for the digit zero."""
    n, c, y, x = np.ogrid[first:first + count, :3, :32, :32]
    pixels = (50 * n + 80 * c + 3 * y + 5 * x + y * x // 7) % 256
    return pixels.astype("uint8"), 10 - np.arange(first, first + count)[:, None]


def silhouettes(size):
    """Outlines and labels of each part of the data set."""
    parts = {}
    for name, first, count in (("train", 0, 5), ("val", 5, 2), ("test", 7, 3)):
        n, y, x = np.ogrid[first:first + count, :size, :size]
        inside = (y - size // 2) ** 2 + (n + 1) * (x - size // 3) ** 2 < (size // 2) ** 2
        parts[name] = inside.astype("uint8")[:, None], (np.arange(first, first + count)[:, None] * 17 % 101 + 1).astype("uint8")
    return parts


def wave(number, height, width):
    """A smooth picture in colours."""
    c, y, x = np.ogrid[:3, :height, :width]
    return (127.5 + 120 * np.sin((number + 1) * (c + 1) * y / height + 2 * x / width)).astype("uint8")
