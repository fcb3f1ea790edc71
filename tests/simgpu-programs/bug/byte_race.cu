// SPDX-License-Identifier: MIT
/* byte_race.cu: one byte of a word has two writers; its neighbours have one
 * each, and are no race. */
#include "../check.h"

enum { N = 64 };

__global__ void in_a_block(char *out)
{
    __shared__ __align__(8) char x[N];
    x[threadIdx.x] = (char)threadIdx.x; // finds: race
    if (threadIdx.x == 40)
        *(short *)&x[6] = 0x101;
    __syncthreads();
    out[threadIdx.x] = x[threadIdx.x];
}

/* Block b has bytes b, b + 2, b + 4, ...; and block 1 has byte 8,
 * too, with its own byte 9. */
__global__ void of_two_blocks(char *x)
{
    x[2 * threadIdx.x + blockIdx.x] = (char)(1 + blockIdx.x);
    if (blockIdx.x == 1 && threadIdx.x == 0)
        *(short *)&x[8] = 0x505; // finds: race
}

int main(void)
{
    char *x;
    CUDA(cudaMalloc(&x, 4 * N));
    in_a_block<<<1, N>>>(x);
    of_two_blocks<<<2, N>>>(x);
    CUDA(cudaDeviceSynchronize());
    return 0;
}
// says: write of 2 bytes in shared memory, overlapping at byte 6 of x (64 bytes)
// says: write of 2 bytes in global memory, overlapping at byte 8 of allocation 1 (256 bytes)
// says: against a write of 1 byte at
