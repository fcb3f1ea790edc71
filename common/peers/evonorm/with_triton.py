# SPDX-License-Identifier: MIT
"""with_triton.py: chapter 22's kernels in Triton, and what they take.

    python3 with_triton.py NAME "B64 C64 S784" [NAME SHAPE]...

Prints the lines that common/peers/results.c describes.

Peers: `apart` has a kernel per quantity, like chapter 22's kernels.cu; `triton`
has the three of its fused.cu (moments of planes, of channels, results), the one
of evonorm_b0_eval.cu and the five of gradient.cu. A program owns a plane, or a
channel's numbers. A Triton program is one block and cannot read what another
block holds on chip, so there is nothing like step 4.
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
def evaluate(x, gamma, beta, v, moving, y, C, S, TILE: tl.constexpr):
    plane, i = tl.program_id(0), tl.arange(0, TILE)
    c, at = plane % C, plane.to(tl.int64) * S + i
    value = tl.load(x + at, mask=i < S, other=0)
    far = tl.where(i < S, value - tl.sum(value) / S, 0.0)
    other = tl.load(v + c) * value + tl.sqrt(tl.sum(far * far) / S + EPS)
    d = tl.maximum(tl.sqrt(tl.load(moving + c) + EPS), other)
    tl.store(y + at, tl.load(gamma + c) * value / d + tl.load(beta + c),
             mask=i < S)


# The batch's mean of a channel, and the root of its variance.
@triton.jit
def spread(mean, squares, middle, root, B, C, S, IMAGES: tl.constexpr):
    c, b = tl.program_id(0), tl.arange(0, IMAGES)
    of_plane = tl.load(mean + b * C + c, mask=b < B, other=0)
    of_batch = tl.sum(of_plane) / B
    far = tl.where(b < B, of_plane - of_batch, 0.0)
    inside = tl.load(squares + b * C + c, mask=b < B, other=0)
    tl.store(middle + c, of_batch)
    tl.store(root + c, tl.sqrt(tl.sum(inside + S * far * far) / (B * S) + EPS))


# Five sums of a plane, each `planes` after the one before it: the gradients of
# its own root and of the batch's, of gamma, beta and v.
@triton.jit
def plane_sums(x, dy, gamma, v, squares, root, sums, planes, C, S,
               TILE: tl.constexpr):
    plane, i = tl.program_id(0), tl.arange(0, TILE)
    c, at = plane % C, plane.to(tl.int64) * S + i
    value = tl.load(x + at, mask=i < S, other=0)
    g = tl.load(dy + at, mask=i < S, other=0)  # 0: no part of any sum
    of_batch = tl.load(root + c)
    other = tl.load(v + c) * value + tl.sqrt(tl.load(squares + plane) / S + EPS)
    d = tl.maximum(of_batch, other)
    h = -g * tl.load(gamma + c) * value / (d * d)
    of_image = other > of_batch
    tl.store(sums + plane, tl.sum(tl.where(of_image, h, 0.0)))
    tl.store(sums + planes + plane, tl.sum(tl.where(of_image, 0.0, h)))
    tl.store(sums + 2 * planes + plane, tl.sum(g * value / d))
    tl.store(sums + 3 * planes + plane, tl.sum(g))
    tl.store(sums + 4 * planes + plane,
             tl.sum(tl.where(of_image, h * value, 0.0)))


@triton.jit
def channel_sums(sums, a, dgamma, dbeta, dv, planes, B, C,
                 IMAGES: tl.constexpr):
    c, b = tl.program_id(0), tl.arange(0, IMAGES)
    at = b * C + c
    tl.store(a + c, tl.sum(tl.load(sums + planes + at, mask=b < B, other=0)))
    tl.store(dgamma + c,
             tl.sum(tl.load(sums + 2 * planes + at, mask=b < B, other=0)))
    tl.store(dbeta + c,
             tl.sum(tl.load(sums + 3 * planes + at, mask=b < B, other=0)))
    tl.store(dv + c,
             tl.sum(tl.load(sums + 4 * planes + at, mask=b < B, other=0)))


@triton.jit
def derive(x, dy, gamma, v, mean, squares, middle, root, sums, a, dx, B, C, S,
           TILE: tl.constexpr):
    plane, i = tl.program_id(0), tl.arange(0, TILE)
    c, at = plane % C, plane.to(tl.int64) * S + i
    value = tl.load(x + at, mask=i < S, other=0)
    g = tl.load(dy + at, mask=i < S, other=0)
    of_batch = tl.load(root + c)
    image = tl.sqrt(tl.load(squares + plane) / S + EPS)
    other = tl.load(v + c) * value + image
    d = tl.maximum(of_batch, other)
    direct = g * tl.load(gamma + c) / d
    branch = tl.where(other > of_batch, direct * value / d * tl.load(v + c),
                      0.0)
    by_image = tl.load(sums + plane) / (S * image)
    by_batch = tl.load(a + c) / (B * S * of_batch)
    tl.store(dx + at, direct - branch +
             by_image * (value - tl.load(mean + plane)) +
             by_batch * (value - tl.load(middle + c)), mask=i < S)


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


def evaluated(x, gamma, beta, v, moving):
    B, C, S = x.shape
    y = torch.empty_like(x)
    evaluate[(B * C,)](x, gamma, beta, v, moving, y, C, S,
                       TILE=triton.next_power_of_2(S))
    return y


def gradient(x, dy, gamma, v):
    B, C, S = x.shape
    planes, tile = B * C, triton.next_power_of_2(S)
    images = triton.next_power_of_2(B)
    dx = torch.empty_like(x)
    mean, squares = torch.empty(2, planes, device="cuda")
    sums = torch.empty(5, planes, device="cuda")
    middle, root, a, dgamma, dbeta, dv = torch.empty(6, C, device="cuda")
    moments[(planes,)](x, mean, squares, S, TILE=tile)
    spread[(C,)](mean, squares, middle, root, B, C, S, IMAGES=images)
    plane_sums[(planes,)](x, dy, gamma, v, squares, root, sums, planes, C, S,
                          TILE=tile)
    channel_sums[(C,)](sums, a, dgamma, dbeta, dv, planes, B, C,
                       IMAGES=images)
    derive[(planes,)](x, dy, gamma, v, mean, squares, middle, root, sums, a,
                      dx, B, C, S, TILE=tile)
    return dx


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


def wanted(x, gamma, beta, v, dy, p=None):
    """Of a few channels, in double: the result, and the gradient of x. p: the
    batch's variance, where it is not taken from x."""
    x, dy = x[:, :4].double().requires_grad_(), dy[:, :4].double()
    gamma, beta, v = (a[:4, None].double() for a in (gamma, beta, v))
    if p is None:
        p = x.var((0, 2), unbiased=False, keepdim=True)
    else:
        p = p[:4, None].double()
    q = x.var((2,), unbiased=False, keepdim=True)
    d = torch.maximum(torch.sqrt(p + 1e-5), v * x + torch.sqrt(q + 1e-5))
    y = gamma * x / d + beta
    y.backward(dy)
    return y.detach(), x.grad


