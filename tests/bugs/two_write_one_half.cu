// SPDX-License-Identifier: MIT
/* 16-bit cells, and an index that two threads share. */
__global__ void halves(short *x)
{
    __shared__ short tile[THREADS];
    int t = threadIdx.x;
    tile[t] = 0;
    __syncthreads();
#ifdef MENDED
    tile[t] = (short)t;
#else
    tile[t / 2] = (short)t; // finds: race
#endif
    __syncthreads();
    x[t] = tile[t];
}

static void run(void)
{
    halves<<<1, THREADS>>>((short *)cells(THREADS));
    launched();
}
