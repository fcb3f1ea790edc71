// SPDX-License-Identifier: MIT
/* heap_filled.cu: the host sets memory of malloc in a kernel to 0. The kernel
 * itself may (ok/heap_and_host.cu says what the host may not). */
// options: -lineinfo -g
// says: 1 finding
// says: memset, 2 times
// says: 16 bytes of memory of malloc in a kernel, which no call of the host may be given
// says: heap_filled.cu:29, in clear
#include "../check.h"

__global__ void make(int **piece)
{
    *piece = (int *)malloc(4 * sizeof **piece);
}

__global__ void take(int *to, int **piece)
{
    *to = (*piece)[3];
    free(*piece);
}

static int **piece, *x;

static void clear(void)
{
    int *in_heap;
    CUDA(cudaMemcpy(&in_heap, piece, sizeof in_heap, cudaMemcpyDeviceToHost));
    for (int n = 0; n < 2; n++)
        CUDA(cudaMemset(in_heap, 0, 4 * sizeof *in_heap));
}

int main(void)
{
    int got;
    CUDA(cudaMalloc(&piece, sizeof *piece));
    CUDA(cudaMalloc(&x, sizeof *x));
    make<<<1, 1>>>(piece);
    clear();
    take<<<1, 1>>>(x, piece);
    CUDA(cudaMemcpy(&got, x, sizeof got, cudaMemcpyDeviceToHost));
    CHECK_OF(got == 0, got, 0);
    return 0;
}
