// SPDX-License-Identifier: MIT
// cheat: ends by a signal that it sends itself later
// chapter: 01 add
// expect: CRASH|REFUSED|WRONG
// say: Alarm clock
// shape: N1000
#include <signal.h>
#include <unistd.h>

#include "op/vector_add.h"

static __global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = a[i] + b[i];
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
    int n = shape.N, blocks = (n + 255) / 256;

    (void)workspace;
    signal(SIGALRM, SIG_DFL);
    ualarm(1, 1);
    usleep(100000);
    add<<<blocks, 256, 0, stream>>>(a, b, c, n);
    return cudaGetLastError();
}
