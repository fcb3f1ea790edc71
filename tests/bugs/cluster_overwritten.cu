// SPDX-License-Identifier: MIT
/* A block writes the next tile while its neighbour may still read this one. */
__global__ void __cluster_dims__(2, 1, 1) rounds(int *x)
{
    __shared__ int tile[THREADS];
    cooperative_groups::cluster_group both = cooperative_groups::this_cluster();
    int t = threadIdx.x, sum = 0;
    int *other = both.map_shared_rank(tile, both.block_rank() ^ 1);
    for (int n = 0; n < 3; n++) {
        tile[t] = t + n; // against
        both.sync();
        sum += other[t]; // finds: race
#ifdef MENDED
        both.sync();
#endif
    }
    both.sync();
    x[blockIdx.x * THREADS + t] = sum;
}

static void run(void)
{
    rounds<<<2, THREADS>>>(cells(2 * THREADS));
    launched();
}
