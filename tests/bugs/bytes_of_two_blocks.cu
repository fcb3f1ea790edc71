// SPDX-License-Identifier: MIT
/* Neighbouring blocks write one byte; writing one word's bytes is fine. */
__global__ void fill(unsigned char *x)
{
#ifdef MENDED
    int at = blockIdx.x * 33 + threadIdx.x;
#else
    int at = blockIdx.x * 31 + threadIdx.x;
#endif
    x[at] = (unsigned char)(blockIdx.x + 1); // finds: race
}

static void run(void)
{
    fill<<<BLOCKS, LANES>>>((unsigned char *)cells(N));
    launched();
}
