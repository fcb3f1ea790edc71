// SPDX-License-Identifier: MIT
/* The last access to another block's memory has no barrier behind it: that
 * block may be gone. */
__global__ void __cluster_dims__(2, 1, 1) last(int *x)
{
    __shared__ int tile[THREADS];
    cooperative_groups::cluster_group both = cooperative_groups::this_cluster();
    int t = threadIdx.x;
    tile[t] = t;
    both.sync();
    int *other = both.map_shared_rank(tile, both.block_rank() ^ 1);
    x[blockIdx.x * THREADS + t] = other[t]; // finds: exited
#ifdef MENDED
    both.sync();
#endif
}

static void run(void)
{
    last<<<4, THREADS>>>(cells(4 * THREADS));
    launched();
}
