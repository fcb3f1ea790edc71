// SPDX-License-Identifier: MIT
// since: 12
/* A block writes into its neighbour's shared memory and arrives at the
 * neighbour's mbarrier, but releases at the scope of its own block. */
#ifdef MENDED
#define SCOPE "cluster"
#else
#define SCOPE "cta"
#endif

__global__ void __cluster_dims__(2, 1, 1) hands_over(int *y)
{
    __shared__ int slot;
    __shared__ object full;
    cooperative_groups::cluster_group both = cooperative_groups::this_cluster();
    unsigned other = both.block_rank() ^ 1;
    if (threadIdx.x == 0)
        object_init(&full, 1);
    both.sync();
    if (threadIdx.x == 0) {
        *both.map_shared_rank(&slot, other) = (int)other; // against
        asm volatile("{ .reg .b32 a;\n"
                     "mapa.shared::cluster.u32 a, %0, %1;\n"
                     "mbarrier.arrive.release." SCOPE
                     ".shared::cluster.b64 _, [a]; }" ::"r"(in_shared(&full)),
                     "r"(other) : "memory");
        object_wait(&full, 0);
        y[blockIdx.x] = slot; // finds: race
    }
    both.sync();
}

static void run(void)
{
    hands_over<<<2, LANES>>>(cells(2));
    launched();
}
