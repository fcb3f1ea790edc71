// SPDX-License-Identifier: MIT
/* Bytes of one word belong to four threads; each reads its neighbour's. */
__global__ void turn(unsigned char *x)
{
    __shared__ unsigned char tile[THREADS];
    int t = threadIdx.x;
    tile[t] = (unsigned char)t; // against
#ifdef MENDED
    __syncthreads();
#endif
    x[t] = tile[t ^ 1]; // finds: race
}

static void run(void)
{
    turn<<<1, THREADS>>>((unsigned char *)cells(THREADS));
    launched();
}
