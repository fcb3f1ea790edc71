// SPDX-License-Identifier: MIT
// since: 12
/* The thread that sent a tile reads it back, and has waited for the end of the
 * copy's reading alone. */
__global__ void reads_back(int *y, int *z)
{
    __shared__ alignas(128) int tile[THREADS];
    int t = threadIdx.x;
    tile[t] = t;
    proxy_fence();
    __syncthreads();
    if (t > 0)
        return;
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(y), "r"(in_shared(tile)), "r"((int)sizeof tile) : "memory"); // against
    bulk_commit();
    bulk_read_wait();
#ifdef MENDED
    bulk_wait();
#endif
    z[0] = ((volatile int *)y)[5]; // finds: race
    bulk_wait();
}

static void run(void)
{
    reads_back<<<1, THREADS>>>(cells(THREADS), cells(1));
    launched();
}
