// SPDX-License-Identifier: MIT
/* No bug: each block of a cluster hands numbers to the next through that one's
 * shared memory, with an mbarrier for a full slot and one for an empty one. */
enum { RING = 4, ROUNDS = 6 };

static __device__ void arrive_at(object *o, unsigned rank)
{
    asm volatile("{ .reg .b32 a;\n"
                 "mapa.shared::cluster.u32 a, %0, %1;\n"
                 "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [a];"
                 "}" ::"r"(in_shared(o)), "r"(rank) : "memory");
}

__global__ void __cluster_dims__(RING, 1, 1) ring(int *x)
{
    __shared__ int slot;
    __shared__ object full, empty;
    cooperative_groups::cluster_group all = cooperative_groups::this_cluster();
    unsigned rank = all.block_rank();
    unsigned next = (rank + 1) % RING, before = (rank + RING - 1) % RING;
    if (threadIdx.x == 0) {
        object_init(&full, 1);
        object_init(&empty, 1);
    }
    all.sync();
    int mine = (int)rank;
    for (int n = 0; n < ROUNDS && threadIdx.x == 0; n++) {
        if (n > 0)
            object_wait(&empty, (n - 1) % 2);
        *all.map_shared_rank(&slot, next) = mine;
        arrive_at(&full, next);
        object_wait(&full, n % 2);
        mine = slot + 1;
        arrive_at(&empty, before);
    }
    all.sync();
    if (threadIdx.x == 0)
        x[blockIdx.x] = mine;
}

static void run(void)
{
    int *x = cells(2 * RING), h[2 * RING];
    ring<<<2 * RING, LANES>>>(x);
    CUDA(cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 2 * RING; i++)
        CHECK(h[i] == (i % RING + RING - ROUNDS % RING) % RING + ROUNDS);
    launched();
}
