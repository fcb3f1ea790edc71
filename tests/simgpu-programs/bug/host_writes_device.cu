// SPDX-License-Identifier: MIT
/* host_writes_device.cu: the host fills what cudaMalloc gave, by memset. */
// options: -lineinfo -g
// alone: its end is a signal
// says: a write by the host to device memory
// says: write to memory of the host, and cudaMemcpy it to the device
// says: host_writes_device.cu:18, in fill
#include <string.h>

#include "../check.h"

enum { N = 1000 };

/* volatile: or the compiler would leave out what nobody reads. */
static void fill(char *volatile x)
{
    char *to = x;
    memset(to, 0, N);
}

int main(void)
{
    char *x;
    CUDA(cudaMalloc(&x, N));
    fill(x);
    CUDA(cudaFree(x));
    return 0;
}
