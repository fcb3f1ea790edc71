// SPDX-License-Identifier: MIT
// What columns.cu and columns_bf16.cu share: a product for C with very few
// rows. A file that includes this defines, before it:
//
//   ROWS, COLS, WARPS, THREADS, BLOCKS, LEAST, MOST_PARTS, TICKETS   the sizes
//   element            of A, B and C
//   widened, rounded   an element as fp32, and fp32 as an element
//   LAUNCHER, QUERY    the operator's symbols

#include "sweep/tickets.cuh"

// The sum of n values, `apart` from one to the next, in their order.
static __device__ float add(const float *from, int n, int apart)
{
    float sum = 0.0f;

#pragma unroll 8
    for (int i = 0; i < n; i++)
        sum += from[(size_t)i * apart];
    return sum;
}

// A lane per column of B; a block's warps take every WARPS-th k, and `parts`
// blocks share the k of the same ROWS x COLS cells of C.
static __global__ void __launch_bounds__(THREADS)
    columns(const element *__restrict__ A, const element *__restrict__ B,
            element *C, struct gemm_shape s, float alpha, float beta, int parts,
            float *partial)
{
    __shared__ float of_warp[WARPS][ROWS * COLS];
    int across = (s.N - 1) / COLS + 1, tile = blockIdx.x / parts;
    int part = blockIdx.x % parts;
    int row0 = tile / across * ROWS, col0 = tile % across * COLS;
    int warp = threadIdx.x / COLS, lane = threadIdx.x % COLS;
    int end = (int)((long long)s.K * (part + 1) / parts);
    bool inside = col0 + lane < s.N;
    const element *a = A + (size_t)row0 * s.lda, *b = B + col0 + lane;
    float sum[ROWS] = {0.0f};

#pragma unroll 8
    for (int k = (int)((long long)s.K * part / parts) + warp; k < end;
         k += WARPS) {
        float at_b = inside ? widened(b[(size_t)k * s.ldb]) : 0.0f;

#pragma unroll
        for (int i = 0; i < ROWS; i++)
            if (row0 + i < s.M)
                sum[i] += widened(a[(size_t)i * s.lda + k]) * at_b;
    }
#pragma unroll
    for (int i = 0; i < ROWS; i++)
        of_warp[warp][i * COLS + lane] = sum[i];
    __syncthreads(); // each warp has left its sums
    partial += (size_t)blockIdx.x * ROWS * COLS;
    if (parts > 1) {
        for (int at = threadIdx.x; at < ROWS * COLS; at += THREADS)
            partial[at] = add(of_warp[0] + at, WARPS, ROWS * COLS);
        if (!is_last(tile, parts))
            return;
        partial -= (size_t)part * ROWS * COLS;
    }
    for (int at = threadIdx.x; at < ROWS * COLS; at += THREADS) {
        int m = row0 + at / COLS, n = col0 + at % COLS;
        element *c = C + (size_t)m * s.ldc + n;
        float all;

        if (m >= s.M || n >= s.N)
            continue;
        all = parts > 1 ? add(partial + at, parts, ROWS * COLS)
                        : add(of_warp[0] + at, WARPS, ROWS * COLS);
        *c = rounded(beta == 0.0f ? alpha * all
                                  : alpha * all + beta * widened(*c));
    }
}

static long long tiles_of(struct gemm_shape s)
{
    return ((s.M - 1) / ROWS + 1) * (long long)((s.N - 1) / COLS + 1);
}

// Each part has LEAST values of k per warp at least.
static int parts_of(struct gemm_shape s)
{
    int most = min(MOST_PARTS, s.K / (LEAST * WARPS));

    return parts_for(tiles_of(s), BLOCKS, most);
}

size_t QUERY(struct gemm_shape shape)
{
    int parts = parts_of(shape);
    size_t cells = (size_t)tiles_of(shape) * ROWS * COLS;

    return parts > 1 ? sizeof(float) * parts * cells : 0;
}

cudaError_t LAUNCHER(const element *A, const element *B, element *C,
                     struct gemm_shape shape, float alpha, float beta,
                     void *workspace, cudaStream_t stream)
{
    int parts = parts_of(shape);

    columns<<<(unsigned)(tiles_of(shape) * parts), THREADS, 0, stream>>>(
        A, B, C, shape, alpha, beta, parts, (float *)workspace);
    return cudaGetLastError();
}
