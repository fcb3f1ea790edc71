# SPDX-License-Identifier: MIT
"""with_triton.py: chapter 21's layer norm and its gradient in Triton.

    python3 with_triton.py medium "R32768 C4096"

Prints the lines that common/peers/results.c describes, for the peer `triton`.
Names that begin with `half` are measured in bf16, others in fp32; gamma and
beta are fp32.

A program owns a row, as in softmax's with_triton.py. In the gradient, where a
tile holds a row, it owns every PROGRAMS-th one, keeps their part of dgamma and
dbeta in registers, and a second kernel adds the parts in a fixed order. Longer
rows are read twice to find what a row must know, and once more by programs that
own a tile of columns of some rows.
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import measure  # noqa: E402  (first: it says what is missing)
import torch  # noqa: E402

try:
    import triton
    import triton.language as tl
except ImportError as error:
    measure.absent(error)

EPS = 1e-5
LONGEST = 16384  # elements of a tile that holds a row
LONGEST_TWO = 8192  # where it holds a row of x and one of dy
TILE = 8192      # of longer ones
PROGRAMS = 1056  # that share the rows: 8 for each of an H200's multiprocessors
GROUPS = 8       # of rows, that programs share which own columns
COLUMNS = 1024   # of such a program, and of one that adds the parts


@triton.jit
def layer_norm(x, gamma, beta, y, C, eps, TILE: tl.constexpr):
    col = tl.arange(0, TILE)
    inside = col < C
    at = tl.program_id(0).to(tl.int64) * C + col
    v = tl.load(x + at, mask=inside, other=0).to(tl.float32)
    far = tl.where(inside, v - tl.sum(v) / C, 0.0)
    z = far * tl.rsqrt(tl.sum(far * far) / C + eps)
    tl.store(y + at, z * tl.load(gamma + col, mask=inside) +
             tl.load(beta + col, mask=inside), mask=inside)


@triton.jit
def layer_norm_thrice(x, gamma, beta, y, C, eps, TILE: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * C
    col = tl.arange(0, TILE)
    total = tl.zeros((TILE,), tl.float32)
    for first in range(0, C, TILE):
        total += tl.load(x + row + first + col, mask=first + col < C,
                         other=0).to(tl.float32)
    mean = tl.sum(total) / C
    squares = tl.zeros((TILE,), tl.float32)
    for first in range(0, C, TILE):
        v = tl.load(x + row + first + col, mask=first + col < C,
                    other=0).to(tl.float32)
        far = tl.where(first + col < C, v - mean, 0.0)
        squares += far * far
    scale = tl.rsqrt(tl.sum(squares) / C + eps)
    for first in range(0, C, TILE):
        at = first + col
        v = tl.load(x + row + at, mask=at < C).to(tl.float32)
        tl.store(y + row + at,
                 (v - mean) * scale * tl.load(gamma + at, mask=at < C) +
                 tl.load(beta + at, mask=at < C), mask=at < C)


# dgamma and dbeta of a program's rows to its row of `parts`, which is C wide:
# the rows of dgamma first, then as many of dbeta.
@triton.jit
def backward(x, dy, gamma, dx, parts, R, C, eps, TILE: tl.constexpr):
    program, programs = tl.program_id(0), tl.num_programs(0)
    col = tl.arange(0, TILE)
    inside = col < C
    scale_by = tl.load(gamma + col, mask=inside, other=0).to(tl.float32)
    of_gamma = tl.zeros((TILE,), tl.float32)
    of_beta = tl.zeros((TILE,), tl.float32)
    for row in range(program, R, programs):
        at = row.to(tl.int64) * C + col
        v = tl.load(x + at, mask=inside, other=0).to(tl.float32)
        given = tl.load(dy + at, mask=inside, other=0).to(tl.float32)
        far = tl.where(inside, v - tl.sum(v) / C, 0.0)
        rstd = tl.rsqrt(tl.sum(far * far) / C + eps)
        z = far * rstd
        g = given * scale_by
        tl.store(dx + at, (g - tl.sum(g) / C - z * (tl.sum(g * z) / C)) * rstd,
                 mask=inside)
        of_gamma += given * z
        of_beta += given
    tl.store(parts + program * C + col, of_gamma, mask=inside)
    tl.store(parts + (programs + program) * C + col, of_beta, mask=inside)


# What each of a long row's columns needs: four numbers, R apart in `known`.
@triton.jit
def row_sums(x, dy, gamma, known, R, C, eps, TILE: tl.constexpr):
    row, col = tl.program_id(0), tl.arange(0, TILE)
    begin = row.to(tl.int64) * C
    total = tl.zeros((TILE,), tl.float32)
    for first in range(0, C, TILE):
        total += tl.load(x + begin + first + col, mask=first + col < C,
                         other=0).to(tl.float32)
    mean = tl.sum(total) / C
    squares = tl.zeros((TILE,), tl.float32)
    of_g = tl.zeros((TILE,), tl.float32)
    of_gz = tl.zeros((TILE,), tl.float32)
    for first in range(0, C, TILE):
        at = first + col
        v = tl.load(x + begin + at, mask=at < C, other=0).to(tl.float32)
        g = tl.load(dy + begin + at, mask=at < C, other=0).to(tl.float32) * \
            tl.load(gamma + at, mask=at < C, other=0).to(tl.float32)
        far = tl.where(at < C, v - mean, 0.0)
        squares += far * far
        of_g += g
        of_gz += g * far
    rstd = tl.rsqrt(tl.sum(squares) / C + eps)
    tl.store(known + row, mean)
    tl.store(known + R + row, rstd)
    tl.store(known + 2 * R + row, tl.sum(of_g) / C)
    tl.store(known + 3 * R + row, tl.sum(of_gz) * rstd / C)


@triton.jit
def backward_long(x, dy, gamma, dx, known, parts, R, C, TILE: tl.constexpr):
    col = tl.program_id(0) * TILE + tl.arange(0, TILE)
    group, groups = tl.program_id(1), tl.num_programs(1)
    inside = col < C
    scale_by = tl.load(gamma + col, mask=inside, other=0).to(tl.float32)
    of_gamma = tl.zeros((TILE,), tl.float32)
    of_beta = tl.zeros((TILE,), tl.float32)
    for row in range(group, R, groups):
        at = row.to(tl.int64) * C + col
        v = tl.load(x + at, mask=inside, other=0).to(tl.float32)
        given = tl.load(dy + at, mask=inside, other=0).to(tl.float32)
        rstd = tl.load(known + R + row)
        z = (v - tl.load(known + row)) * rstd
        tl.store(dx + at,
                 (given * scale_by - tl.load(known + 2 * R + row) -
                  z * tl.load(known + 3 * R + row)) * rstd, mask=inside)
        of_gamma += given * z
        of_beta += given
    tl.store(parts + group * C + col, of_gamma, mask=inside)
    tl.store(parts + (groups + group) * C + col, of_beta, mask=inside)


@triton.jit
def add_parts(parts, dgamma, dbeta, programs, C, TILE: tl.constexpr):
    col = tl.program_id(0) * TILE + tl.arange(0, TILE)
    inside = col < C
    of_gamma = tl.zeros((TILE,), tl.float32)
    of_beta = tl.zeros((TILE,), tl.float32)
    for part in range(0, programs):
        of_gamma += tl.load(parts + part * C + col, mask=inside, other=0)
        of_beta += tl.load(parts + (programs + part) * C + col, mask=inside,
                           other=0)
    tl.store(dgamma + col, of_gamma, mask=inside)
    tl.store(dbeta + col, of_beta, mask=inside)


def warps(tile):
    return max(1, min(16, tile // 512))


def run(x, gamma, beta, y):
    R, C = x.shape
    tile = triton.next_power_of_2(C)
    if tile <= LONGEST:
        layer_norm[(R,)](x, gamma, beta, y, C, EPS, TILE=tile,
                         num_warps=warps(tile))
    else:
        layer_norm_thrice[(R,)](x, gamma, beta, y, C, EPS, TILE=TILE,
                                num_warps=warps(TILE))
    return y


def run_backward(x, dy, gamma, dx, dgamma, dbeta):
    R, C = x.shape
    tile = triton.next_power_of_2(C)
    if tile <= LONGEST_TWO:
        programs = min(R, PROGRAMS)
        parts = torch.empty(2 * programs, C, device="cuda")
        backward[(programs,)](x, dy, gamma, dx, parts, R, C, EPS, TILE=tile,
                              num_warps=warps(tile))
    else:
        programs = min(R, GROUPS)
        parts = torch.empty(2 * programs, C, device="cuda")
        known = torch.empty(4, R, device="cuda")
        row_sums[(R,)](x, dy, gamma, known, R, C, EPS, TILE=TILE,
                       num_warps=warps(TILE))
        backward_long[(triton.cdiv(C, COLUMNS), programs)](
            x, dy, gamma, dx, known, parts, R, C, TILE=COLUMNS, num_warps=4)
    add_parts[(triton.cdiv(C, COLUMNS),)](parts, dgamma, dbeta, programs, C,
                                          TILE=COLUMNS, num_warps=4)
    return dx


def main(arguments):
    measure.label({"triton": "Triton"})
    print("version triton", triton.__version__)
    clock = measure.Clock(1_000_000)  # clocks: three launches are under 0.5 ms
    for shape, extent in measure.shapes(arguments):
        half = shape.startswith("half")
        type_, end = (torch.bfloat16, "_bf16") if half else (torch.float32, "")
        limit = 0.02 if half else 1e-5
        R, C = extent["R"], extent["C"]
        x, dy = (torch.randn(R, C, device="cuda").to(type_) for _ in range(2))
        gamma, beta = (torch.randn(C, device="cuda") for _ in range(2))
        y, (dgamma, dbeta) = torch.empty_like(x), torch.empty(2, C,
                                                              device="cuda")
        some = slice(0, None, max(R // 16, 1))  # rows that are compared
        few = x[some].double().requires_grad_()
        want = torch.nn.functional.layer_norm(few, (C,), gamma.double(),
                                              beta.double(), EPS)
        want.backward(dy[some].double())
        measure.row(clock, f"{shape}/layer_norm{end}/triton",
                    lambda: lambda: run(x, gamma, beta, y),
                    lambda got: measure.largest_error(got[some],
                                                      want.detach()), limit)
        measure.row(clock, f"{shape}/layer_norm_backward{end}/triton",
                    lambda: lambda: run_backward(x, dy, gamma, y, dgamma,
                                                 dbeta),
                    lambda got: measure.largest_error(got[some], few.grad),
                    limit)


main(sys.argv[1:])
