// SPDX-License-Identifier: MIT
/* One warp of each block goes to the cluster's barrier, the others do not. */
__global__ void __cluster_dims__(2, 1, 1) first_warps(int *x)
{
    cooperative_groups::cluster_group both = cooperative_groups::this_cluster();
#ifndef MENDED
    if (threadIdx.x < LANES)
#endif
        asm volatile("barrier.cluster.arrive;\n barrier.cluster.wait;" ::: "memory"); // finds: deadlock
    asm volatile("bar.sync 0;" ::: "memory"); // finds: deadlock
    x[blockIdx.x * THREADS + threadIdx.x] = (int)both.block_rank();
}

static void run(void)
{
    first_warps<<<2, THREADS>>>(cells(2 * THREADS));
    launched();
}
