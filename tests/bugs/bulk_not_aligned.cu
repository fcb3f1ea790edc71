// SPDX-License-Identifier: MIT
// since: 12
/* Rows of a bulk copy begin at multiples of 16 bytes; these do not. */
__global__ void rows(const int *x, int *y)
{
    __shared__ alignas(128) int tile[THREADS];
    __shared__ object full;
    int t = threadIdx.x;
    if (t == 0) {
        object_init(&full, 1);
        object_fence();
        object_expects(&full, sizeof tile);
#ifdef MENDED
        bulk_in(tile, x + 4, sizeof tile, &full);
#else
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(in_shared(tile)), "l"(x + 1), "r"((int)sizeof tile), "r"(in_shared(&full)) : "memory"); // finds: misaligned
#endif
    }
    __syncthreads();
    object_wait(&full, 0);
    y[t] = tile[t];
}

static void run(void)
{
    rows<<<1, THREADS>>>(cells(2 * THREADS), cells(THREADS));
    launched();
}
