# SPDX-License-Identifier: MIT
"""pytorch.py: what PyTorch takes for layer norm over rows, and its gradient.

    python3 pytorch.py NAME "R32768 C4096" [NAME SHAPE]...

Prints the lines that common/peers/results.c describes. Names that begin with
`half` are measured in bf16, others in fp32. PyTorch's gradient is handed the
means and deviations that its forward pass kept; ours computes them again from
the row, which is on chip. In bf16, PyTorch's gamma and beta are bf16 too.

Peers: `eager`; `compiled` is torch.compile of the formula.
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import measure  # noqa: E402  (first: it says what is missing)
import torch  # noqa: E402

EPS = 1e-5


def forward(x, gamma, beta):
    return torch.nn.functional.layer_norm(x, x.shape[1:], gamma, beta, EPS)


def gradient(x, dy, gamma):
    x32, dy32 = x.float(), dy.float()
    far = x32 - x32.mean(1, keepdim=True)
    scale = torch.rsqrt((far * far).mean(1, keepdim=True) + EPS)
    z, g = far * scale, dy32 * gamma.float()
    dx = (g - g.mean(1, keepdim=True) - z * (g * z).mean(1, keepdim=True))
    return ((dx * scale).to(x.dtype), (dy32 * z).sum(0), dy32.sum(0))


def kept(x, dy, gamma, beta):
    _, mean, rstd = torch.native_layer_norm(x, x.shape[1:], gamma, beta, EPS)
    return lambda: torch.ops.aten.native_layer_norm_backward(
        dy, x, x.shape[1:], mean, rstd, gamma, beta, [True] * 3)


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
        gamma, beta = (torch.randn(C, device="cuda").to(type_)
                       for _ in range(2))
        some = slice(0, None, max(R // 16, 1))  # rows that are compared
        few = x[some].double().requires_grad_()
        want = forward(few, gamma.double(), beta.double())
        want.backward(dy[some].double())
        for peer, way in (("eager", forward), ("compiled", compiled)):
            measure.row(clock, f"{shape}/layer_norm{end}/{peer}",
                        lambda: lambda: way(x, gamma, beta),
                        lambda got: measure.largest_error(
                            got[some], want.detach()), limit)
        for peer, make in (
                ("eager", lambda: kept(x, dy, gamma, beta)),
                ("compiled",
                 lambda: lambda: compiled_gradient(x, dy, gamma))):
            measure.row(clock, f"{shape}/layer_norm_backward{end}/{peer}", make,
                        lambda got: measure.largest_error(got[0][some],
                                                          few.grad), limit)


main(sys.argv[1:])
