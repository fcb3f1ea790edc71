// SPDX-License-Identifier: MIT
// since: 12
/* All lanes read the neighbour's memory, then one tells it that it may exit:
 * the others may not be that far. */
__global__ void __cluster_dims__(2, 1, 1) last(int *x)
{
    __shared__ int tile[LANES];
    __shared__ object over;
    cooperative_groups::cluster_group both = cooperative_groups::this_cluster();
    unsigned other = both.block_rank() ^ 1;
    int t = threadIdx.x;
    tile[t] = t;
    if (t == 0)
        object_init(&over, 1);
    both.sync();
    const int *theirs = both.map_shared_rank(tile, other);
    x[blockIdx.x * LANES + t] = theirs[t]; // finds: exited
#ifdef MENDED
    __syncwarp();
#endif
    if (t == 0) {
        x[blockIdx.x * LANES] += theirs[1];
        asm volatile("{ .reg .b32 a;\n"
                     "mapa.shared::cluster.u32 a, %0, %1;\n"
                     "mbarrier.arrive.release.cluster.shared::cluster.b64 _, "
                     "[a]; }" ::"r"(in_shared(&over)), "r"(other) : "memory");
    }
    object_wait(&over, 0);
}

static void run(void)
{
    last<<<2, LANES>>>(cells(2 * LANES));
    launched();
}
