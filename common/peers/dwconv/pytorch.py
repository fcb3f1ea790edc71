# SPDX-License-Identifier: MIT
"""pytorch.py: what PyTorch and cuDNN below it, and FFT, take for the same work.

    python3 pytorch.py NAME "B16384 H128 L48 K48" [NAME SHAPE]...

Prints the lines that common/peers/results.c describes.

Peers: `pytorch` is handed an input that was padded beforehand, and leaves its
gradient padded; `pytorch_pads` gets what our kernels get, and cuts off what
they do not compute; `fft` multiplies spectra. All in fp32, tf32 off.

measure.py times each launch. Before that the result is held against double
precision: ERROR is the largest |got - expected| of some rows, each over the largest sum of
|terms| in its row. (A spectrum mixes a row's cells, and so do its errors.)
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import measure  # noqa: E402  (first: it says what is missing)
import torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402

ROWS, CHANNELS = 16, 2  # looked at, of sequences and of weights
LABELS = {"pytorch": "PyTorch, padded before",
          "pytorch_pads": "PyTorch, pads inside", "fft": "FFT (torch.fft)"}
ERROR_LIMIT = 1e-5  # above it a peer computes something else


def smooth(n):
    """The least length from n on that FFT likes: 2, 3 and 5 alone divide it."""
    while True:
        rest = n
        for p in (2, 3, 5):
            while rest % p == 0:
                rest //= p
        if rest == 1:
            return n
        n += 1


class Case:
    """One shape: its inputs, what each peer does, and the true result."""

    def __init__(self, B, H, L, K):
        self.B, self.H, self.L, self.K = B, H, L, K
        torch.manual_seed(1)
        self.x = torch.rand(B, H, L, device="cuda") * 2 - 1
        self.dy = torch.rand(B, H, L, device="cuda") * 2 - 1
        self.w = torch.rand(H, K, device="cuda") * 2 - 1
        # PyTorch's "convolution" does not turn the weights round.
        self.turned = self.w.flip(-1).reshape(H, 1, K).contiguous()
        self.n = smooth(L + K - 1)

    def backward(self, dy, x, padding, wanted):
        return torch.ops.aten.convolution_backward(
            dy, x, self.turned, None, [1], [padding], [1], False, [0], self.H,
            wanted)

    # forward ------------------------------------------------------------

    def forward_pytorch(self):
        padded = F.pad(self.x, (self.K - 1, 0))
        return lambda: F.conv1d(padded, self.turned, groups=self.H)

    def forward_pytorch_pads(self):
        return lambda: F.conv1d(self.x, self.turned, padding=self.K - 1,
                                groups=self.H)[..., :self.L]

    def forward_fft(self):
        return lambda: torch.fft.irfft(
            torch.fft.rfft(self.x, self.n) * torch.fft.rfft(self.w, self.n),
            self.n)[..., :self.L]

    # input gradient -----------------------------------------------------

    def input_grad_pytorch(self):
        padded = F.pad(self.x, (self.K - 1, 0))
        return lambda: self.backward(self.dy, padded, 0,
                                     [True, False, False])[0][
                                         ..., self.K - 1:]

    def input_grad_pytorch_pads(self):
        return lambda: self.backward(F.pad(self.dy, (0, self.K - 1)), self.x,
                                     self.K - 1, [True, False, False])[0]

    def input_grad_fft(self):
        return lambda: torch.fft.irfft(
            torch.fft.rfft(self.dy, self.n) *
            torch.fft.rfft(self.w, self.n).conj(), self.n)[..., :self.L]

    # weight gradient ----------------------------------------------------

    def weight_grad_pytorch(self):
        padded = F.pad(self.x, (self.K - 1, 0))
        return lambda: self.backward(self.dy, padded, 0,
                                     [False, True, False])[1].flip(-1)

    def weight_grad_pytorch_pads(self):
        return lambda: self.backward(F.pad(self.dy, (0, self.K - 1)), self.x,
                                     self.K - 1,
                                     [False, True, False])[1].flip(-1)

    def weight_grad_fft(self):
        return lambda: torch.fft.irfft(
            (torch.fft.rfft(self.dy, self.n) *
             torch.fft.rfft(self.x, self.n).conj()).sum(0),
            self.n)[..., :self.K]

    # the true result, of some cells -------------------------------------

    def some_rows(self):
        rows = torch.randint(self.B * self.H, (ROWS,), device="cuda")
        return rows, rows % self.H

    def taps(self, source, weights, back):
        """sum over k of weights[k] source[t -+ k], and of the magnitudes."""
        total = torch.zeros_like(source)
        size = torch.zeros_like(source)
        for k in range(min(self.K, self.L)):
            term = weights[:, k:k + 1] * (source[:, k:] if back else
                                          source[:, :self.L - k])
            where = slice(0, self.L - k) if back else slice(k, self.L)
            total[:, where] += term
            size[:, where] += term.abs()
        return total, size

    def error_of_rows(self, got, source, back):
        rows, h = self.some_rows()
        flat = got.reshape(self.B * self.H, self.L)[rows].double()
        want, size = self.taps(
            source.reshape(self.B * self.H, self.L)[rows].double(),
            self.w[h].double(), back)
        return ((flat - want).abs().amax(-1) / size.amax(-1)).max().item()

    def error_forward(self, got):
        return self.error_of_rows(got, self.x, False)

    def error_input_grad(self, got):
        return self.error_of_rows(got, self.dy, True)

    def error_weight_grad(self, got):
        worst = 0.0
        got = got.reshape(self.H, self.K)
        for h in torch.randint(self.H, (CHANNELS,)).tolist():
            x, dy = self.x[:, h].double(), self.dy[:, h].double()
            for k in range(min(self.K, self.L)):
                term = dy[:, k:] * x[:, :self.L - k]
                error = (got[h, k].double() - term.sum()).abs()
                worst = max(worst, (error / term.abs().sum()).item())
        return worst


def main(arguments):
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    measure.label(LABELS)
    print("version torch", torch.__version__)
    cudnn = torch.backends.cudnn.version() or 0
    print(f"version cudnn {cudnn // 10000}.{cudnn // 100 % 100}.{cudnn % 100}")
    clock = measure.Clock()
    for shape, extent in measure.shapes(arguments):
        case = Case(**extent)
        for path in ("forward", "input_grad", "weight_grad"):
            for peer in LABELS:
                measure.row(clock, f"{shape}/{path}/{peer}",
                            getattr(case, f"{path}_{peer}"),
                            getattr(case, f"error_{path}"), ERROR_LIMIT)
        del case
        torch.cuda.empty_cache()


if __name__ == "__main__":
    main(sys.argv[1:])
