# SPDX-License-Identifier: MIT
"""with_triton.py: chapter 21's softmax in Triton, and what it takes.

    python3 with_triton.py medium "R32768 C4096"

Prints the lines that common/peers/results.c describes, for the peer `triton`.
Names that begin with `half` are measured in bf16, others in fp32.

A program owns a row. Where a tile holds it, the row is read once; Triton keeps
it in registers and reduces it without a word about lanes or barriers. A longer
row is read twice, a tile at a time: one program cannot ask another.
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

LONGEST = 16384  # elements of a tile that holds a row
TILE = 8192      # of longer ones


@triton.jit
def softmax(x, y, C, TILE: tl.constexpr):
    col = tl.arange(0, TILE)
    at = tl.program_id(0).to(tl.int64) * C + col
    v = tl.load(x + at, mask=col < C, other=-float("inf")).to(tl.float32)
    e = tl.exp(v - tl.max(v))
    tl.store(y + at, e / tl.sum(e), mask=col < C)


@triton.jit
def softmax_twice(x, y, C, TILE: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * C
    col = tl.arange(0, TILE)
    most = tl.full((TILE,), -float("inf"), tl.float32)
    total = tl.zeros((TILE,), tl.float32)
    for first in range(0, C, TILE):
        v = tl.load(x + row + first + col, mask=first + col < C,
                    other=-float("inf")).to(tl.float32)
        larger = tl.maximum(most, v)
        from_ = tl.where(larger == -float("inf"), 0.0, larger)
        total = total * tl.exp(most - from_) + tl.exp(v - from_)
        most = larger
    largest = tl.max(most)
    sum_ = tl.sum(total * tl.exp(most - largest))
    for first in range(0, C, TILE):
        v = tl.load(x + row + first + col, mask=first + col < C).to(tl.float32)
        tl.store(y + row + first + col, tl.exp(v - largest) / sum_,
                 mask=first + col < C)


@triton.jit
def softmax_backward(y, dy, dx, C, TILE: tl.constexpr):
    col = tl.arange(0, TILE)
    at = tl.program_id(0).to(tl.int64) * C + col
    p = tl.load(y + at, mask=col < C, other=0).to(tl.float32)
    g = tl.load(dy + at, mask=col < C, other=0).to(tl.float32)
    tl.store(dx + at, p * (g - tl.sum(p * g)), mask=col < C)


@triton.jit
def softmax_backward_twice(y, dy, dx, C, TILE: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * C
    col = tl.arange(0, TILE)
    total = tl.zeros((TILE,), tl.float32)
    for first in range(0, C, TILE):
        at = first + col
        p = tl.load(y + row + at, mask=at < C, other=0).to(tl.float32)
        total += p * tl.load(dy + row + at, mask=at < C, other=0).to(tl.float32)
    sum_ = tl.sum(total)
    for first in range(0, C, TILE):
        at = first + col
        p = tl.load(y + row + at, mask=at < C).to(tl.float32)
        g = tl.load(dy + row + at, mask=at < C).to(tl.float32)
        tl.store(dx + row + at, p * (g - sum_), mask=at < C)


def warps(tile):
    return max(1, min(16, tile // 512))


def run_forward(x, y):
    R, C = x.shape
    tile = triton.next_power_of_2(C)
    if tile <= LONGEST:
        softmax[(R,)](x, y, C, TILE=tile, num_warps=warps(tile))
    else:
        softmax_twice[(R,)](x, y, C, TILE=TILE, num_warps=warps(TILE))
    return y


def run_backward(y, dy, dx):
    R, C = y.shape
    tile = triton.next_power_of_2(C)
    if tile <= LONGEST:
        softmax_backward[(R,)](y, dy, dx, C, TILE=tile, num_warps=warps(tile))
    else:
        softmax_backward_twice[(R,)](y, dy, dx, C, TILE=TILE,
                                     num_warps=warps(TILE))
    return dx


def main(arguments):
    measure.label({"triton": "Triton"})
    print("version triton", triton.__version__)
    clock = measure.Clock()
    for shape, extent in measure.shapes(arguments):
        half = shape.startswith("half")
        type_, end = (torch.bfloat16, "_bf16") if half else (torch.float32, "")
        limit = 0.02 if half else 1e-5
        R, C = extent["R"], extent["C"]
        x, dy = (torch.randn(R, C, device="cuda").to(type_) for _ in range(2))
        out = torch.empty_like(x)
        some = slice(0, None, max(R // 16, 1))  # rows that are compared
        want = torch.softmax(x[some].double(), 1)
        measure.row(clock, f"{shape}/softmax{end}/triton",
                    lambda: lambda: run_forward(x, out),
                    lambda got: measure.largest_error(got[some], want), limit)
        y = torch.softmax(x, 1)
        p, g = y[some].double(), dy[some].double()
        want = p * (g - (p * g).sum(1, keepdim=True))
        measure.row(clock, f"{shape}/softmax_backward{end}/triton",
                    lambda: lambda: run_backward(y, dy, out),
                    lambda got: measure.largest_error(got[some], want), limit)


main(sys.argv[1:])
