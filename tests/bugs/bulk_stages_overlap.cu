// SPDX-License-Identifier: MIT
// since: 12
/* One thread copies two rows into a buffer, and the second one begins before the
 * first one ends: nothing orders the two copies. */
enum { ROW = THREADS + 4 };

__global__ void two_rows(const int *x, int *y)
{
    __shared__ alignas(128) int tile[2 * ROW];
    __shared__ object full;
    int t = threadIdx.x;
#ifdef MENDED
    int second = ROW;
#else
    int second = THREADS;
#endif
    if (t == 0) {
        object_init(&full, 1);
        object_fence();
        object_expects(&full, 2 * ROW * sizeof(int));
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(in_shared(tile)), "l"(x), "r"((int)(ROW * sizeof(int))), "r"(in_shared(&full)) : "memory"); // against
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(in_shared(tile + second)), "l"(x + ROW), "r"((int)(ROW * sizeof(int))), "r"(in_shared(&full)) : "memory"); // finds: race
    }
    __syncthreads();
    object_wait(&full, 0);
    y[t] = tile[t];
}

static void run(void)
{
    int *x = pinned(2 * ROW);
    two_rows<<<1, THREADS>>>(x, cells(THREADS));
    launched();
}
