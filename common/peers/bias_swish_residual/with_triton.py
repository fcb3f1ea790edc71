# SPDX-License-Identifier: MIT
"""with_triton.py: chapter 19's kernel in Triton, and what it takes.

    python3 with_triton.py huge "M16384 N8192"

Prints the lines that common/peers/results.c describes, for the peer `triton`.
A program takes a tile of one row, as torch.compile's does; the fastest of TILES
is reported.
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

TILES = ((1024, 4), (2048, 8), (4096, 8))  # elements of a program, its warps


@triton.jit
def bias_swish_residual(x, bias, residual, y, n, width, TILE: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * TILE + tl.arange(0, TILE)
    inside = i < n
    z = tl.load(x + i, mask=inside) + tl.load(bias + i % width, mask=inside)
    r = tl.load(residual + i, mask=inside)
    tl.store(y + i, z / (1 + tl.exp(-z)) + r, mask=inside)


def launch(arrays, width, tile, warps):
    n = arrays[0].numel()
    bias_swish_residual[(triton.cdiv(n, tile),)](*arrays, n, width, TILE=tile,
                                                 num_warps=warps)
    return arrays[-1]


def main(arguments):
    measure.label({"triton": "Triton"})
    print("version triton", triton.__version__)
    clock = measure.Clock()
    for shape, extent in measure.shapes(arguments):
        M, N = extent["M"], extent["N"]
        x, residual = (torch.rand(M, N, device="cuda") * 2 - 1
                       for _ in range(2))
        bias = torch.rand(N, device="cuda") * 2 - 1
        some = slice(0, None, max(M // 16, 1))  # rows that are compared
        want = torch.nn.functional.silu(x[some].double() + bias.double()) + \
            residual[some].double()
        arrays = x, bias, residual, torch.empty_like(x)
        ways = [lambda tile=tile: launch(arrays, N, *tile) for tile in TILES]
        measure.row(
            clock, f"{shape}/bias_swish_residual/triton",
            lambda: measure.fastest(clock, ways),
            lambda got: measure.largest_error(got[some], want), 1e-6)


main(sys.argv[1:])
