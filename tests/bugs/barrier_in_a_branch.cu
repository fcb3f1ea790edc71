// SPDX-License-Identifier: MIT
/* The barrier is in the branch of the threads that load the halo. */
__global__ void stencil(int *x)
{
    __shared__ int tile[THREADS + 2];
    int t = threadIdx.x;
    tile[t + 1] = t; // against
    if (t < LANES) {
        if (t < 2)
            tile[t * (THREADS + 1)] = -1; // against
#ifndef MENDED
        __syncthreads();
#endif
    }
#ifdef MENDED
    __syncthreads();
#endif
    x[t] = tile[t] + tile[t + 2]; // finds: race
#ifndef MENDED
    if (t >= LANES)
        __syncthreads(); // against
#endif
}

static void run(void)
{
    stencil<<<1, THREADS>>>(cells(THREADS));
    launched();
}
