# SPDX-License-Identifier: MIT
"""alike.py: our own functions of one element, timed as PyTorch's are.

    python3 alike.py NAME "N16777216" [NAME SHAPE]...

Prints the lines that common/peers/results.c describes, for the peer `alike`.

The runner's clock reads about a microsecond more than measure.py's, and at
1024 x 1024 these functions take six. Beside PyTorch and Triton,
compare these rows, not those of `ours`. Chapter 18's solutions are built by
$CUDA_HOME's nvcc and called on PyTorch's arrays and stream.
"""
import ctypes
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import measure  # noqa: E402  (first: it says what is missing)
import torch  # noqa: E402

MAPS = {"relu": torch.relu, "sigmoid": torch.sigmoid,
        "swish": torch.nn.functional.silu}
TYPES = {"": ("_f32", torch.float32, 1e-6),
         "_bf16": ("_bf16", torch.bfloat16, 1e-2)}
ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))


def build(folder):
    """Chapter 18's launchers, by the name of their kernel."""
    nvcc = os.path.join(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "bin",
                        "nvcc")
    cc = "{}{}".format(*torch.cuda.get_device_capability())
    names = [name + suffix for name in MAPS for suffix in TYPES]
    jobs = {name: subprocess.Popen(
        [nvcc, "-O3", "-shared", "-Xcompiler", "-fPIC", "-cudart", "static",
         f"-gencode=arch=compute_{cc},code=sm_{cc}",
         "-I" + os.path.join(ROOT, "common"),
         "-I" + os.path.join(ROOT, "common", "op"),
         "-o", os.path.join(folder, name + ".so"),
         os.path.join(ROOT, "solutions", "18-elementwise", name + ".cu")])
        for name in names}
    failed = [name for name, job in jobs.items() if job.wait() != 0]
    if failed:
        measure.absent("nvcc cannot build " + " ".join(failed))
    return {name: ctypes.CDLL(os.path.join(folder, name + ".so"))
            for name in names}


def launcher(library, name):
    """The function y = f(x) of a stage (common/op/elementwise.h)."""
    enqueue = getattr(library, "elementwise_" + name)
    enqueue.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int,
                        ctypes.c_void_p, ctypes.c_void_p]

    def work(x, y):
        error = enqueue(x.data_ptr(), y.data_ptr(), x.numel(), None,
                        torch.cuda.current_stream().cuda_stream)
        if error:
            raise RuntimeError(f"the launch failed: CUDA error {error}")
        return y

    return work


def main(arguments):
    measure.label({"alike": "ours, by PyTorch's clock"})
    with tempfile.TemporaryDirectory() as folder:
        libraries = build(folder)
    clock = measure.Clock()
    for shape, extent in measure.shapes(arguments):
        for suffix, (launcher_of, dtype, limit) in TYPES.items():
            x = (torch.rand(extent["N"], device="cuda") * 2 - 1).to(dtype)
            y = torch.full_like(x, float("nan"))
            for name, true in MAPS.items():
                work = launcher(libraries[name + suffix], name + launcher_of)
                measure.row(
                    clock, f"{shape}/{name}{suffix}/alike",
                    lambda: lambda: work(x, y),
                    lambda got: measure.largest_error(got, true(x.double())),
                    limit)


main(sys.argv[1:])
