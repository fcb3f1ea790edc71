# SPDX-License-Identifier: MIT
"""with_triton.py: chapter 21's layer norm in Triton, and what it takes.

    python3 with_triton.py medium "R32768 C4096"

Prints the lines that common/peers/results.c describes, for the peer `triton`.
Names that begin with `half` are measured in bf16, others in fp32; gamma and
beta are fp32.

A program owns a row, as in softmax's with_triton.py.
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

EPS = 1e-5
LONGEST = 16384  # elements of a tile that holds a row
TILE = 8192      # of longer ones


@triton.jit
def layer_norm(x, gamma, beta, y, C, eps, TILE: tl.constexpr):
    col = tl.arange(0, TILE)
    inside = col < C
    at = tl.program_id(0).to(tl.int64) * C + col
    v = tl.load(x + at, mask=inside, other=0).to(tl.float32)
    far = tl.where(inside, v - tl.sum(v) / C, 0.0)
    z = far * tl.rsqrt(tl.sum(far * far) / C + eps)
    tl.store(y + at, z * tl.load(gamma + col, mask=inside) +
             tl.load(beta + col, mask=inside), mask=inside)


@triton.jit
def layer_norm_thrice(x, gamma, beta, y, C, eps, TILE: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * C
    col = tl.arange(0, TILE)
    total = tl.zeros((TILE,), tl.float32)
    for first in range(0, C, TILE):
        total += tl.load(x + row + first + col, mask=first + col < C,
                         other=0).to(tl.float32)
    mean = tl.sum(total) / C
    squares = tl.zeros((TILE,), tl.float32)
    for first in range(0, C, TILE):
        v = tl.load(x + row + first + col, mask=first + col < C,
                    other=0).to(tl.float32)
        far = tl.where(first + col < C, v - mean, 0.0)
        squares += far * far
    scale = tl.rsqrt(tl.sum(squares) / C + eps)
    for first in range(0, C, TILE):
        at = first + col
        v = tl.load(x + row + at, mask=at < C).to(tl.float32)
        tl.store(y + row + at,
                 (v - mean) * scale * tl.load(gamma + at, mask=at < C) +
                 tl.load(beta + at, mask=at < C), mask=at < C)


def warps(tile):
    return max(1, min(16, tile // 512))


def run(x, gamma, beta, y):
    R, C = x.shape
    tile = triton.next_power_of_2(C)
    if tile <= LONGEST:
        layer_norm[(R,)](x, gamma, beta, y, C, EPS, TILE=tile,
                         num_warps=warps(tile))
    else:
        layer_norm_thrice[(R,)](x, gamma, beta, y, C, EPS, TILE=TILE,
                                num_warps=warps(TILE))
    return y


def main(arguments):
    measure.label({"triton": "Triton"})
    print("version triton", triton.__version__)
    clock = measure.Clock()
    for shape, extent in measure.shapes(arguments):
        half = shape.startswith("half")
        type_, end = (torch.bfloat16, "_bf16") if half else (torch.float32, "")
        R, C = extent["R"], extent["C"]
        x = torch.randn(R, C, device="cuda").to(type_)
        gamma, beta = (torch.randn(C, device="cuda") for _ in range(2))
        y = torch.empty_like(x)
        some = slice(0, None, max(R // 16, 1))  # rows that are compared
        want = torch.nn.functional.layer_norm(
            x[some].double(), (C,), gamma.double(), beta.double(), EPS)
        measure.row(clock, f"{shape}/layer_norm{end}/triton",
                    lambda: lambda: run(x, gamma, beta, y),
                    lambda got: measure.largest_error(got[some], want),
                    0.02 if half else 1e-5)


main(sys.argv[1:])
