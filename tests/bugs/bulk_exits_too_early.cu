// SPDX-License-Identifier: MIT
// since: 12
/* A block ends while its bulk copy may still read its shared memory. */
__global__ void sends(int *y)
{
    __shared__ alignas(128) int tile[THREADS];
    int t = threadIdx.x;
    tile[t] = t;
    proxy_fence();
    __syncthreads();
    if (t == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(y), "r"(in_shared(tile)), "r"((int)sizeof tile) : "memory"); // finds: exited
        bulk_commit();
#ifdef MENDED
        bulk_read_wait();
#endif
    }
}

static void run(void)
{
    sends<<<1, THREADS>>>(cells(THREADS));
    launched();
}
