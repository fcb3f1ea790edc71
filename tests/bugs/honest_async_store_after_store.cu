// SPDX-License-Identifier: MIT
// since: 12
/* No bug: a number is stored as usual, the cluster meets, and the other block
 * replaces it by st.async and adds to it by red.async. Neither is a bulk copy, so
 * no fence between proxies is asked for. */
__global__ void __cluster_dims__(2, 1, 1) replaces(int *y)
{
    __shared__ int first, second;
    __shared__ object full;
    cooperative_groups::cluster_group both = cooperative_groups::this_cluster();
    unsigned other = both.block_rank() ^ 1;

    if (threadIdx.x == 0) {
        first = second = 5;
        object_init(&full, 1);
        object_expects(&full, sizeof first + sizeof second);
        object_fence();
    }
    both.sync();
    if (threadIdx.x == 0) {
        asm volatile("{ .reg .b32 a, b, o;\n"
                     "mapa.shared::cluster.u32 a, %0, %3;\n"
                     "mapa.shared::cluster.u32 b, %1, %3;\n"
                     "mapa.shared::cluster.u32 o, %2, %3;\n"
                     "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [a], 7, [o];\n"
                     "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [b], 1, [o]; }"
                     ::"r"(in_shared(&first)), "r"(in_shared(&second)), "r"(in_shared(&full)), "r"(other) : "memory");
        object_wait(&full, 0);
        y[blockIdx.x] = 10 * first + second;
    }
    both.sync();
}

static void run(void)
{
    int h[2], *y = cells(2);

    replaces<<<2, THREADS>>>(y);
    CUDA(cudaMemcpy(h, y, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(h[0] == 76 && h[1] == 76);
}
