// SPDX-License-Identifier: MIT
/* printf_not_waited.cu: a kernel prints, and the program ends without waiting
 * for it, so that nobody sees what it printed, as with a GPU. printf.cu waits.
 */
// remarks: kernels printed 12 bytes that nobody saw
// remarks: (cudaDeviceSynchronize)
// alone: what it prints is counted
#include "../check.h"

__global__ void greet(void)
{
    printf("%d\n", 100 + threadIdx.x);
}

int main(void)
{
    greet<<<1, 3>>>();
    CUDA(cudaGetLastError());
    return 0;
}
