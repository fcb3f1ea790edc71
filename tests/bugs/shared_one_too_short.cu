// SPDX-License-Identifier: MIT
/* The tile has no room for the halo. */
#ifdef MENDED
enum { ROOM = THREADS + 1 };
#else
enum { ROOM = THREADS };
#endif
__global__ void pairs(int *x)
{
    __shared__ int tile[ROOM];
    int t = threadIdx.x;
    tile[t] = t;
    if (t == THREADS - 1)
        tile[t + 1] = 0; // finds: out_of_bounds
    __syncthreads();
    x[t] = tile[(t + 1) % ROOM];
}

static void run(void)
{
    pairs<<<1, THREADS>>>(cells(THREADS));
    launched();
}
