# SPDX-License-Identifier: MIT
"""pytorch.py: what PyTorch takes for swish(x + bias) + residual.

    python3 pytorch.py NAME "M16384 N8192" [NAME SHAPE]...

Prints the lines that common/peers/results.c describes.

Peers: `eager` has PyTorch's fused Swish: three kernels; `unfused` spells Swish
out: four; `compiled` is the first through torch.compile.
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import measure  # noqa: E402  (first: it says what is missing)
import torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402


def three(x, bias, residual):
    return F.silu(x + bias) + residual


def four(x, bias, residual):
    z = x + bias
    return z * torch.sigmoid(z) + residual


def main(arguments):
    measure.label({"eager": "PyTorch, eager",
                   "unfused": "PyTorch, a kernel per step",
                   "compiled": "torch.compile"})
    print("version torch", torch.__version__)
    clock = measure.Clock()
    peers = {"eager": three, "unfused": four,
             "compiled": torch.compile(three, dynamic=False)}
    for shape, extent in measure.shapes(arguments):
        M, N = extent["M"], extent["N"]
        x = torch.rand(M, N, device="cuda") * 2 - 1
        residual = torch.rand(M, N, device="cuda") * 2 - 1
        bias = torch.rand(N, device="cuda") * 2 - 1
        some = slice(0, None, max(M // 16, 1))  # rows that are compared
        want = three(x[some].double(), bias.double(), residual[some].double())
        for peer, way in peers.items():
            measure.row(
                clock, f"{shape}/bias_swish_residual/{peer}",
                lambda: lambda: way(x, bias, residual),
                lambda got: measure.largest_error(got[some], want), 1e-6)


main(sys.argv[1:])
