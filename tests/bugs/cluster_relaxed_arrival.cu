// SPDX-License-Identifier: MIT
/* A relaxed arrival shows nobody what was written before. */
__global__ void __cluster_dims__(2, 1, 1) relaxed(int *x)
{
    __shared__ int tile[THREADS];
    cooperative_groups::cluster_group both = cooperative_groups::this_cluster();
    int t = threadIdx.x;
    tile[t] = t; // against
#ifdef MENDED
    __threadfence();
#endif
    asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory");
    asm volatile("barrier.cluster.wait;" ::: "memory");
    int *other = both.map_shared_rank(tile, both.block_rank() ^ 1);
    x[blockIdx.x * THREADS + t] = other[t]; // finds: race
    both.sync();
}

static void run(void)
{
    relaxed<<<2, THREADS>>>(cells(2 * THREADS));
    launched();
}
