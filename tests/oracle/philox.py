"""Philox4x32-10 and what gcnh builds on it (gcnh/base/random.h, gcnh/kernels/dropout.cpp), in plain Python.

Pins the meaning of a seed: streams, shuffles and dropout masks must not change from release to release.
Salmon et al., SC 2011.
"""
import math

MASK32 = 0xFFFFFFFF
MASK64 = 0xFFFFFFFFFFFFFFFF


def philox4x32(counter, key, rounds=10):
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(rounds):
        p0, p1 = 0xD2511F53 * c0, 0xCD9E8D57 * c2
        c0, c1, c2, c3 = (p1 >> 32) ^ c1 ^ k0, p1 & MASK32, (p0 >> 32) ^ c3 ^ k1, p0 & MASK32
        k0, k1 = (k0 + 0x9E3779B9) & MASK32, (k1 + 0xBB67AE85) & MASK32
    return c0, c1, c2, c3


assert philox4x32((0, 0, 0, 0), (0, 0)) == (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)
assert philox4x32((MASK32,) * 4, (MASK32,) * 2) == (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)


class Rng:
    def __init__(self, seed):
        self.key = seed & MASK64

    def _words(self, number, space):
        return philox4x32((number & MASK32, number >> 32, space, 0), (self.key & MASK32, self.key >> 32))

    def fork(self, tag):
        w = self._words(tag, 1)
        return Rng(w[0] | w[1] << 32)

    def block(self, i):
        return self._words(i, 0)

    def uniform(self, i):
        w = self.block(i)
        return ((w[0] | w[1] << 32) >> 11) * 2.0**-53

    def normal(self, i):
        w = self.block(i)
        a, b = ((((w[k] | w[k + 1] << 32) >> 11) + 0.5) * 2.0**-53 for k in (0, 2))
        return math.sqrt(-2 * math.log(a)) * math.cos(2 * math.pi * b)

    def below(self, n, i):
        w = self.block(i)
        return (w[0] | w[1] << 32) * n >> 64

    def shuffled(self, items):
        items = list(items)
        for i in range(len(items), 1, -1):
            j = self.below(i, i)
            items[i - 1], items[j] = items[j], items[i - 1]
        return items

    def dropout_factors(self, p, count):
        """Element i: 0 when 16 bits of the stream are below p, else 1 / (1 - p). Eight elements to a block, low half first."""
        threshold = math.floor(p * 65536 + 0.5)
        draws = []
        for b in range((count + 7) // 8):
            for word in self.block(b):
                draws += [word & 0xFFFF, word >> 16]
        return [0.0 if draw < threshold else 1 / (1 - p) for draw in draws[:count]]


def pinned():
    """What tests/base/random_test.cpp compares the library with."""
    out = []
    for seed, forks, index in [(0, [], 0), (1, [], 5), (112, [0], 7), (42, [3, 1], 1 << 33), (MASK64, [MASK64, 2], 123456)]:
        rng = Rng(seed)
        for tag in forks:
            rng = rng.fork(tag)
        out.append(dict(seed=seed, forks=forks, index=index, key=rng.key, block=rng.block(index), uniform=rng.uniform(index),
                        normal=rng.normal(index), below_1000=rng.below(1000, index), shuffle_10=rng.shuffled(range(10))))
    return out
