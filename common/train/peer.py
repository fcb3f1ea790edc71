# SPDX-License-Identifier: MIT
"""peer.py s4|BATCH GPU TURN READY: the models of bin/train in PyTorch, eager
and compiled, and the sequence model with blocks in Triton, with and without a
CUDA graph: a line of JSON per run, as study.sh writes them. BATCH: the images
of a step. Once all is compiled it makes the file READY, waits for a lock on
TURN, and only then measures. Without PyTorch or a GPU it says so and measures
nothing.

Same sizes, same optimiser, random data on the device. A step is clock-free
here: Adam is PyTorch's own, fused and capturable.
"""
import fcntl
import json
import statistics
import sys

try:
    import torch
    import torch.nn as nn
    import torch.nn.functional as F
except ImportError:
    print(json.dumps({"run": "peer", "absent": "PyTorch is not installed"}))
    open(sys.argv[4], "w").close()
    sys.exit(0)
if not torch.cuda.is_available():
    print(json.dumps({"run": "peer", "absent": "PyTorch finds no GPU"}))
    open(sys.argv[4], "w").close()
    sys.exit(0)


class Block(nn.Module):
    """x + swish(causal depthwise convolution of the RMS norm + bias)."""

    def __init__(self, channels, taps):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(channels, 1))
        self.weight = nn.Parameter(
            (torch.rand(channels, 1, taps) * 2 - 1) * 1.7 / taps)
        self.bias = nn.Parameter(torch.zeros(channels))

    def forward(self, x):
        scale = torch.rsqrt((x * x).mean(1, keepdim=True) + 1e-5)
        taps = self.weight.shape[2]
        z = F.conv1d(F.pad(x * scale * self.gamma, (taps - 1, 0)),
                     self.weight.flip(2), self.bias, groups=x.shape[1])
        return x + F.silu(z)


class S4(nn.Module):
    def __init__(self, channels, taps, blocks, block=Block):
        super().__init__()
        self.lift = nn.Conv1d(1, channels, 1)
        self.blocks = nn.Sequential(
            *(block(channels, taps) for _ in range(blocks)))
        self.read_out = nn.Conv1d(channels, 1, 1)

    def forward(self, u, target):
        e = self.read_out(self.blocks(self.lift(u[:, None]))) - target[:, None]
        return (e * e).mean()


class EvoNorm(nn.Module):
    def __init__(self, channels):
        super().__init__()
        one = torch.ones(1, channels, 1, 1)
        self.gamma, self.v = nn.Parameter(one), nn.Parameter(one.clone())
        self.beta = nn.Parameter(torch.zeros(1, channels, 1, 1))

    def forward(self, x):
        batch = (x.var((0, 2, 3), unbiased=False, keepdim=True) + 1e-5).sqrt()
        image = (x.var((2, 3), unbiased=False, keepdim=True) + 1e-5).sqrt()
        return (self.gamma * x / torch.maximum(batch, self.v * x + image) +
                self.beta)


class CNN(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, channels, 3, padding=1, bias=False),
            EvoNorm(channels),
            nn.Conv2d(channels, channels, 3, stride=2, padding=1, bias=False),
            EvoNorm(channels))
        self.classes = nn.Linear(channels, 10)

    def forward(self, images, labels):
        return F.cross_entropy(self.classes(self.body(images).mean((2, 3))),
                               labels)


def median_ms(step, repeats):
    """Of single steps between events, after a warm-up."""
    for _ in range(5):
        step()
    times = []
    for _ in range(repeats):
        begin = torch.cuda.Event(enable_timing=True)
        end = torch.cuda.Event(enable_timing=True)
        begin.record()
        step()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end))
    return statistics.median(times)


def trainer(model, inputs):
    """A step of training: a function without arguments."""
    adam = torch.optim.Adam(model.parameters(), lr=0.01, fused=True,
                            capturable=True)

    def step():
        adam.zero_grad(set_to_none=False)
        model(*inputs).backward()
        adam.step()

    return step


def graph_of(step):
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        for _ in range(3):
            step()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step()
    return graph.replay


def triton_block():
    """Triton's block once it agrees with ours, or None and why not."""
    try:
        from with_triton import Block as with_triton, agrees
        differs = agrees(Block(16, 48).cuda(),
                         torch.rand(70, 16, 48, device="cuda"))
    except Exception as problem:  # one peer less, and the others go on
        return None, (str(problem) or repr(problem)).splitlines()[0]
    return (None if differs else with_triton), differs


def report(gpu, settings, make, inputs, repeats, more=None):
    """more: other models' names, and what makes them."""
    torch.manual_seed(1)
    compiled = trainer(torch.compile(make().cuda()), inputs)
    compiled()
    torch.cuda.synchronize()
    open(sys.argv[4], "w").close()
    turn = open(sys.argv[3])
    fcntl.flock(turn, fcntl.LOCK_EX)
    steps = [("eager", trainer(make().cuda(), inputs)), ("compiled", compiled)]
    for name, other in (more or {}).items():
        steps.append((name, trainer(other().cuda(), inputs)))
    for name, step in steps:
        for how in ("", " graph"):
            row = {"gpu": gpu, "run": "peer", "settings": settings,
                   "peer": name + how, "torch": torch.__version__}
            torch.cuda.reset_peak_memory_stats()
            try:
                row["ms_per_step"] = median_ms(graph_of(step) if how else step,
                                               repeats)
                row["bytes"] = torch.cuda.max_memory_allocated()
            except RuntimeError as error:
                row["absent"] = str(error).splitlines()[0]
            print(json.dumps(row), flush=True)


def main():
    model, gpu = sys.argv[1:3]
    if model == "s4":
        data = torch.randn(2, 16384, 48, device="cuda")
        settings = "s4 B=16384 H=128 L=48 K=48 blocks=4"
        block, why = triton_block()
        more = {"triton": lambda: S4(128, 48, 4, block)} if block else {}
        report(gpu, settings, lambda: S4(128, 48, 4), (data[0], data[1]), 20,
               more)
        if why:
            print(json.dumps({"gpu": gpu, "run": "peer", "settings": settings,
                              "peer": "triton", "absent": why}), flush=True)
        return
    batch = int(model)
    images = torch.randn(batch, 1, 28, 28, device="cuda")
    labels = torch.randint(0, 10, (batch,), device="cuda")
    report(gpu, f"cnn B={batch} channels=32", lambda: CNN(32),
           (images, labels), 100)


main()
