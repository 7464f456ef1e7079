"""Prints the random numbers that test/lib/Reference/random.mlir expects.

An own Philox4x32-10 on Python's integers, checked against the published vector
for zero counter and key; normal deviates by the standard library's quantile.
"""
from statistics import NormalDist

import numpy as np

MASK = 0xFFFFFFFF


def philox(counter, key):
    c, k0, k1 = list(counter), key & MASK, key >> 32
    for _ in range(10):
        p0, p1 = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(p1 >> 32) ^ c[1] ^ k0, p1 & MASK, (p0 >> 32) ^ c[3] ^ k1, p0 & MASK]
        k0, k1 = (k0 + 0x9E3779B9) & MASK, (k1 + 0xBB67AE85) & MASK
    return c


assert philox([0, 0, 0, 0], 0) == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]


def bits(seed, site, step, loop, element):
    return philox([element // 4, loop, step, site], seed)[element % 4]


def uniforms(site, loop, count):
    values = [np.float32((bits(3, site, 5, loop, e) >> 8) * 2.0**-24) for e in range(count)]
    return ", ".join(np.format_float_positional(v, unique=True, trim="-") for v in values)


def normals(site, count):
    return [NormalDist().inv_cdf((bits(3, site, 5, 0, e) + 0.5) / 2**32) for e in range(count)]


if __name__ == "__main__":
    print("a:", uniforms(11, 0, 6))
    print("c:", uniforms(12, 0, 6))
    print("n:", normals(11, 6))
    for t in range(2):
        print(f"loop {t}:", uniforms(11, t, 3))
