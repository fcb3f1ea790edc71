# SPDX-License-Identifier: MIT
"""pytorch.py: what PyTorch takes for a linear layer and Swish.

    python3 pytorch.py NAME "M16 N4096 K4096" [NAME SHAPE]...

Prints the lines that common/peers/results.c describes; fp32, tf32 off.

Peers: `eager` is cuBLAS with its bias, and then Swish; `unfused` has a
kernel per step; `compiled` is the first through torch.compile.
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import measure  # noqa: E402  (first: it says what is missing)
import torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402


def layer(x, w, bias):
    return F.silu(torch.addmm(bias, x, w))


def unfused(x, w, bias):
    return F.silu(x @ w + bias)


def main(arguments):
    torch.backends.cuda.matmul.allow_tf32 = False
    measure.label({"eager": "PyTorch, eager",
                   "unfused": "PyTorch, a kernel per step",
                   "compiled": "torch.compile"})
    print("version torch", torch.__version__)
    clock = measure.Clock()
    peers = {"eager": layer, "unfused": unfused,
             "compiled": torch.compile(layer, dynamic=False)}
    for shape, extent in measure.shapes(arguments):
        M, N, K = extent["M"], extent["N"], extent["K"]
        x = torch.rand(M, K, device="cuda") * 2 - 1
        w = torch.rand(K, N, device="cuda") * 2 - 1
        bias = torch.rand(N, device="cuda") * 2 - 1
        want = layer(x.double(), w.double(), bias.double())
        for peer, way in peers.items():
            measure.row(clock, f"{shape}/gemm_bias_act/{peer}",
                        lambda: lambda: way(x, w, bias),
                        lambda got: measure.largest_error(got, want), 1e-5)


main(sys.argv[1:])
