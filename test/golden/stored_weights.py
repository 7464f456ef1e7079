"""The first weights of the reference trajectories that are not stored, but made by a rule."""
import numpy as np


def first_weights(name, shape, scale):
    """Top bytes of splitmix64 from the FNV-1a hash of the name, times scale / 128 in f32."""
    key = 0xCBF29CE484222325
    for byte in name.encode():
        key = (key ^ byte) * 0x100000001B3 % 2**64
    with np.errstate(over="ignore"):
        z = np.uint64(key) + np.arange(1, np.prod(shape) + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z ^= z >> np.uint64(31)
    q = (z >> np.uint64(56)).astype(np.uint8).view(np.int8)
    return (q.astype(np.float32) * (np.float32(scale) / np.float32(128))).reshape(shape)
