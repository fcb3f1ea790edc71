// SPDX-License-Identifier: MIT
// since: 12
/* A bulk copy reads from global memory what the block has just written there by
 * volatile stores: no proxy fence stands between. */
__global__ void fetches(int *x, int *y)
{
    __shared__ alignas(128) int tile[THREADS];
    __shared__ object full;
    int t = threadIdx.x;
    if (t == 0) {
        object_init(&full, 1);
        object_fence();
    }
    ((volatile int *)x)[t] = t; // against
#ifdef MENDED
    asm volatile("fence.proxy.async.global;" ::: "memory");
#endif
    __syncthreads();
    if (t == 0) {
        object_expects(&full, sizeof tile);
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(in_shared(tile)), "l"(x), "r"((int)sizeof tile), "r"(in_shared(&full)) : "memory"); // finds: proxy
    }
    object_wait(&full, 0);
    y[t] = tile[THREADS - 1 - t];
}

static void run(void)
{
    fetches<<<1, THREADS>>>(cells(THREADS), cells(THREADS));
    launched();
}
