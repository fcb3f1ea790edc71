// SPDX-License-Identifier: MIT
// since: 12
/* A block arrives at its neighbour's mbarrier, which may not be initialised. */
__global__ void __cluster_dims__(2, 1, 1) signals(int *x)
{
    __shared__ object full;
    __shared__ int value;
    cooperative_groups::cluster_group both = cooperative_groups::this_cluster();
    both.sync(); // both are there
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(in_shared(&full)) : "memory"); // against
#ifdef MENDED
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory");
    asm volatile("barrier.cluster.wait;" ::: "memory");
#endif
    if (threadIdx.x == 0) {
        unsigned rank = both.block_rank() ^ 1;
        *both.map_shared_rank(&value, rank) = (int)rank;
        asm volatile("{ .reg .b32 a; mapa.shared::cluster.u32 a, %0, %1; mbarrier.arrive.release.cluster.shared::cluster.b64 _, [a]; }" ::"r"(in_shared(&full)), "r"(rank) : "memory"); // finds: race
#ifdef MENDED
        object_wait(&full, 0);
        x[blockIdx.x] = value;
#endif
    }
    both.sync();
}

static void run(void)
{
    signals<<<2, LANES>>>(cells(2));
    launched();
}
