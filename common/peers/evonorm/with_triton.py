# SPDX-License-Identifier: MIT
"""with_triton.py: chapter 22's forward kernels in Triton, and what they take.

    python3 with_triton.py NAME "B64 C64 S784" [NAME SHAPE]...

Prints the lines that common/peers/results.c describes.

Peers: `apart` has a kernel per quantity, like chapter 22's kernels.cu; `triton`
has the three of its fused.cu: moments of planes, of channels, results. A
program owns a plane, or a channel's moments. A Triton program is one block and
cannot read what another block holds on chip, so there is nothing like step 4.
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

EPS, DECAY = tl.constexpr(1e-5), tl.constexpr(0.9)


@triton.jit
def moments(x, mean, squares, S, TILE: tl.constexpr):
    plane, i = tl.program_id(0), tl.arange(0, TILE)
    value = tl.load(x + plane.to(tl.int64) * S + i, mask=i < S, other=0)
    middle = tl.sum(value) / S
    far = tl.where(i < S, value - middle, 0.0)
    tl.store(mean + plane, middle)
    tl.store(squares + plane, tl.sum(far * far))


@triton.jit
def together(mean, squares, p, moving, B, C, S, IMAGES: tl.constexpr):
    c, b = tl.program_id(0), tl.arange(0, IMAGES)
    of_plane = tl.load(mean + b * C + c, mask=b < B, other=0)
    far = tl.where(b < B, of_plane - tl.sum(of_plane) / B, 0.0)
    inside = tl.load(squares + b * C + c, mask=b < B, other=0)
    variance = tl.sum(inside + S * far * far) / (B * S)
    tl.store(p + c, variance)
    tl.store(moving + c, DECAY * tl.load(moving + c) + (1 - DECAY) * variance)


@triton.jit
def results(x, gamma, beta, v, p, squares, y, C, S, TILE: tl.constexpr):
    plane, i = tl.program_id(0), tl.arange(0, TILE)
    c, at = plane % C, plane.to(tl.int64) * S + i
    value = tl.load(x + at, mask=i < S)
    other = tl.load(v + c) * value + tl.sqrt(tl.load(squares + plane) / S + EPS)
    d = tl.maximum(tl.sqrt(tl.load(p + c) + EPS), other)
    tl.store(y + at, tl.load(gamma + c) * value / d + tl.load(beta + c),
             mask=i < S)


@triton.jit
def variance(x, to, images, C, S, TILE: tl.constexpr):
    first, i = tl.program_id(0), tl.arange(0, TILE)
    total = tl.zeros((TILE,), tl.float32)
    for b in range(images):
        total += tl.load(x + (b * C + first).to(tl.int64) * S + i, mask=i < S,
                         other=0)
    middle = tl.sum(total) / (images * S)
    squares = tl.zeros((TILE,), tl.float32)
    for b in range(images):
        value = tl.load(x + (b * C + first).to(tl.int64) * S + i, mask=i < S,
                        other=0)
        far = tl.where(i < S, value - middle, 0.0)
        squares += far * far
    tl.store(to + first, tl.sum(squares) / (images * S))


@triton.jit
def average(moving, p, C, TILE: tl.constexpr):
    c = tl.arange(0, TILE)
    tl.store(moving + c, DECAY * tl.load(moving + c, mask=c < C) +
             (1 - DECAY) * tl.load(p + c, mask=c < C), mask=c < C)


@triton.jit
def denominator(x, v, p, q, d, C, S, TILE: tl.constexpr):
    plane, i = tl.program_id(0), tl.arange(0, TILE)
    at = plane.to(tl.int64) * S + i
    other = tl.load(v + plane % C) * tl.load(x + at, mask=i < S) + \
        tl.sqrt(tl.load(q + plane) + EPS)
    tl.store(d + at, tl.maximum(tl.sqrt(tl.load(p + plane % C) + EPS), other),
             mask=i < S)


@triton.jit
def quotient(x, gamma, beta, d, y, C, S, TILE: tl.constexpr):
    plane, i = tl.program_id(0), tl.arange(0, TILE)
    at = plane.to(tl.int64) * S + i
    value = tl.load(gamma + plane % C) * tl.load(x + at, mask=i < S)
    tl.store(y + at, value / tl.load(d + at, mask=i < S) +
             tl.load(beta + plane % C), mask=i < S)


def fused(x, gamma, beta, v, moving):
    B, C, S = x.shape
    tile = triton.next_power_of_2(S)
    y = torch.empty_like(x)
    mean, squares = torch.empty(2, B * C, device="cuda")
    p = torch.empty(C, device="cuda")
    moments[(B * C,)](x, mean, squares, S, TILE=tile)
    together[(C,)](mean, squares, p, moving, B, C, S,
                   IMAGES=triton.next_power_of_2(B))
    results[(B * C,)](x, gamma, beta, v, p, squares, y, C, S, TILE=tile)
    return y


def apart(x, gamma, beta, v, moving):
    B, C, S = x.shape
    tile = triton.next_power_of_2(S)
    y, d = torch.empty_like(x), torch.empty_like(x)
    q, p = torch.empty(B * C, device="cuda"), torch.empty(C, device="cuda")
    variance[(C,)](x, p, B, C, S, TILE=tile)
    variance[(B * C,)](x, q, 1, C, S, TILE=tile)
    average[(1,)](moving, p, C, TILE=triton.next_power_of_2(C))
    denominator[(B * C,)](x, v, p, q, d, C, S, TILE=tile)
    quotient[(B * C,)](x, gamma, beta, d, y, C, S, TILE=tile)
    return y


def wanted(x, gamma, beta, v):
    """Of a few channels, in double."""
    x, gamma, beta, v = (a.double() for a in (x[:, :4], gamma[:4, None],
                                              beta[:4, None], v[:4, None]))
    p = x.var((0, 2), unbiased=False, keepdim=True)
    q = x.var((2,), unbiased=False, keepdim=True)
    d = torch.maximum(torch.sqrt(p + 1e-5), v * x + torch.sqrt(q + 1e-5))
    return gamma * x / d + beta


def main(arguments):
    measure.label({"triton": "Triton",
                   "apart": "Triton, a kernel per quantity"})
    print("version triton", triton.__version__)
    clock = measure.Clock(1_000_000)  # clocks: five launches are under 0.5 ms
    for shape, extent in measure.shapes(arguments):
        B, C, S = extent["B"], extent["C"], extent["S"]
        gamma, beta, v, moving = torch.rand(4, C, device="cuda") * 2 - 1
        x = torch.rand(B, C, S, device="cuda") * 2 - 1
        x += torch.rand(B, C, 1, device="cuda") * 2 - 1
        want = wanted(x, gamma, beta, v)
        for peer, way in (("triton", fused), ("apart", apart)):
            measure.row(clock, f"{shape}/evonorm_b0/{peer}",
                        lambda: lambda: way(x, gamma, beta, v, moving),
                        lambda got: measure.largest_error(got[:, :4], want),
                        1e-4)


main(sys.argv[1:])
