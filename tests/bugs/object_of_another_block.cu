// SPDX-License-Identifier: MIT
// since: 12
/* An mbarrier is initialised by its own block; others only arrive. */
__global__ void __cluster_dims__(2, 1, 1) begin(int *y)
{
    __shared__ object full;
    cooperative_groups::cluster_group both = cooperative_groups::this_cluster();
    both.sync();
    if (threadIdx.x == 0) {
#ifdef MENDED
        object *mine = &full;
#else
        object *mine = both.map_shared_rank(&full, both.block_rank() ^ 1);
#endif
        asm volatile("mbarrier.init.b64 [%0], 1;" ::"l"(mine) : "memory"); // finds: barrier_misuse
    }
    both.sync();
    y[blockIdx.x] = 1; // notes: equal_writes
}

static void run(void)
{
    begin<<<2, LANES>>>(cells(2));
    launched();
}
