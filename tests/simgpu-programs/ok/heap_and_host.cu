// SPDX-License-Identifier: MIT
// finds: 1
/* heap_and_host.cu: the host cannot copy memory of malloc in a kernel; another
 * kernel copies it for it. An H200 lets the host set it, which CUDA does not
 * promise: bug/heap_filled.cu has the words. */
#include "../check.h"

__global__ void make(int **piece)
{
    *piece = (int *)malloc(4 * sizeof **piece);
    for (int k = 0; k < 4; k++)
        (*piece)[k] = 10 + k;
}

__global__ void take(int *to, int **piece)
{
    for (int k = 0; k < 4; k++)
        to[k] = (*piece)[k];
    free(*piece);
}

int main(void)
{
    int **piece, *in_heap, *x, host[4];
    CUDA(cudaMalloc(&piece, sizeof *piece));
    CUDA(cudaMalloc(&x, sizeof host));
    make<<<1, 1>>>(piece);
    CUDA(cudaMemcpy(&in_heap, piece, sizeof in_heap, cudaMemcpyDeviceToHost));
    FAILS(cudaErrorInvalidValue,
          cudaMemcpy(host, in_heap, sizeof host, cudaMemcpyDeviceToHost));
    FAILS(cudaErrorInvalidValue,
          cudaMemcpy(in_heap, host, sizeof host, cudaMemcpyHostToDevice));
    FAILS(cudaErrorInvalidValue,
          cudaMemcpy(x, in_heap, sizeof host, cudaMemcpyDeviceToDevice));
    CUDA(cudaMemset(in_heap, 1, 2 * sizeof *in_heap));
    take<<<1, 1>>>(x, piece);
    CUDA(cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost));
    CHECK_OF(host[1] == 0x01010101, host[1], 0x01010101);
    CHECK_OF(host[2] == 12 && host[3] == 13, host[2], host[3]);
    return 0;
}
