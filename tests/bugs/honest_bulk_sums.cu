// SPDX-License-Identifier: MIT
// since: 12
/* No bug: blocks of several clusters add their tiles to the same sums, by bulk
 * copies and by boxes. Each of these additions is relaxed, at the scope of the
 * GPU. */
__global__ void __cluster_dims__(2, 1, 1)
    add(int *sums, const __grid_constant__ CUtensorMap boxes)
{
    __shared__ alignas(128) int tile[THREADS];
    int t = threadIdx.x;
    tile[t] = t;
    proxy_fence();
    cooperative_groups::this_cluster().sync();
    if (t == 0) {
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], %2;" ::"l"(sums), "r"(in_shared(tile)), "r"((int)sizeof tile) : "memory");
        asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%2, %2}], [%1];" ::"l"(&boxes), "r"(in_shared(tile)), "r"(0) : "memory");
        bulk_commit();
        bulk_wait();
    }
}

static void run(void)
{
    int h[2 * THREADS], *x = cells(2 * THREADS);
    add<<<BLOCKS, THREADS>>>(x, tensor_map(x + THREADS, 16, THREADS / 16, 16,
                                           THREADS / 16));
    CUDA(cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 2 * THREADS; i++)
        CHECK(h[i] == BLOCKS * (i % THREADS));
    launched();
}
