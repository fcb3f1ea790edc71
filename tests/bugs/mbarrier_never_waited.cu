// SPDX-License-Identifier: MIT
/* Copies will arrive at an mbarrier, and nobody waits for its phase. */
__global__ void brought(const int *x, int *y)
{
    __shared__ int tile[THREADS];
    __shared__ object there;
    int t = threadIdx.x;
    if (t == 0)
        object_init(&there, THREADS);
    __syncthreads();
    copy_async(&tile[t], &x[t]); // against
    copies_arrive(&there);
    __syncthreads();
#ifdef MENDED
    object_wait(&there, 0);
#endif
    y[t] = tile[THREADS - 1 - t]; // finds: race
}

static void run(void)
{
    brought<<<1, THREADS>>>(cells(THREADS), cells(THREADS));
    launched();
}
