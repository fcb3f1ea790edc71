# SPDX-License-Identifier: MIT
"""pytorch.py: what PyTorch takes for a sum of two vectors.

    python3 pytorch.py NAME "N16777216" [NAME SHAPE]...

Prints the lines that common/peers/results.c describes.

Peers: `eager` calls a kernel of PyTorch's library; `compiled` is the same sum
through torch.compile, which makes Triton code of it.
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import measure  # noqa: E402  (first: it says what is missing)
import torch  # noqa: E402


def main(arguments):
    measure.label({"eager": "PyTorch, eager", "compiled": "torch.compile"})
    print("version torch", torch.__version__)
    clock = measure.Clock()
    compiled = torch.compile(torch.add, dynamic=False)
    for shape, extent in measure.shapes(arguments):
        a, b = (torch.rand(extent["N"], device="cuda") * 2 - 1
                for _ in range(2))
        want = a.double() + b.double()
        for peer, way in (("eager", torch.add), ("compiled", compiled)):
            measure.row(clock, f"{shape}/add/{peer}",
                        lambda: lambda: way(a, b),
                        lambda got: measure.largest_error(got, want), 1e-6)


main(sys.argv[1:])
