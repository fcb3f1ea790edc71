// SPDX-License-Identifier: MIT
// since: 12
/* A stage is filled again while other warps may still read it. */
__global__ void refill(const int *x, int *y)
{
    __shared__ alignas(128) int tile[THREADS];
    __shared__ object full;
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        object_init(&full, 1);
        object_fence();
        object_expects(&full, sizeof tile);
        bulk_in(tile, x, sizeof tile, &full);
    }
    __syncthreads();
    object_wait(&full, 0);
    sum = tile[THREADS - 1 - t]; // against
#ifdef MENDED
    __syncthreads();
#endif
    if (t == 0) {
        object_expects(&full, sizeof tile);
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(in_shared(tile)), "l"(x + THREADS), "r"((int)sizeof tile), "r"(in_shared(&full)) : "memory"); // finds: race
    }
    __syncthreads();
    object_wait(&full, 1);
    y[t] = sum + tile[t];
}

static void run(void)
{
    refill<<<1, THREADS>>>(cells(2 * THREADS), cells(THREADS));
    launched();
}
