// SPDX-License-Identifier: MIT
/* host_reads_device.cu: the host reads what cudaMalloc gave. The program ends
 * there, as with a GPU. */
// options: -lineinfo -g
// alone: its end is a signal
// says: a read by the host of device memory
// says: cudaMemcpy it to the host, and read it there
// says: host_reads_device.cu:21, in main
#include "../check.h"

static __global__ void answer(int *x)
{
    *x = 42;
}

int main(void)
{
    int *x;
    CUDA(cudaMalloc(&x, sizeof *x));
    answer<<<1, 1>>>(x);
    printf("%d\n", x[0]);
    return 0;
}
