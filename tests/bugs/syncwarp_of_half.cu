// SPDX-License-Identifier: MIT
/* The lower lanes synchronise alone, and read the upper lanes' cells. */
__global__ void fold(int *x)
{
    __shared__ int s[LANES];
    int lane = threadIdx.x;
    s[lane] = lane; // against
#ifdef MENDED
    __syncwarp();
#endif
    if (lane < 16) {
        __syncwarp(0xffff);
        x[lane] = s[lane] + s[lane + 16]; // finds: race
    }
}

static void run(void)
{
    fold<<<1, LANES>>>(cells(LANES));
    launched();
}
