// SPDX-License-Identifier: MIT
/* managed_unwritten.cu: the host fills the first page of managed memory only;
 * the kernel reads all of it. */
#include "../check.h"

enum { N = 4096 };

__global__ void twice(float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = 2 * x[i]; // finds: uninitialised
}

int main(void)
{
    float *x;
    CUDA(cudaMallocManaged(&x, N * sizeof *x));
    for (int i = 0; i < N / 4; i++)
        x[i] = 1;
    twice<<<N / 256, 256>>>(x);
    CUDA(cudaDeviceSynchronize());
    CHECK(x[10] == 2);
    CUDA(cudaFree(x));
    return 0;
}
