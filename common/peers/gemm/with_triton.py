# SPDX-License-Identifier: MIT
"""with_triton.py: the matrix product of chapters 10 to 17 in Triton.

    python3 with_triton.py NAME "M4096 N4096 K4096" [NAME SHAPE]...

Prints the lines that common/peers/results.c describes, for the peer `triton`
and the path `gemm`. $OPERATORS says which operator each NAME is, and so the
types: lines of OPERATOR, a tab, NAME; fp32 without one. Only gemm_tf32 may
round to tf32. The fastest of a type's tiles is reported.

A program owns a tile of C and says tl.dot: which threads hold which element,
shared memory, asynchronous copies and the tensor cores' instructions are the
compiler's.
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

# Of an operator: its type, how tl.dot may round, what the result may be off by,
# and tiles: rows, columns and k of a program, its warps, tiles loaded ahead.
KINDS = {
    "gemm_f32": (torch.float32, "ieee", 1e-5,
                 ((64, 64, 16, 4, 3), (128, 64, 16, 8, 3),
                  (128, 128, 16, 8, 3))),
    "gemm_tf32": (torch.float32, "tf32", 1e-2,
                  ((64, 128, 32, 4, 4), (128, 128, 32, 8, 3),
                   (128, 256, 32, 8, 3))),
    "gemm_bf16_bf16": (torch.bfloat16, "tf32", 2e-2,  # tl.dot rounds no bf16
                       ((128, 128, 64, 4, 3), (128, 128, 64, 8, 3),
                        (128, 256, 64, 8, 3))),
}
BAND = 8  # rows of tiles


# Programs go down a band of tiles before they go to the next column, so that
# those under way at a time share rows of A and columns of B in L2.
@triton.jit
def gemm(A, B, C, M, N, K, PRECISION: tl.constexpr, ROWS: tl.constexpr,
         COLUMNS: tl.constexpr, DEPTH: tl.constexpr, BAND: tl.constexpr):
    tiles_down, tiles_across = tl.cdiv(M, ROWS), tl.cdiv(N, COLUMNS)
    band = tl.program_id(0) // (BAND * tiles_across)
    within = tl.program_id(0) % (BAND * tiles_across)
    high = tl.minimum(tiles_down - band * BAND, BAND)
    row = (band * BAND + within % high) * ROWS + tl.arange(0, ROWS)
    col = within // high * COLUMNS + tl.arange(0, COLUMNS)
    total = tl.zeros((ROWS, COLUMNS), tl.float32)
    for first in range(0, K, DEPTH):
        k = first + tl.arange(0, DEPTH)
        a = tl.load(A + row[:, None] * K + k[None, :],
                    mask=(row[:, None] < M) & (k[None, :] < K), other=0)
        b = tl.load(B + k[:, None] * N + col[None, :],
                    mask=(k[:, None] < K) & (col[None, :] < N), other=0)
        total = tl.dot(a, b, total, input_precision=PRECISION)
    tl.store(C + row[:, None] * N + col[None, :],
             total.to(C.dtype.element_ty),
             mask=(row[:, None] < M) & (col[None, :] < N))


def run(a, b, c, precision, tile):
    rows, columns, depth, warps, stages = tile
    (M, K), N = a.shape, b.shape[1]
    gemm[(triton.cdiv(M, rows) * triton.cdiv(N, columns),)](
        a, b, c, M, N, K, PRECISION=precision, ROWS=rows, COLUMNS=columns,
        DEPTH=depth, BAND=BAND, num_warps=warps, num_stages=stages)
    return c


def operators():
    """NAME: OPERATOR."""
    lines = os.environ.get("OPERATORS", "").splitlines()
    return {name: op for op, name in (line.split() for line in lines)}


def main(arguments):
    measure.label({"triton": "Triton"})
    print("version triton", triton.__version__)
    clock, op = measure.Clock(), operators()
    for shape, extent in measure.shapes(arguments):
        type_, precision, limit, tiles = KINDS[op.get(shape, "gemm_f32")]
        M, N, K = extent["M"], extent["N"], extent["K"]
        a = (torch.rand(M, K, device="cuda") * 2 - 1).to(type_)
        b = (torch.rand(K, N, device="cuda") * 2 - 1).to(type_)
        c = torch.empty(M, N, device="cuda", dtype=type_)
        some = slice(0, None, max(M // 16, 1))  # rows that are compared
        want = a[some].double() @ b.double()
        ways = [lambda tile=tile: run(a, b, c, precision, tile)
                for tile in tiles]
        measure.row(clock, f"{shape}/gemm/triton",
                    lambda: measure.fastest(clock, ways),
                    lambda got: measure.largest_error(got[some], want), limit)


main(sys.argv[1:])
