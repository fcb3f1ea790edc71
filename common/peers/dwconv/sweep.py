# SPDX-License-Identifier: MIT
"""sweep.py: copies, PyTorch and FFT at the shapes of a depthwise sweep.

    python3 common/peers/dwconv/sweep.py SECONDS SWEEP.tsv...

Adds rows to the files that `make sweep OF=forward` (input_grad, weight_grad)
wrote: the kernels peer_copy, peer_pytorch and peer_fft, one repeat each, at
their shapes. After SECONDS, of which each file has its part, it ends; the same
command goes on with what is lacking. A copy moves as many bytes as the path
must; a peer whose result is off, or that runs out of memory, gets a row without
a time.
"""
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from pytorch import ERROR_LIMIT, Case  # noqa: E402  (says what is missing)
import torch  # noqa: E402

FEW = 7     # launches per peer and shape; their median is kept
LONG = 50   # ms: what takes longer than this is timed once
TAPS = 256  # up to here results are compared; it takes a loop over the taps


def read(path):
    """What the file is about, its shapes in order, and the rows it has."""
    about, shapes, there = {}, [], set()
    with open(path, encoding="ascii") as file:
        for line in file:
            words = line.rstrip("\n").split("\t")
            if line.startswith("#"):
                about[words[0][2:]] = words[1]
            elif words[0] != "set":
                shape = tuple(words[:5])
                if shape not in shapes:
                    shapes.append(shape)
                there.add((shape, words[5]))
    return about, shapes, there


class Stopwatch:
    """As measure.py's clock, without its long warm-up: a sweep has hundreds of
    shapes, and the GPU is warm from its start."""

    def __init__(self):
        l2 = torch.cuda.get_device_properties(0).L2_cache_size
        self.flush = torch.empty(2 * l2 // 4, device="cuda")

    def launch(self, work):
        begin = torch.cuda.Event(enable_timing=True)
        end = torch.cuda.Event(enable_timing=True)
        self.flush.zero_()
        torch.cuda._sleep(200_000)
        begin.record()
        work()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end)

    def median(self, work):
        first = self.launch(work)
        if first > LONG:
            return first
        times = sorted(self.launch(work) for _ in range(FEW))
        return times[FEW // 2]


def ways(case, path):
    """The peers of one path: a function that makes what is timed, and one that
    says how far its result is off (None: nothing to compare)."""
    error = getattr(case, "error_" + path) if case.K <= TAPS else None
    to = torch.empty_like(case.x)

    def copy():
        return lambda: to.copy_(case.x)

    return {"peer_copy": (copy, None),
            "peer_pytorch": (getattr(case, path + "_pytorch"), error),
            "peer_fft": (getattr(case, path + "_fft"), error)}


def outcome(watch, make, error):
    try:
        work = make()
        if error and not error(work()) <= ERROR_LIMIT:
            return "wrong\t-"
        return f"ok\t{watch.median(work):.9g}"
    except RuntimeError:  # no memory, or a length that cuFFT refuses
        return "launch\t-"
    finally:
        torch.cuda.empty_cache()


def sweep(path, watch, until):
    about, shapes, there = read(path)
    which = about["op"].removeprefix("dwconv_")

    with open(path, "a", encoding="ascii") as file:
        for shape in shapes:
            if all((shape, peer) in there for peer in
                   ("peer_copy", "peer_pytorch", "peer_fft")):
                continue
            if time.monotonic() > until:
                print(path, "lacks rows; the same command goes on")
                return
            case = Case(*(int(word) for word in shape[1:]))
            for peer, (make, error) in ways(case, which).items():
                if (shape, peer) not in there:
                    row = "\t".join(shape + (peer, "0"))
                    file.write(row + "\t" + outcome(watch, make, error) + "\n")
                    file.flush()


def main():
    seconds, paths = float(sys.argv[1]), sys.argv[2:]
    begun = time.monotonic()
    watch = Stopwatch()
    torch.backends.cudnn.allow_tf32 = False
    for i, path in enumerate(paths):
        sweep(path, watch, begun + seconds * (i + 1) / len(paths))


main()
