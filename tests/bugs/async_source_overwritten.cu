// SPDX-License-Identifier: MIT
/* A stencil in place: the copy of the next tile, with a cell of this one at its
 * left, is under way while this one is written back. */
enum { TILES = 4 };

__global__ void smooth(int *x)
{
    __shared__ int tile[2][THREADS + 1];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&tile[0][t + 1], &x[t + 1], sizeof *x);
    if (t == 0)
        __pipeline_memcpy_async(&tile[0][0], &x[0], sizeof *x);
    __pipeline_commit();
    for (int n = 0; n < TILES; n++) {
        int *now = tile[n % 2], *next = tile[(n + 1) % 2];
        int *from = x + (n + 1) * THREADS;
        __pipeline_wait_prior(0);
        __syncthreads();
        if (n + 1 < TILES) {
            __pipeline_memcpy_async(&next[t + 1], &from[t + 1], sizeof *x);
#ifdef MENDED
            int left = now[THREADS];
            __syncthreads();
            if (t == 0)
                next[0] = left;
#else
            if (t == 0)
                __pipeline_memcpy_async(&next[0], &from[0], sizeof *x); // against
#endif
            __pipeline_commit();
        }
        __syncthreads();
        x[n * THREADS + t + 1] = now[t] + now[t + 1]; // finds: race
    }
}

static void run(void)
{
    smooth<<<1, THREADS>>>(cells(TILES * THREADS + 1));
    launched();
}
