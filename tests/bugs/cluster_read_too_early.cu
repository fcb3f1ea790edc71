// SPDX-License-Identifier: MIT
/* A block reads its neighbour's tile before that block has written it. */
__global__ void __cluster_dims__(2, 1, 1) neighbours(int *x)
{
    __shared__ int tile[THREADS];
    cooperative_groups::cluster_group both = cooperative_groups::this_cluster();
    int t = threadIdx.x;
    both.sync(); // both are there
    tile[t] = t; // against
#ifdef MENDED
    both.sync();
#else
    __syncthreads();
#endif
    int *other = both.map_shared_rank(tile, both.block_rank() ^ 1);
    x[blockIdx.x * THREADS + t] = other[t]; // finds: race
    both.sync();
}

static void run(void)
{
    neighbours<<<4, THREADS>>>(cells(4 * THREADS));
    launched();
}
