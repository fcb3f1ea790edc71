// SPDX-License-Identifier: MIT
// since: 12
/* No bug: each block of a pair brings half of a tile for both of them, and each
 * waits for all of its own tile. */
__global__ void __cluster_dims__(2, 1, 1) halves(const int *x, int *y)
{
    __shared__ alignas(128) int tile[2][THREADS];
    __shared__ object full;
    cooperative_groups::cluster_group both = cooperative_groups::this_cluster();
    unsigned rank = both.block_rank();
    int t = threadIdx.x;
    if (t == 0) {
        object_init(&full, 1);
        object_fence();
    }
    both.sync();
    if (t == 0) {
        object_expects(&full, sizeof tile);
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(in_shared(tile[rank])), "l"(x + rank * THREADS), "r"((int)sizeof tile[0]), "r"(in_shared(&full)), "h"((short)3) : "memory");
    }
    object_wait(&full, 0);
    y[blockIdx.x * THREADS + t] = tile[0][t] + tile[1][THREADS - 1 - t];
    both.sync();
}

static void run(void)
{
    int h[2 * THREADS], *x = cells(2 * THREADS), *y = cells(2 * THREADS);
    for (int i = 0; i < 2 * THREADS; i++)
        h[i] = i;
    CUDA(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
    halves<<<2, THREADS>>>(x, y);
    CUDA(cudaMemcpy(h, y, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 2 * THREADS; i++)
        CHECK(h[i] == i % THREADS + 2 * THREADS - 1 - i % THREADS);
    launched();
}
