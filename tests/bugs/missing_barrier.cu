// SPDX-License-Identifier: MIT
/* A tile is read before all of it is written. */
__global__ void turn(int *x)
{
    __shared__ int tile[THREADS];
    int t = threadIdx.x;
    tile[t] = t; // against
#ifdef MENDED
    __syncthreads();
#endif
    x[t] = tile[THREADS - 1 - t]; // finds: race
}

static void run(void)
{
    turn<<<1, THREADS>>>(cells(THREADS));
    launched();
}
