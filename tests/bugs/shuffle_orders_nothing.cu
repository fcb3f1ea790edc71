// SPDX-License-Identifier: MIT
/* A shuffle makes the lanes meet, but says nothing about memory. */
__global__ void swap(int *x)
{
    __shared__ int s[LANES];
    int lane = threadIdx.x;
    s[lane] = lane; // against
    int sum = __shfl_xor_sync(~0u, lane, 1);
#ifdef MENDED
    __syncwarp();
#endif
    x[lane] = s[lane ^ 1] + sum; // finds: race
}

static void run(void)
{
    swap<<<1, LANES>>>(cells(LANES));
    launched();
}
