// SPDX-License-Identifier: MIT
// since: 12
/* A store into the neighbour's shared memory, which may not have started. */
__global__ void __cluster_dims__(2, 1, 1) send(int *x)
{
    __shared__ int s;
    cooperative_groups::cluster_group both = cooperative_groups::this_cluster();
#ifdef MENDED
    both.sync();
#endif
    if (threadIdx.x == 0)
        *both.map_shared_rank(&s, both.block_rank() ^ 1) = 5; // finds: exited
    both.sync();
    x[blockIdx.x] = s; // notes: equal_writes
}

static void run(void)
{
    send<<<2, LANES>>>(cells(2));
    launched();
}
