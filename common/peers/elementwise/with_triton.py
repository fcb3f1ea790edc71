# SPDX-License-Identifier: MIT
"""with_triton.py: chapter 18's kernels in Triton, and what they take.

    python3 with_triton.py sixteenmega N16777216 mega N1048576

Prints the lines that common/peers/results.c describes, for the peer `triton`.
Each kernel is timed with every tile in TILES, and the fastest is reported.

A Triton program works on a tile where a CUDA thread works on elements: which
thread takes which of them, and how wide its accesses are, is the compiler's.
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

TILES = ((1024, 4), (2048, 4), (4096, 8))  # elements of a program, its warps


@triton.jit
def relu(x, y, n, TILE: tl.constexpr):
    i = tl.program_id(0) * TILE + tl.arange(0, TILE)
    v = tl.load(x + i, mask=i < n)
    tl.store(y + i, tl.where(v < 0, 0.0, v).to(v.dtype), mask=i < n)


@triton.jit
def sigmoid(x, y, n, TILE: tl.constexpr):
    i = tl.program_id(0) * TILE + tl.arange(0, TILE)
    v = tl.load(x + i, mask=i < n)
    s = 1 / (1 + tl.exp(-v.to(tl.float32)))
    tl.store(y + i, s.to(v.dtype), mask=i < n)


@triton.jit
def swish(x, y, n, TILE: tl.constexpr):
    i = tl.program_id(0) * TILE + tl.arange(0, TILE)
    v = tl.load(x + i, mask=i < n)
    z = v.to(tl.float32)
    tl.store(y + i, (z / (1 + tl.exp(-z))).to(v.dtype), mask=i < n)


KERNELS = {"relu": (relu, torch.relu), "sigmoid": (sigmoid, torch.sigmoid),
           "swish": (swish, torch.nn.functional.silu)}
TYPES = {"": (torch.float32, 1e-6), "_bf16": (torch.bfloat16, 1e-2)}


def launch(kernel, x, y, tile, warps):
    kernel[(triton.cdiv(x.numel(), tile),)](x, y, x.numel(), TILE=tile,
                                            num_warps=warps)
    return y


def main(arguments):
    measure.label({"triton": "Triton"})
    print("version triton", triton.__version__)
    clock = measure.Clock()
    for shape, extent in measure.shapes(arguments):
        for suffix, (dtype, limit) in TYPES.items():
            x = (torch.rand(extent["N"], device="cuda") * 2 - 1).to(dtype)
            y = torch.empty_like(x)
            for name, (kernel, true) in KERNELS.items():
                ways = [lambda tile=tile: launch(kernel, x, y, *tile)
                        for tile in TILES]
                measure.row(
                    clock, f"{shape}/{name}{suffix}/triton",
                    lambda: measure.fastest(clock, ways),
                    lambda got: measure.largest_error(got, true(x.double())),
                    limit)


main(sys.argv[1:])
