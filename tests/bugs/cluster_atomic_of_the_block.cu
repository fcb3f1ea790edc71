// SPDX-License-Identifier: MIT
/* Two blocks count in one's memory by atomics of the block alone. */
__global__ void __cluster_dims__(2, 1, 1) counts(int *x)
{
    __shared__ int count;
    cooperative_groups::cluster_group both = cooperative_groups::this_cluster();
    if (threadIdx.x == 0)
        count = 0;
    both.sync();
    int *first = both.map_shared_rank(&count, 0);
#ifdef MENDED
    atomicAdd(first, 1);
#else
    atomicAdd_block(first, 1); // finds: race
#endif
    both.sync();
    if (threadIdx.x == 0)
        x[blockIdx.x] = count;
}

static void run(void)
{
    counts<<<2, THREADS>>>(cells(2));
    launched();
}
