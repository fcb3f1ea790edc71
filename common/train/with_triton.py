# SPDX-License-Identifier: MIT
"""with_triton.py: a block of the sequence model in Triton, for peer.py.

    Block(channels, taps)       as peer.py's: the same parameters and formula
    agrees(other, x)            None, or in words what differs from `other`

One kernel per operation and direction, as ours has: the norm reads its array
once, Swish and the way around are one pass, and the convolution multiplies a
tile of sequences by the matrix that its taps make (Toeplitz), which is how it
gets to Triton's dot. Lengths to 64. Exact fp32: no tf32.
"""
import torch
import torch.nn as nn
import triton
import triton.language as tl

ROWS = 64  # sequences, or cells of a channel, per program
EPS = tl.constexpr(1e-5)


@triton.jit
def step_cells(steps, H, L, WIDE: tl.constexpr, ROWS: tl.constexpr):
    """The cells of a tile of steps, all channels, and which of them exist."""
    r = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    h = tl.arange(0, WIDE)
    cells = (r // L * H * L + r % L)[None, :] + h[:, None] * L
    return r, h, cells, (h[:, None] < H) & (r[None, :] < steps)


@triton.jit
def rms_forward(x, gamma, n, scale, steps, H, L, WIDE: tl.constexpr,
                ROWS: tl.constexpr):
    r, h, cells, there = step_cells(steps, H, L, WIDE, ROWS)
    at = tl.load(x + cells, there, 0.0)
    own = tl.rsqrt(tl.sum(at * at, 0) / H + EPS)
    g = tl.load(gamma + h, h < H, 0.0)
    tl.store(n + cells, g[:, None] * at * own[None, :], there)
    tl.store(scale + r, own, r < steps)


@triton.jit
def rms_backward(x, gamma, dn, skip, scale, dx, dgamma, steps, H, L,
                 WIDE: tl.constexpr, ROWS: tl.constexpr):
    r, h, cells, there = step_cells(steps, H, L, WIDE, ROWS)
    at = tl.load(x + cells, there, 0.0)
    back = tl.load(dn + cells, there, 0.0)
    around = tl.load(skip + cells, there, 0.0)
    own = tl.load(scale + r, r < steps, 0.0)
    g = tl.load(gamma + h, h < H, 0.0)
    dot = tl.sum(g[:, None] * back * at, 0) * own * own / H
    result = around + own[None, :] * (g[:, None] * back - at * dot[None, :])
    tl.store(dx + cells, result, there)
    tl.atomic_add(dgamma + h, tl.sum(back * at * own[None, :], 1), h < H)


@triton.jit
def swish_forward(z, bias, skip, y, n, H, L, ROWS: tl.constexpr):
    i = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    a = tl.load(z + i, i < n) + tl.load(bias + i // L % H, i < n)
    tl.store(y + i, tl.load(skip + i, i < n) + a * tl.sigmoid(a), i < n)


@triton.jit
def swish_backward(z, bias, dy, dz, dbias, steps, H, L, ROWS: tl.constexpr):
    h = tl.program_id(1)
    r = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    i = (r // L * H + h) * L + r % L
    a = tl.load(z + i, r < steps, 0.0) + tl.load(bias + h)
    s = tl.sigmoid(a)
    g = tl.load(dy + i, r < steps, 0.0) * s * (1 + a * (1 - s))
    tl.store(dz + i, g, r < steps)
    tl.atomic_add(dbias + h, tl.sum(g, 0))


@triton.jit
def sequence_tile(first, B, H, L, WIDE: tl.constexpr, ROWS: tl.constexpr):
    """Channel program_id(1) of ROWS sequences from `first`."""
    b = first + tl.arange(0, ROWS)
    t = tl.arange(0, WIDE)
    cells = (b[:, None] * H + tl.program_id(1)) * L + t[None, :]
    return cells, (b[:, None] < B) & (t[None, :] < L)


@triton.jit
def convolve(x, w, y, B, H, L, K, BACK: tl.constexpr, WIDE: tl.constexpr,
             ROWS: tl.constexpr):
    """y[t] = sum over s of w[t - s] x[s]; BACK: of w[s - t]."""
    cells, there = sequence_tile(tl.program_id(0) * ROWS, B, H, L, WIDE, ROWS)
    s = tl.arange(0, WIDE)[:, None]
    t = tl.arange(0, WIDE)[None, :]
    k = s - t if BACK else t - s
    taps = tl.load(w + tl.program_id(1) * K + k, (k >= 0) & (k < K), 0.0)
    at = tl.load(x + cells, there, 0.0)
    tl.store(y + cells, tl.dot(at, taps, input_precision="ieee"), there)


@triton.jit
def weight_grad(x, dz, dw, B, H, L, K, SLICES: tl.constexpr,
                WIDE: tl.constexpr, ROWS: tl.constexpr):
    s = tl.arange(0, WIDE)[:, None]
    t = tl.arange(0, WIDE)[None, :]
    total = tl.zeros((WIDE, WIDE), tl.float32)
    for first in range(tl.program_id(0) * ROWS, B, SLICES * ROWS):
        cells, there = sequence_tile(first, B, H, L, WIDE, ROWS)
        at = tl.load(x + cells, there, 0.0)
        back = tl.load(dz + cells, there, 0.0)
        total += tl.dot(tl.trans(at), back, input_precision="ieee")
    k = t - s
    tl.atomic_add(dw + tl.program_id(1) * K + k, total, (k >= 0) & (k < K))


class Step(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, gamma, w, bias):
        B, H, L = x.shape
        K, steps = w.shape[1], B * L
        wide = triton.next_power_of_2(H)
        assert L <= 64, "a Toeplitz tile has 64 steps"
        n, z, y = (torch.empty_like(x) for _ in range(3))
        scale = torch.empty(steps, device=x.device)
        rms_forward[(triton.cdiv(steps, 32),)](x, gamma, n, scale, steps, H, L,
                                               wide, 32)
        convolve[(triton.cdiv(B, ROWS), H)](n, w, z, B, H, L, K, False, 64,
                                            ROWS)
        swish_forward[(triton.cdiv(x.numel(), 1024),)](z, bias, x, y,
                                                       x.numel(), H, L, 1024)
        ctx.save_for_backward(x, gamma, w, bias, n, z, scale)
        return y

    @staticmethod
    def backward(ctx, dy):
        x, gamma, w, bias, n, z, scale = ctx.saved_tensors
        B, H, L = x.shape
        K, steps, slices = w.shape[1], B * L, 16
        dy = dy.contiguous()
        dz, dn, dx = (torch.empty_like(x) for _ in range(3))
        dgamma, dw, dbias = (torch.zeros_like(a) for a in (gamma, w, bias))
        swish_backward[(triton.cdiv(steps, 1024), H)](z, bias, dy, dz, dbias,
                                                      steps, H, L, 1024)
        weight_grad[(slices, H)](n, dz, dw, B, H, L, K, slices, 64, ROWS)
        convolve[(triton.cdiv(B, ROWS), H)](dz, w, dn, B, H, L, K, True, 64,
                                            ROWS)
        rms_backward[(triton.cdiv(steps, 32),)](
            x, gamma, dn, dy, scale, dx, dgamma, steps, H, L,
            triton.next_power_of_2(H), 32)
        return dx, dgamma, dw, dbias


class Block(nn.Module):
    def __init__(self, channels, taps):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(channels, 1))
        self.weight = nn.Parameter(
            (torch.rand(channels, 1, taps) * 2 - 1) * 1.7 / taps)
        self.bias = nn.Parameter(torch.zeros(channels))

    def forward(self, x):
        return Step.apply(x.contiguous(), self.gamma[:, 0].contiguous(),
                          self.weight[:, 0].contiguous(), self.bias)


def agrees(other, x):
    """Both get the same parameters, and a gradient of random numbers."""
    mine = Block(other.weight.shape[0], other.weight.shape[2]).to(x.device)
    mine.load_state_dict(other.state_dict())
    results = []
    back = torch.rand_like(x) * 2 - 1
    for block in (other, mine):
        leaf = x.clone().requires_grad_()
        y = block(leaf)
        y.backward(back)
        results.append([y.detach(), leaf.grad] +
                       [p.grad for p in block.parameters()])
    names = ["y", "dx"] + [name for name, _ in other.named_parameters()]
    for name, want, got in zip(names, *results):
        off = ((got - want).abs().max() / want.abs().max()).item()
        if not off <= 1e-4:
            return f"{name} is off by {off:.2g}"
    return None
