// SPDX-License-Identifier: MIT
// since: 12
/* A bulk copy reads what atomics have added up, and no proxy fence stands
 * between. */
__global__ void sends(int *y)
{
    __shared__ alignas(128) int tile[THREADS];
    int t = threadIdx.x;
    tile[t] = 2 * t;
    proxy_fence();
    __syncthreads();
    atomicAdd(&tile[THREADS - 1 - t], 1); // against
#ifdef MENDED
    proxy_fence();
#endif
    __syncthreads();
    if (t == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(y), "r"(in_shared(tile)), "r"((int)sizeof tile) : "memory"); // finds: proxy
        bulk_commit();
        bulk_read_wait();
    }
}

static void run(void)
{
    sends<<<1, THREADS>>>(cells(THREADS));
    launched();
}
