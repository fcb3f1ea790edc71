// SPDX-License-Identifier: MIT
/* A thread per block raises one flag in global memory. */
__global__ void raise(const int *x, int *flag)
{
    if (x[blockIdx.x] == 0 && threadIdx.x == 0)
#ifdef MENDED
        *flag = 1; // notes: equal_writes
#else
        *flag = blockIdx.x + 1; // finds: race
#endif
}

static void run(void)
{
    raise<<<BLOCKS, LANES>>>(cells(BLOCKS), cells(1));
    launched();
}
