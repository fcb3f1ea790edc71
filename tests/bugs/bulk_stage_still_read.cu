// SPDX-License-Identifier: MIT
// since: 12
/* One thread fills a stage by a bulk copy while another of its bulk copies may
 * still read it. */
__global__ void forwards(const int *x, int *y)
{
    __shared__ alignas(128) int tile[THREADS];
    __shared__ object full;
    if (threadIdx.x > 0)
        return;
    object_init(&full, 1);
    object_fence();
    for (int n = 0; n < 2; n++) {
        object_expects(&full, sizeof tile);
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(in_shared(tile)), "l"(x + n * THREADS), "r"((int)sizeof tile), "r"(in_shared(&full)) : "memory"); // finds: race
        object_wait(&full, n);
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(y + n * THREADS), "r"(in_shared(tile)), "r"((int)sizeof tile) : "memory"); // against
        bulk_commit();
#ifdef MENDED
        bulk_read_wait();
#endif
    }
    bulk_wait();
}

static void run(void)
{
    forwards<<<1, LANES>>>(cells(2 * THREADS), cells(2 * THREADS));
    launched();
}
