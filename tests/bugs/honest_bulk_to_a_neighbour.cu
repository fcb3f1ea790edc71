// SPDX-License-Identifier: MIT
// since: 12
/* No bug: each block sends a tile to the next by a bulk copy from shared memory
 * to shared memory, and single numbers by st.async. */
__global__ void __cluster_dims__(2, 1, 1) swaps(int *y)
{
    __shared__ alignas(128) int mine[THREADS], theirs[THREADS];
    __shared__ object full;
    __shared__ int one;
    cooperative_groups::cluster_group both = cooperative_groups::this_cluster();
    unsigned other = both.block_rank() ^ 1;
    int t = threadIdx.x;
    if (t == 0) {
        object_init(&full, 1);
        object_expects(&full, sizeof theirs + sizeof one);
        object_fence();
    }
    mine[t] = t + 1000 * (int)both.block_rank();
    proxy_fence();
    both.sync();
    if (t == 0)
        asm volatile("{ .reg .b32 to, o, one;\n"
                     "mapa.shared::cluster.u32 to, %0, %4;\n"
                     "mapa.shared::cluster.u32 o, %3, %4;\n"
                     "mapa.shared::cluster.u32 one, %5, %4;\n"
                     "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [one], 7, [o];\n"
                     "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [to], [%1], %2, [o]; }"
                     ::"r"(in_shared(theirs)), "r"(in_shared(mine)), "r"((int)sizeof theirs), "r"(in_shared(&full)), "r"(other), "r"(in_shared(&one)) : "memory");
    object_wait(&full, 0);
    y[blockIdx.x * THREADS + t] = theirs[t] + one;
    both.sync();
}

static void run(void)
{
    int h[2 * THREADS], *y = cells(2 * THREADS);
    swaps<<<2, THREADS>>>(y);
    CUDA(cudaMemcpy(h, y, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 2 * THREADS; i++)
        CHECK(h[i] == i % THREADS + (i < THREADS ? 1000 : 0) + 7);
    launched();
}
