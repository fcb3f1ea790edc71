// SPDX-License-Identifier: MIT
/* heap_double_free.cu: a kernel frees one piece of its heap twice. */
#include "../check.h"

__global__ void twice(int *x)
{
    int *p = (int *)malloc(16);
    *p = 3;
    *x = *p;
    free(p);
    free(p); // finds: trap
}

int main(void)
{
    int *x;
    CUDA(cudaMalloc(&x, 4));
    twice<<<1, 1>>>(x);
    CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
    return 0;
}
