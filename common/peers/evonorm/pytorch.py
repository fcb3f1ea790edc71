# SPDX-License-Identifier: MIT
"""pytorch.py: what PyTorch takes for EvoNorm-B0 in training, in evaluation, and
for its gradient.

    python3 pytorch.py NAME "B64 C64 S784" [NAME SHAPE]...

Prints the lines that common/peers/results.c describes.

Peers: `eager` is the formula of common/op/evonorm.h as a module would spell it,
an operation after another; `compiled` is the same through torch.compile. The
gradient is autograd's, which is handed what the forward pass kept; ours takes
the variances from x again. In training, the moving average is updated too.
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import measure  # noqa: E402  (first: it says what is missing)
import torch  # noqa: E402
import torch._functorch.config  # noqa: E402

EPS, DECAY = 1e-5, 0.9
HEAD_START = 2_000_000  # clocks: the host code of autograd takes most of a ms


def normalise(x, gamma, beta, v, p):
    q = x.var((2,), unbiased=False, keepdim=True)
    other = v * x + torch.sqrt(q + EPS)
    return gamma * x / torch.maximum(torch.sqrt(p + EPS), other) + beta


def train(x, gamma, beta, v, moving):
    p = x.var((0, 2), unbiased=False, keepdim=True)
    with torch.no_grad():
        moving.mul_(DECAY).add_(p, alpha=1 - DECAY)
    return normalise(x, gamma, beta, v, p)


def evaluate(x, gamma, beta, v, moving):
    return normalise(x, gamma, beta, v, moving)


def gradient(way, arrays, dy):
    """The backward pass alone of what way() computed."""
    x, gamma, beta, v, moving = arrays
    leaves = [a.detach().requires_grad_() for a in (x, gamma, beta, v)]
    y = way(*leaves, moving)
    return lambda: torch.autograd.grad(y, leaves, dy, retain_graph=True)


def arrays_of(B, C, S):
    channel = [torch.rand(1, C, 1, device="cuda") * 2 - 1 for _ in range(4)]
    shift = torch.rand(B, C, 1, device="cuda") * 2 - 1
    x = torch.rand(B, C, S, device="cuda") * 2 - 1 + shift
    return [x] + channel[:3] + [channel[3].abs()]


def wanted(way, arrays, dy):
    """Of a few channels, in double: the result, and the gradient of x."""
    some = [a[:, :4].double() for a in arrays]
    some[0].requires_grad_()
    y = way(*some)
    y.backward(dy[:, :4].double())
    return y.detach(), some[0].grad


def usual_error(got, want):
    """The mean |got - want|, over the mean |want|. Where the arguments of the
    maximum are almost equal, either may get its gradient."""
    return ((got.double() - want).abs().mean() / want.abs().mean()).item()


def main(arguments):
    torch._functorch.config.donated_buffer = False  # the graph is kept
    measure.label({"eager": "PyTorch, eager", "compiled": "torch.compile"})
    print("version torch", torch.__version__)
    clock = measure.Clock(HEAD_START)
    peers = {"eager": lambda f: f,
             "compiled": lambda f: torch.compile(f, dynamic=False)}
    for shape, extent in measure.shapes(arguments):
        arrays = arrays_of(extent["B"], extent["C"], extent["S"])
        dy = torch.rand_like(arrays[0]) * 2 - 1
        y, dx = wanted(train, arrays, dy)
        quiet, _ = wanted(evaluate, arrays, dy)
        moving = arrays[4].clone()  # training changes it
        for peer, through in peers.items():
            way, eval_way = through(train), through(evaluate)
            for name, make, want, error_of in (
                    ("_eval", lambda: lambda: (eval_way(*arrays),), quiet,
                     measure.largest_error),
                    ("", lambda: lambda: (way(*arrays[:4], moving),), y,
                     measure.largest_error),
                    ("_backward",
                     lambda: gradient(way, arrays[:4] + [moving], dy), dx,
                     usual_error)):
                measure.row(clock, f"{shape}/evonorm_b0{name}/{peer}", make,
                            lambda got: error_of(got[0][:, :4], want), 1e-4)


main(sys.argv[1:])
