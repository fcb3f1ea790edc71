// SPDX-License-Identifier: MIT
/* Two threads of a block write one byte of global memory. */
__global__ void flags(unsigned char *x)
{
    int t = threadIdx.x;
#ifdef MENDED
    x[t] = (unsigned char)t;
#else
    x[t / 2] = (unsigned char)t; // finds: race
#endif
}

static void run(void)
{
    flags<<<1, THREADS>>>((unsigned char *)cells(THREADS));
    launched();
}
