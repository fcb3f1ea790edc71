// SPDX-License-Identifier: MIT
/* header_waits.cu: the toolkit's headers have functions that are not inlined,
 * in debug builds above all. Of what goes wrong there, the finding names the
 * line that called them. */
// says: read of 4 bytes in global memory at byte 0 of flag (4 bytes)
#include "../check.h"
#include "../units/include/waits.h"

__device__ int flag;

__global__ void meet(int *x)
{
    wait_for(&flag); // finds: deadlock
    x[threadIdx.x] = 1;
}

int main(void)
{
    int *x;
    CUDA(cudaMalloc(&x, 32 * sizeof *x));
    meet<<<1, 32>>>(x);
    CHECK(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
    return 0;
}
