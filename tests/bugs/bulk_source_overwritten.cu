// SPDX-License-Identifier: MIT
// since: 12
/* A buffer is written again while its bulk copy may still read it. */
__global__ void sends(int *y)
{
    __shared__ alignas(128) int tile[THREADS];
    int t = threadIdx.x;
    for (int n = 0; n < 3; n++) {
        tile[t] = t + n; // finds: race
        proxy_fence();
        __syncthreads();
        if (t == 0) {
            asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(y + n * THREADS), "r"(in_shared(tile)), "r"((int)sizeof tile) : "memory"); // against
            bulk_commit();
#ifdef MENDED
            bulk_read_wait();
#endif
        }
        __syncthreads();
    }
    if (t == 0)
        bulk_wait();
}

static void run(void)
{
    sends<<<1, THREADS>>>(cells(3 * THREADS));
    launched();
}
