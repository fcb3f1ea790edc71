# SPDX-License-Identifier: MIT
"""pytorch.py: what PyTorch takes for functions of one element.

    python3 pytorch.py NAME "N16777216" [NAME SHAPE]...

Prints the lines that common/peers/results.c describes.

Peers: `eager` calls a kernel of PyTorch's library; `compiled` is the
same function through torch.compile, which makes Triton code of it.
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import measure  # noqa: E402  (first: it says what is missing)
import torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402

MAPS = {"relu": F.relu, "sigmoid": torch.sigmoid, "swish": F.silu}
TYPES = {"": (torch.float32, 1e-6), "_bf16": (torch.bfloat16, 1e-2)}


def main(arguments):
    measure.label({"eager": "PyTorch, eager", "compiled": "torch.compile"})
    print("version torch", torch.__version__)
    clock = measure.Clock()
    compiled = {name: torch.compile(f, dynamic=False)
                for name, f in MAPS.items()}
    torch._dynamo.config.cache_size_limit = 64
    for shape, extent in measure.shapes(arguments):
        for suffix, (dtype, limit) in TYPES.items():
            x = (torch.rand(extent["N"], device="cuda") * 2 - 1).to(dtype)
            for name, f in MAPS.items():
                want = f(x.double())
                for peer, way in (("eager", f),
                                  ("compiled", compiled[name])):
                    measure.row(
                        clock, f"{shape}/{name}{suffix}/{peer}",
                        lambda: lambda: way(x),
                        lambda got: measure.largest_error(got, want), limit)
                del want
            del x


main(sys.argv[1:])
