# SPDX-License-Identifier: MIT
"""pytorch.py: what PyTorch and cuDNN below it, and FFT, take for the same work.

    python3 pytorch.py NAME "B16384 H128 L48 K48" [NAME SHAPE]...

Prints the lines that common/peers/results.c describes.

Peers: `pytorch` is handed an input that was padded beforehand, and leaves its
gradient padded; `pytorch_pads` gets what our kernels get, and cuts off what
they do not compute; `fft` multiplies spectra. All in fp32, tf32 off.

Each launch is timed by events with a cold L2, after a warm-up, until the 95 %
interval of the median is within 1 % of it or the time is up: the rules of
checker/check/time/timing.c. Before that the result is held against double precision:
ERROR is the largest |got - expected| of some rows, each over the largest sum of
|terms| in its row. (A spectrum mixes a row's cells, and so do its errors.)
"""
import math
import sys
import time

try:
    import torch
    import torch.nn.functional as F
except ImportError as error:
    print("absent pytorch", error)
    sys.exit(0)

WARM_UP_FIRST, WARM_UP = 3.0, 0.2  # seconds; clocks take 3 s to settle
MOST_SECONDS, LEAST, MOST = 1.5, 30, 1000
TIGHT = 0.01
ROWS, CHANNELS = 16, 2  # looked at, of sequences and of weights
LABELS = {"pytorch": "PyTorch, padded before",
          "pytorch_pads": "PyTorch, pads inside", "fft": "FFT (torch.fft)"}
ERROR_LIMIT = 1e-5  # above it a peer computes something else


def interval(samples):
    """Median and its 95 % interval, by order statistics (harness/stats.c)."""
    s, n = sorted(samples), len(samples)
    rank, below = 0, 0.0
    for i in range(n // 2):
        below += math.comb(n, i) / 2**n if n < 1000 else math.exp(
            math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(n - i + 1)
            - n * math.log(2))
        if below > 0.025:
            break
        rank = i + 1
    median = (s[(n - 1) // 2] + s[n // 2]) / 2
    return median, s[max(rank - 1, 0)], s[n - max(rank, 1)]


class Clock:
    """Times launches one by one, with a cold L2."""

    def __init__(self):
        l2 = torch.cuda.get_device_properties(0).L2_cache_size
        self.flush = torch.empty(2 * l2 // 4, device="cuda")
        self.warm = False

    def launch(self, work):
        begin = torch.cuda.Event(enable_timing=True)
        end = torch.cuda.Event(enable_timing=True)
        self.flush.zero_()
        begin.record()
        work()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end)

    def measure(self, work):
        until = time.monotonic() + (WARM_UP if self.warm else WARM_UP_FIRST)
        while time.monotonic() < until:
            self.launch(work)
        self.warm = True
        samples = []
        until = time.monotonic() + MOST_SECONDS
        while len(samples) < MOST:
            samples += [self.launch(work) for _ in range(LEAST)]
            median, low, high = interval(samples)
            if (high - low) / 2 <= TIGHT * median or time.monotonic() > until:
                break
        return median, low, high, len(samples)


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


def one(clock, case, shape, path, peer):
    key = f"{shape}/{path}/{peer}"
    try:
        work = getattr(case, f"{path}_{peer}")()
        error = getattr(case, f"error_{path}")(work())
        if not error <= ERROR_LIMIT:
            print("absent", key, f"its result is off by {error:.2g}")
            return
        print("row", key, *clock.measure(work), f"{error:.3g}", flush=True)
    except Exception as problem:  # one peer less, and the others go on
        print("absent", key, str(problem).split("\n")[0], flush=True)
    finally:
        torch.cuda.empty_cache()


def main(arguments):
    if not torch.cuda.is_available():
        print("absent pytorch it sees no GPU")
        return
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    for peer, label in LABELS.items():
        print("label", peer, label)
    print("version torch", torch.__version__)
    cudnn = torch.backends.cudnn.version() or 0
    print(f"version cudnn {cudnn // 10000}.{cudnn // 100 % 100}.{cudnn % 100}")
    clock = Clock()
    for shape, text in zip(arguments[::2], arguments[1::2]):
        case = Case(*(int(extent[1:]) for extent in text.split()))
        for path in ("forward", "input_grad", "weight_grad"):
            for peer in LABELS:
                one(clock, case, shape, path, peer)
        del case
        torch.cuda.empty_cache()


main(sys.argv[1:])
