// SPDX-License-Identifier: MIT
// since: 12
/* Another thread reads what a bulk copy writes, and the copy's thread has waited
 * for the end of its reading alone. */
__global__ void sends(int *y, int *z)
{
    __shared__ alignas(128) int tile[THREADS];
    int t = threadIdx.x;
    tile[t] = t;
    proxy_fence();
    __syncthreads();
    if (t == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(y), "r"(in_shared(tile)), "r"((int)sizeof tile) : "memory"); // against
        bulk_commit();
#ifdef MENDED
        bulk_wait();
#else
        bulk_read_wait();
#endif
    }
    __syncthreads();
    z[t] = ((volatile int *)y)[THREADS - 1 - t]; // finds: race
}

static void run(void)
{
    sends<<<1, THREADS>>>(cells(THREADS), cells(THREADS));
    launched();
}
