# SPDX-License-Identifier: MIT
"""pytorch.py: what PyTorch takes for softmax over rows, and for its gradient.

    python3 pytorch.py NAME "R32768 C4096" [NAME SHAPE]...

Prints the lines that common/peers/results.c describes. Names that begin with
`half` are measured in bf16, others in fp32.

Peers: `eager`: one kernel each; `compiled` is torch.compile of the
formula.
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import measure  # noqa: E402  (first: it says what is missing)
import torch  # noqa: E402


def gradient(y, dy):
    y32, dy32 = y.float(), dy.float()
    return (y32 * (dy32 - (y32 * dy32).sum(1, keepdim=True))).to(y.dtype)


def double_gradient(y, dy):
    return y * (dy - (y * dy).sum(1, keepdim=True))


def forward(x):
    return torch.softmax(x, 1)


def main(arguments):
    measure.label({"eager": "PyTorch, eager", "compiled": "torch.compile"})
    print("version torch", torch.__version__)
    clock = measure.Clock()
    compiled = torch.compile(forward, dynamic=False)
    compiled_gradient = torch.compile(gradient, dynamic=False)
    for shape, extent in measure.shapes(arguments):
        half = shape.startswith("half")
        type_, end = (torch.bfloat16, "_bf16") if half else (torch.float32, "")
        limit = 0.02 if half else 1e-5
        R, C = extent["R"], extent["C"]
        x, dy = (torch.randn(R, C, device="cuda").to(type_) for _ in range(2))
        some = slice(0, None, max(R // 16, 1))  # rows that are compared
        want = forward(x[some].double())
        for peer, way in (("eager", forward), ("compiled", compiled)):
            measure.row(clock, f"{shape}/softmax{end}/{peer}",
                        lambda: lambda: way(x),
                        lambda got: measure.largest_error(got[some], want),
                        limit)
        y = forward(x)
        want = double_gradient(y[some].double(), dy[some].double())
        for peer, way in (
                ("eager",
                 lambda: torch._softmax_backward_data(dy, y, 1, type_)),
                ("compiled", lambda: compiled_gradient(y, dy))):
            measure.row(clock, f"{shape}/softmax_backward{end}/{peer}",
                        lambda: way,
                        lambda got: measure.largest_error(got[some], want),
                        limit)


main(sys.argv[1:])
