// SPDX-License-Identifier: MIT
// options: -G
// arch: 80
/* debug_unset.cu: local variables that nobody set, without optimisation: one is
 * added to, one decides, one is copied and stored. In ok/debug_groups.cu all of
 * them are set. */
#include "../check.h"

// Who has an address lies in local memory.
static __device__ void add(int &to, int x)
{
    to += x; // finds: uninitialised
}

static __device__ void decide(const int &large, int *y)
{
    if (large) // finds: uninitialised
        y[threadIdx.x] = 1;
}

__global__ void sums(const int *x, int *y)
{
    int sum;

    add(sum, x[threadIdx.x]);
    y[threadIdx.x] = sum;
}

__global__ void decides(int *y)
{
    int large;

    decide(large, y);
}

__global__ void copies(int *y)
{
    struct { int a, b, c; } one, other;

    one.a = threadIdx.x;
    other = one;
    y[threadIdx.x] = other.c; // finds: uninitialised
}

int main(void)
{
    int *x, *y;

    CUDA(cudaMalloc(&x, 32 * sizeof *x));
    CUDA(cudaMalloc(&y, 32 * sizeof *y));
    CUDA(cudaMemset(x, 0, 32 * sizeof *x));
    sums<<<1, 32>>>(x, y);
    decides<<<1, 32>>>(y);
    copies<<<1, 32>>>(y);
    CUDA(cudaDeviceSynchronize());
    return 0;
}
