// SPDX-License-Identifier: MIT
// honest: a thread adds at the same place of each quarter of the arrays
// chapter: 01 add
// expect: PASS
#include "op/vector_add.h"

enum { THREADS = 256, QUARTERS = 4 };

static __global__ void add(const float *a, const float *b, float *c, unsigned n)
{
    unsigned quarter = (n + QUARTERS - 1) / QUARTERS;
    unsigned i = blockIdx.x * THREADS + threadIdx.x;

    if (i < quarter)
        for (unsigned k = 0, at = i; k < QUARTERS && at < n; k++, at += quarter)
            c[at] = a[at] + b[at];
}

size_t vector_add_workspace(struct vector_add_shape shape)
{
    (void)shape;
    return 0;
}

cudaError_t vector_add(const float *a, const float *b, float *c,
                       struct vector_add_shape shape, void *workspace,
                       cudaStream_t stream)
{
    unsigned quarter = (shape.N + QUARTERS - 1) / QUARTERS;

    (void)workspace;
    add<<<(quarter + THREADS - 1) / THREADS, THREADS, 0, stream>>>(a, b, c,
                                                                   shape.N);
    return cudaGetLastError();
}
