// SPDX-License-Identifier: MIT
// Stage 98, a thread for each row.
// New: an output that is read before it is written.
// Since nothing: the ladder begins here.
// Counter: global_load_sectors_per_request, up to 32: lanes are K elements apart.

#include "op/row_sum.h"

enum { THREADS = 128 }; // per block: 128 rows, or 4 with a warp for each

static __global__ void row_sum(const row_sum_bf16_t *x, float *y,
                               struct row_sum_shape s, float alpha)
{
    //> todo kernel (about 8 lines)
    // Sum the row that is this thread's, and add alpha times it to y.
    //< todo
}

size_t row_sum_bf16_workspace(struct row_sum_shape shape)
{
    (void)shape;
    return 0;
}

cudaError_t row_sum_bf16(const row_sum_bf16_t *x, float *y,
                         struct row_sum_shape shape, float alpha,
                         void *workspace, cudaStream_t stream)
{
    (void)workspace;
    //> todo launch (about 2 lines)
    // Launch as many blocks of THREADS as the rows need.
    //< todo
    return cudaGetLastError();
}
