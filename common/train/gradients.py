# SPDX-License-Identifier: MIT
"""gradients.py [BUILD]: each gradient kernel of chapter 24's training steps,
beside PyTorch's autograd of the same formula in double, on a GPU. A line of
JSON per gradient: the largest |got - expected| over the largest |expected|, for
our kernel and for PyTorch's own in fp32. Ends with 1 if one of ours is off by
more than LIMIT. Needs the stages of `make train-stages`, PyTorch and a GPU;
without them it says so, with 2.
"""
import ctypes
import json
import os
import sys

try:
    import torch
    import torch.nn.functional as F
except ImportError:
    print("gradients.py: PyTorch is not installed", file=sys.stderr)
    sys.exit(2)

LIMIT = 2e-5  # sums of some thousand terms in fp32, next to the largest result
B, H, L, K = 96, 24, 48, 48       # of the sequence model
IMAGES, C, SIDE = 24, 32, 28      # of the image model
BUILD = sys.argv[1] if len(sys.argv) > 1 else "build"
EPS = 1e-5


def pointer(tensor):
    return ctypes.c_void_p(tensor.data_ptr())


def shape_of(*extents):
    """A struct of ints, as the stages take their shape: by value."""
    fields = [(f"d{i}", ctypes.c_int) for i in range(len(extents))]
    kind = type("Shape", (ctypes.Structure,), {"_fields_": fields})
    return kind(*extents)


def library(name):
    return ctypes.CDLL(os.path.join(BUILD, "train", name + ".so"))


def check(error, name):
    if error:
        sys.exit(f"gradients.py: {name} returned CUDA error {error}")


def run_stage(file, name, arrays, shape):
    stage = library(file)
    need = getattr(stage, name + "_workspace")
    need.restype = ctypes.c_size_t
    space = torch.empty(max(need(shape), 1), dtype=torch.uint8, device="cuda")
    stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
    check(getattr(stage, name)(*map(pointer, arrays), shape, pointer(space),
                               stream), name)
    torch.cuda.synchronize()


def run_given(name, arguments):
    stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
    check(getattr(library("kernels"), name)(*arguments, stream), name)
    torch.cuda.synchronize()


# The operations, as PyTorch says them ----------------------------------------

def rms(x, gamma):
    return x * torch.rsqrt((x * x).mean(1, keepdim=True) + EPS) * gamma[:, None]


def swish(z, bias):
    return F.silu(z + bias[:, None])


def dwconv(x, w):
    return F.conv1d(F.pad(x, (w.shape[1] - 1, 0)), w.flip(1)[:, None],
                    groups=w.shape[0])


def evonorm(x, gamma, beta, v):
    batch = (x.var((0, 2), unbiased=False) + EPS).sqrt()[None, :, None]
    image = (x.var(2, unbiased=False, keepdim=True) + EPS).sqrt()
    return (gamma[:, None] * x / torch.maximum(batch, v[:, None] * x + image) +
            beta[:, None])


def expected(function, inputs, out_grad, dtype):
    leaves = [i.detach().to(dtype).requires_grad_() for i in inputs]
    function(*leaves).backward(out_grad.to(dtype))
    return [leaf.grad for leaf in leaves]


def random(*size):
    return torch.rand(*size, device="cuda") * 2 - 1


def distance(got, want):
    return ((got.double() - want).abs().max() / want.abs().max()).item()


def compare(name, function, inputs, out_grad, ours, around=None):
    """ours: our gradients, one per input (None: not asked for). around: what
    goes around the operation and is added to the first gradient."""
    want = expected(function, inputs, out_grad, torch.float64)
    peer = expected(function, inputs, out_grad, torch.float32)
    fine = True

    if around is not None:
        want[0] = want[0] + around.double()
        peer[0] = peer[0] + around
    for i, got in enumerate(ours):
        if got is None:
            continue
        off = distance(got.reshape(want[i].shape), want[i])
        fine &= off <= LIMIT
        print(json.dumps({"gradient": name, "of": i, "ours": off,
                          "pytorch": distance(peer[i], want[i])}), flush=True)
    return fine


def sequences():
    x, dn, skip, z = (random(B, H, L) for _ in range(4))
    gamma, bias = random(H), random(H)
    w = random(H, K)
    dx, dz = torch.empty_like(x), torch.empty_like(x)
    dgamma, dbias, dw = (torch.empty_like(a) for a in (gamma, bias, w))

    run_stage("24/rms_backward", "rms_backward",
              (x, gamma, dn, skip, dx, dgamma), shape_of(B, H, L))
    yield compare("rms", rms, (x, gamma), dn, (dx, dgamma), skip)
    run_stage("24/swish_backward", "swish_backward", (z, bias, dn, dz, dbias),
              shape_of(B, H, L))
    yield compare("swish", swish, (z, bias), dn, (dz, dbias))
    for chapter in ("04", "05", "06", "07", "09"):
        extents = shape_of(B, H, L, K)
        run_stage(chapter + "/input_grad", "dwconv_input_grad", (dn, w, dx),
                  extents)
        run_stage(chapter + "/weight_grad", "dwconv_weight_grad", (dn, x, dw),
                  extents)
        yield compare("dwconv " + chapter, dwconv, (x, w), dn, (dx, dw))


def images():
    for stride in (1, 2):
        out = (SIDE - 1) // stride + 1
        x, w = random(IMAGES, C, SIDE, SIDE), random(C, C, 3, 3)
        dy = random(IMAGES, C, out, out)
        dx, dw = torch.empty_like(x), torch.empty_like(w)
        extents = shape_of(IMAGES, C, C, SIDE, stride)
        count = library("kernels").train_conv2d_partial
        count.restype = ctypes.c_size_t
        partial = torch.empty(count(extents), device="cuda")

        run_given("train_conv2d_input_grad",
                  (pointer(dy), pointer(w), pointer(dx), extents))
        run_given("train_conv2d_weight_grad",
                  (pointer(dy), pointer(x), pointer(dw), pointer(partial),
                   extents))
        yield compare(
            f"conv2d stride {stride}",
            lambda a, b, by=stride: F.conv2d(a, b, stride=by, padding=1),
            (x, w), dy, (dx, dw))
    x, dy = random(IMAGES, C, SIDE * SIDE), random(IMAGES, C, SIDE * SIDE)
    gamma, beta, v = random(C), random(C), random(C)
    ours = [torch.empty_like(a) for a in (x, gamma, beta, v)]
    run_stage("22/evonorm_b0_backward", "evonorm_b0_backward",
              (x, dy, gamma, v, *ours), shape_of(IMAGES, C, SIDE * SIDE))
    yield compare("evonorm", evonorm, (x, gamma, beta, v), dy, ours)


def main():
    if not torch.cuda.is_available():
        print("gradients.py: PyTorch sees no GPU", file=sys.stderr)
        sys.exit(2)
    torch.backends.cudnn.allow_tf32 = False
    torch.manual_seed(1)
    sys.exit(0 if all([*sequences(), *images()]) else 1)


main()
