# SPDX-License-Identifier: MIT
"""with_triton.py: chapter 19's kernel in Triton, and what it takes.

    python3 with_triton.py huge "M16384 N8192"

Prints the lines that common/peers/results.c describes. `triton` is one kernel,
`triton_apart` one for each step: bias, Swish, residual. A program takes a tile of
the elements; the fastest of TILES is reported.
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


@triton.jit
def add_bias(x, bias, z, n, width, TILE: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * TILE + tl.arange(0, TILE)
    inside = i < n
    tl.store(z + i, tl.load(x + i, mask=inside) +
             tl.load(bias + i % width, mask=inside), mask=inside)


@triton.jit
def swish(z, n, TILE: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * TILE + tl.arange(0, TILE)
    v = tl.load(z + i, mask=i < n)
    tl.store(z + i, v / (1 + tl.exp(-v)), mask=i < n)


@triton.jit
def add(z, residual, y, n, TILE: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * TILE + tl.arange(0, TILE)
    inside = i < n
    tl.store(y + i, tl.load(z + i, mask=inside) +
             tl.load(residual + i, mask=inside), mask=inside)


def launch(arrays, width, tile, warps):
    n = arrays[0].numel()
    bias_swish_residual[(triton.cdiv(n, tile),)](*arrays, n, width, TILE=tile,
                                                 num_warps=warps)
    return arrays[-1]


def apart(arrays, width, tile, warps):
    x, bias, residual, y = arrays
    n, z = x.numel(), torch.empty_like(x)
    programs = (triton.cdiv(n, tile),)
    add_bias[programs](x, bias, z, n, width, TILE=tile, num_warps=warps)
    swish[programs](z, n, TILE=tile, num_warps=warps)
    add[programs](z, residual, y, n, TILE=tile, num_warps=warps)
    return y


def main(arguments):
    measure.label({"triton": "Triton",
                   "triton_apart": "Triton, three kernels"})
    print("version triton", triton.__version__)
    clock = measure.Clock(1_000_000)  # clocks: three launches are under 0.5 ms
    for shape, extent in measure.shapes(arguments):
        M, N = extent["M"], extent["N"]
        x, residual = (torch.rand(M, N, device="cuda") * 2 - 1
                       for _ in range(2))
        bias = torch.rand(N, device="cuda") * 2 - 1
        some = slice(0, None, max(M // 16, 1))  # rows that are compared
        want = torch.nn.functional.silu(x[some].double() + bias.double()) + \
            residual[some].double()
        arrays = x, bias, residual, torch.empty_like(x)
        for peer, way in (("triton", launch), ("triton_apart", apart)):
            ways = [lambda tile=tile: way(arrays, N, *tile) for tile in TILES]
            measure.row(
                clock, f"{shape}/bias_swish_residual/{peer}",
                lambda: measure.fastest(clock, ways),
                lambda got: measure.largest_error(got[some], want), 1e-6)


main(sys.argv[1:])