def usual_error(got, want):
    """The mean |got - want|, over the mean |want|. Where the arguments of the
    maximum are almost equal, either may get its gradient."""
    return ((got.double() - want).abs().mean() / want.abs().mean()).item()


def main(arguments):
    measure.label({"triton": "Triton",
                   "apart": "Triton, a kernel per quantity"})
    print("version triton", triton.__version__)
    clock = measure.Clock(1_000_000)  # clocks: five launches are under 0.5 ms
    for shape, extent in measure.shapes(arguments):
        B, C, S = extent["B"], extent["C"], extent["S"]
        gamma, beta, v, moving = torch.rand(4, C, device="cuda") * 2 - 1
        kept = torch.rand(C, device="cuda")  # a moving average that stays
        x, dy = (torch.rand(B, C, S, device="cuda") * 2 - 1 for _ in range(2))
        x += torch.rand(B, C, 1, device="cuda") * 2 - 1
        want, want_dx = wanted(x, gamma, beta, v, dy)
        quiet, _ = wanted(x, gamma, beta, v, dy, kept)
        train = x, gamma, beta, v, moving
        for path, peer, way, right, error_of in (
                ("", "triton", lambda: fused(*train), want,
                 measure.largest_error),
                ("", "apart", lambda: apart(*train), want,
                 measure.largest_error),
                ("_eval", "triton",
                 lambda: evaluated(x, gamma, beta, v, kept), quiet,
                 measure.largest_error),
                ("_backward", "triton", lambda: gradient(x, dy, gamma, v),
                 want_dx, usual_error)):
            measure.row(clock, f"{shape}/evonorm_b0{path}/{peer}",
                        lambda: way,
                        lambda got: error_of(got[:, :4], right), 1e-4)


main(sys.argv[1:])
