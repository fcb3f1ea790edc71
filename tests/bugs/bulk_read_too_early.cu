// SPDX-License-Identifier: MIT
// since: 12
/* A tile is read before its bulk copy was waited for. */
__global__ void reads(const int *x, int *y)
{
    __shared__ alignas(128) int tile[THREADS];
    __shared__ object full;
    int t = threadIdx.x;
    if (t == 0) {
        object_init(&full, 1);
        object_fence();
    }
    __syncthreads();
    if (t == 0) {
        object_expects(&full, sizeof tile);
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(in_shared(tile)), "l"(x), "r"((int)sizeof tile), "r"(in_shared(&full)) : "memory"); // against
    }
#ifdef MENDED
    object_wait(&full, 0);
#else
    __syncthreads();
#endif
    y[t] = tile[THREADS - 1 - t]; // finds: race
}

static void run(void)
{
    reads<<<1, THREADS>>>(cells(THREADS), cells(THREADS));
    launched();
}
