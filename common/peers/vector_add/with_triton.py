# SPDX-License-Identifier: MIT
"""with_triton.py: chapter 01's addition in Triton, in three steps.

    python3 with_triton.py NAME "N16777216" [NAME SHAPE]...

Prints the lines that common/peers/results.c describes.

Peers: `unmasked` has no test of bounds, so it is right only where the tile
divides N, and absent elsewhere; `masked` is right for every N; `triton` is the
second with the fastest of TILES. A Triton program adds a tile: it names no
thread, and the compiler deals the tile's elements to its lanes.
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import measure  # noqa: E402  (first: it says what is missing)
import torch  # noqa: E402

try:
    import triton
    import triton.language as tl
except ImportError as error:
    measure.absent(error)

TILE, WARPS = 1024, 4  # elements of a program, its warps
TILES = ((256, 2), (512, 4), (1024, 4), (2048, 4), (4096, 8))


@triton.jit
def unmasked(a, b, c, TILE: tl.constexpr):
    i = tl.program_id(0) * TILE + tl.arange(0, TILE)
    tl.store(c + i, tl.load(a + i) + tl.load(b + i))


@triton.jit
def masked(a, b, c, n, TILE: tl.constexpr):
    i = tl.program_id(0) * TILE + tl.arange(0, TILE)
    inside = i < n
    tl.store(c + i, tl.load(a + i, mask=inside) + tl.load(b + i, mask=inside),
             mask=inside)


def run_unmasked(a, b, c):
    if c.numel() % TILE != 0:
        raise ValueError(f"{TILE} does not divide N")
    unmasked[(c.numel() // TILE,)](a, b, c, TILE=TILE, num_warps=WARPS)
    return c


def run_masked(a, b, c, tile=TILE, warps=WARPS):
    masked[(triton.cdiv(c.numel(), tile),)](a, b, c, c.numel(), TILE=tile,
                                            num_warps=warps)
    return c


def main(arguments):
    measure.label({"unmasked": "Triton, no mask", "masked": "Triton, one tile",
                   "triton": "Triton"})
    print("version triton", triton.__version__)
    clock = measure.Clock()
    for shape, extent in measure.shapes(arguments):
        a, b = (torch.rand(extent["N"], device="cuda") * 2 - 1
                for _ in range(2))
        c, want = torch.empty_like(a), a.double() + b.double()
        ways = [lambda tile=tile: run_masked(a, b, c, *tile) for tile in TILES]
        for peer, make in (
                ("unmasked", lambda: lambda: run_unmasked(a, b, c)),
                ("masked", lambda: lambda: run_masked(a, b, c)),
                ("triton", lambda: measure.fastest(clock, ways))):
            measure.row(clock, f"{shape}/add/{peer}", make,
                        lambda got: measure.largest_error(got, want), 1e-6)


main(sys.argv[1:])
