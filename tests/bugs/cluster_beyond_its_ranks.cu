// SPDX-License-Identifier: MIT
/* The neighbour of the last block is not in the cluster. */
__global__ void __cluster_dims__(4, 1, 1) right(int *x)
{
    __shared__ int tile[THREADS];
    cooperative_groups::cluster_group all = cooperative_groups::this_cluster();
    int t = threadIdx.x;
    tile[t] = t;
    all.sync();
#ifdef MENDED
    unsigned next = (all.block_rank() + 1) % all.num_blocks();
#else
    unsigned next = all.block_rank() + 1;
#endif
    x[blockIdx.x * THREADS + t] = all.map_shared_rank(tile, next)[t]; // finds: out_of_bounds
    all.sync();
}

static void run(void)
{
    right<<<4, THREADS>>>(cells(4 * THREADS));
    launched();
}
