// SPDX-License-Identifier: MIT
// Stage 97, a thread for each row: row_sum_e4m3_t to row_sum_e5m2_t.
// New: the sum has a wider type than its terms.
// Since nothing: no ladder.
// Counter: global_atomics stays 0.

#include "op/row_sum.h"

enum { THREADS = 128 }; // per block, and rows

static __global__ void row_sum(const row_sum_e4m3_t *x, row_sum_e5m2_t *y,
                               struct row_sum_shape s, float alpha)
{
    //> todo kernel (about 8 lines)
    // Sum the row that is this thread's, and add alpha times it to y.
    //< todo
}

size_t row_sum_fp8_workspace(struct row_sum_shape shape)
{
    (void)shape;
    return 0;
}

cudaError_t row_sum_fp8(const row_sum_e4m3_t *x, row_sum_e5m2_t *y,
                         struct row_sum_shape shape, float alpha,
                         void *workspace, cudaStream_t stream)
{
    (void)workspace;
    row_sum<<<(shape.M + THREADS - 1) / THREADS, THREADS, 0, stream>>>(
        x, y, shape, alpha);
    return cudaGetLastError();
}
