// SPDX-License-Identifier: MIT
/* launch_refused.cu: launches beyond each limit; the report names it. */
#include "../check.h"

// options: -g -lineinfo

// says: block x is 1025; at most 1024
// says: 1056 threads per block; at most 1024
// says: grid y is 65536; at most 65535
// says: grid x is 0; at least 1
// says: block z is 65; at most 64
// says: 512 threads per block; the kernel's __launch_bounds__ say at most 256
// says: 102400 bytes of shared memory per block; at most 49152
// says: cudaFuncAttributeMaxDynamicSharedMemorySize, 102400
// says: this GPU has at most
// says: launch_refused.cu:28, in main
// says: launch_refused.cu:33, in main
__global__ void plain(int *x)
{
    extern __shared__ int shared[];
    x[0] = shared[0];
}

__global__ void __launch_bounds__(256) bounded(int *x) { x[0] = 1; }

int main(void)
{
    plain<<<1, 1025>>>(NULL);
    plain<<<1, dim3(32, 33)>>>(NULL);
    plain<<<dim3(1, 65536), 32>>>(NULL);
    plain<<<0, 32>>>(NULL);
    plain<<<1, dim3(1, 1, 65)>>>(NULL);
    bounded<<<1, 512>>>(NULL);
    plain<<<1, 32, 100 << 10>>>(NULL);
    plain<<<1, 32, 300 << 10>>>(NULL);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    return 0;
}
