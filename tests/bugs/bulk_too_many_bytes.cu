// SPDX-License-Identifier: MIT
// since: 12
/* A copy brings more bytes than were announced. */
__global__ void waits(const int *x, int *y)
{
    __shared__ alignas(128) int tile[2][THREADS];
    __shared__ object full;
    int t = threadIdx.x;
    if (t == 0) {
        object_init(&full, 1);
        object_fence();
    }
    __syncthreads();
    if (t == 0) {
        bulk_in(tile[0], x, sizeof tile[0], &full);
        bulk_in(tile[1], x + THREADS, sizeof tile[1], &full);
#ifdef MENDED
        object_expects(&full, sizeof tile);
#else
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(in_shared(&full)), "r"((int)sizeof tile[0]) : "memory"); // finds: barrier_misuse
#endif
    }
    object_wait(&full, 0);
    y[t] = tile[1][t];
}

static void run(void)
{
    waits<<<1, THREADS>>>(cells(2 * THREADS), cells(THREADS));
    launched();
}
