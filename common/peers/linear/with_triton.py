# SPDX-License-Identifier: MIT
"""with_triton.py: chapter 20's linear layer in Triton, and what it takes.

    python3 with_triton.py batchsixteen "M16 N4096 K4096"

Prints the lines that common/peers/results.c describes; fp32, tf32 off.

Peers: `triton` adds the bias and applies Swish to the product's tile before it
is stored; `triton_apart` has a kernel for each: product, bias, Swish. Both take
the fastest of TILES for the product. A program owns a tile of Y and all of its
sum: nothing shares k among programs, so a small batch leaves much of the GPU
idle.
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

# Rows, columns and k of a program, its warps, and how many tiles it loads
# ahead. A product wants 16 rows at least, so a batch of one masks 15 of them.
TILES = ((16, 32, 128, 4, 3), (16, 64, 64, 4, 4), (32, 64, 64, 4, 3),
         (64, 64, 32, 4, 3))
FLAT = 1024  # elements of a program of the kernels that only read and write


@triton.jit
def product(x, w, bias, y, M, N, K, FUSED: tl.constexpr, ROWS: tl.constexpr,
            COLUMNS: tl.constexpr, DEPTH: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    col = tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS)
    z = tl.zeros((ROWS, COLUMNS), tl.float32)
    for first in range(0, K, DEPTH):
        k = first + tl.arange(0, DEPTH)
        a = tl.load(x + row[:, None] * K + k[None, :],
                    mask=(row[:, None] < M) & (k[None, :] < K), other=0)
        b = tl.load(w + k[:, None] * N + col[None, :],
                    mask=(k[:, None] < K) & (col[None, :] < N), other=0)
        z = tl.dot(a, b, z, input_precision="ieee")
    if FUSED:
        z += tl.load(bias + col, mask=col < N, other=0)[None, :]
        z = z / (1 + tl.exp(-z))
    tl.store(y + row[:, None] * N + col[None, :], z,
             mask=(row[:, None] < M) & (col[None, :] < N))


@triton.jit
def add_bias(z, bias, n, width, TILE: tl.constexpr):
    i = tl.program_id(0) * TILE + tl.arange(0, TILE)
    inside = i < n
    tl.store(z + i, tl.load(z + i, mask=inside) +
             tl.load(bias + i % width, mask=inside), mask=inside)


@triton.jit
def swish(z, y, n, TILE: tl.constexpr):
    i = tl.program_id(0) * TILE + tl.arange(0, TILE)
    v = tl.load(z + i, mask=i < n)
    tl.store(y + i, v / (1 + tl.exp(-v)), mask=i < n)


def multiply(x, w, bias, y, is_fused, tile):
    rows, columns, depth, warps, stages = tile
    (M, K), N = x.shape, w.shape[1]
    product[(triton.cdiv(M, rows), triton.cdiv(N, columns))](
        x, w, bias, y, M, N, K, FUSED=is_fused, ROWS=rows, COLUMNS=columns,
        DEPTH=depth, num_warps=warps, num_stages=stages)


def fused(x, w, bias, y, tile):
    multiply(x, w, bias, y, True, tile)
    return y


def apart(x, w, bias, y, tile):
    n, z = y.numel(), torch.empty_like(y)
    multiply(x, w, bias, z, False, tile)
    add_bias[(triton.cdiv(n, FLAT),)](z, bias, n, y.shape[1], TILE=FLAT)
    swish[(triton.cdiv(n, FLAT),)](z, y, n, TILE=FLAT)
    return y


def main(arguments):
    measure.label({"triton": "Triton",
                   "triton_apart": "Triton, three kernels"})
    print("version triton", triton.__version__)
    clock = measure.Clock(1_000_000)  # clocks: three launches are under 0.5 ms
    for shape, extent in measure.shapes(arguments):
        M, N, K = extent["M"], extent["N"], extent["K"]
        x = torch.rand(M, K, device="cuda") * 2 - 1
        w = torch.rand(K, N, device="cuda") * 2 - 1
        bias = torch.rand(N, device="cuda") * 2 - 1
        y = torch.empty(M, N, device="cuda")
        want = torch.nn.functional.silu(
            torch.addmm(bias.double(), x.double(), w.double()))
        for peer, ways in (
                ("triton", [lambda tile=tile: fused(x, w, bias, y, tile)
                            for tile in TILES]),
                ("triton_apart", [lambda tile=tile: apart(x, w, bias, y, tile)
                                  for tile in TILES])):
            measure.row(clock, f"{shape}/gemm_bias_act/{peer}",
                        lambda: measure.fastest(clock, ways),
                        lambda got: measure.largest_error(got, want), 1e-5)


main(sys.argv[1:])
