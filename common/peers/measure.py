# SPDX-License-Identifier: MIT
"""measure.py: how the peers written in Python time a launch, and say so.

    interval(samples)    median and its 95 % interval
    Clock().measure(f)   times f, which enqueues work on the current stream
    fastest(clock, ways) the one of some such functions that takes least
    row(clock, key, make, error_of, limit)
                         checks and times one peer, prints its line
    scratch(work)        bytes that it needs beyond its arguments and results
    label(labels)        prints the lines that name the peers
    shapes(arguments)    NAME, {"N": 4096, ...} of each shape asked for

The lines are those of results.c. Each launch is timed by events with a cold L2,
after a warm-up, until the 95 % interval of the median is within 1 % of it or
the time is up: the rules of checker/check/time/timing.c.

Needs PyTorch: without it, or without a GPU, importing this ends the program
with a line that says so.
"""
import math
import os
import sys
import time

PROGRAM = os.path.basename(sys.argv[0]).rsplit(".", 1)[0]


def absent(why):
    print("absent", PROGRAM, str(why).split("\n")[0])
    sys.exit(0)


try:
    import torch
except ImportError as error:
    absent(error)
if not torch.cuda.is_available():
    absent("PyTorch sees no GPU")

WARM_UP_FIRST, WARM_UP = 3.0, 0.2  # seconds; clocks take 3 s to settle
MOST_SECONDS, LEAST, MOST = 1.5, 30, 1000
TIGHT = 0.01
HEAD_START = 200_000  # clocks: 0.1 ms


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
    """Times launches one by one, with a cold L2. Before each, the GPU waits for
    head_start clocks while the host enqueues the work, so that Python's own time
    is not measured. Work that takes Python more than 0.1 ms needs more."""

    def __init__(self, head_start=HEAD_START):
        self.head_start = head_start
        l2 = torch.cuda.get_device_properties(0).L2_cache_size
        self.flush = torch.empty(2 * l2 // 4, device="cuda")
        self.warm = False

    def launch(self, work):
        begin = torch.cuda.Event(enable_timing=True)
        end = torch.cuda.Event(enable_timing=True)
        self.flush.zero_()
        torch.cuda._sleep(self.head_start)
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


def fastest(clock, ways):
    """The way whose median of a few launches is the least. The first call of
    a way may compile it, so it is not timed."""
    def median(way):
        way()
        times = sorted(clock.launch(way) for _ in range(15))
        return times[len(times) // 2]

    return min(ways, key=median)


def scratch(work):
    """At the peak: what PyTorch's allocator holds during the call, less what it
    holds afterwards, with the result alive."""
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    result = work()
    torch.cuda.synchronize()
    left = torch.cuda.memory_allocated()
    del result
    return torch.cuda.max_memory_allocated() - left


def row(clock, key, make, error_of, limit):
    """make() gives what is timed, a function without arguments that returns
    its result; error_of(result) must be at most limit."""
    try:
        work = make()
        error = error_of(work())
        if not error <= limit:
            print("absent", key, f"its result is off by {error:.2g}")
            return
        print("row", key, *clock.measure(work), f"{error:.3g}", scratch(work),
              flush=True)
    except Exception as problem:  # one peer less, and the others go on
        print("absent", key, (str(problem) or repr(problem)).split("\n")[0],
              flush=True)
    finally:
        torch.cuda.empty_cache()


def label(labels):
    for peer, words in labels.items():
        print("label", peer, words)


def shapes(arguments):
    for name, text in zip(arguments[::2], arguments[1::2]):
        yield name, {word[0]: int(word[1:]) for word in text.split()}


def largest_error(got, want):
    """The largest |got - want|, over the largest |want|."""
    return ((got.double() - want).abs().max() / want.abs().max()).item()
