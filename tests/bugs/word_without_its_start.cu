// SPDX-License-Identifier: MIT
/* A word of 8 bytes: nobody wrote the first byte of either half. Padding is
 * behind what was written, never in front of it. */
__global__ void fill(char *x)
{
    for (int k = 0; k < 8; k++)
#ifndef MENDED
        if (k % 4 != 0)
#endif
            x[8 * threadIdx.x + k] = k;
}

__global__ void take(const long long *x, int *y)
{
    long long word;
    asm("ld.global.nc.u64 %0, [%1];" : "=l"(word) : "l"(&x[threadIdx.x])); // finds: uninitialised
    y[threadIdx.x] = (int)(word >> 32);
}

static void run(void)
{
    int *x = unset(2 * LANES);
    fill<<<1, LANES>>>((char *)x);
    take<<<1, LANES>>>((long long *)x, cells(LANES));
    launched();
}
