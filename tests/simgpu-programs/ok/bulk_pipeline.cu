// SPDX-License-Identifier: MIT
// A pipeline of bulk copies: one thread brings tiles into a ring of stages, an
// mbarrier per stage counts their bytes; the block works on them and sends them
// back by bulk copies, too.
// since: 13
// arch: 90
#include <cuda/ptx>

#include "../check.h"

namespace ptx = cuda::ptx;

enum { TILE = 256, STAGES = 3, TILES = 10, BLOCKS = 3 };

__global__ void twice(const int *in, int *out)
{
    __shared__ alignas(128) int tile[STAGES][TILE];
    __shared__ alignas(128) int done[2][TILE];
    __shared__ uint64_t full[STAGES];
    const int *from = in + blockIdx.x * TILES * TILE;
    int *to = out + blockIdx.x * TILES * TILE, t = threadIdx.x;
    if (t == 0) {
        for (int s = 0; s < STAGES; s++)
            ptx::mbarrier_init(&full[s], 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
        for (int n = 0; n < STAGES - 1; n++) {
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                           ptx::space_shared, &full[n],
                                           sizeof tile[n]);
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile[n],
                               from + n * TILE, sizeof tile[n], &full[n]);
        }
    }
    __syncthreads();
    for (int n = 0; n < TILES; n++) {
        int s = n % STAGES, next = n + STAGES - 1;
        while (!ptx::mbarrier_try_wait_parity(&full[s], n / STAGES % 2))
            ;
        if (t == 0) // done[n % 2] went out two rounds ago
            ptx::cp_async_bulk_wait_group_read(ptx::n32_t<1>());
        __syncthreads(); // all have read the stage that is filled next
        if (t == 0 && next < TILES) {
            uint64_t *object = &full[next % STAGES];
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                           ptx::space_shared, object,
                                           sizeof tile[0]);
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global,
                               tile[next % STAGES], from + next * TILE,
                               sizeof tile[0], object);
        }
        done[n % 2][t] = 2 * tile[s][TILE - 1 - t];
        ptx::fence_proxy_async(ptx::space_shared);
        __syncthreads();
        if (t == 0) {
            ptx::cp_async_bulk(ptx::space_global, ptx::space_shared,
                               to + n * TILE, done[n % 2], sizeof done[0]);
            ptx::cp_async_bulk_commit_group();
        }
    }
    if (t == 0)
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}

// Blocks add up their histograms by bulk reductions.
__global__ void bins(const int *in, int n, int *out)
{
    __shared__ alignas(128) int own[TILE];
    int t = threadIdx.x;
    own[t] = 0;
    __syncthreads();
    for (int i = blockIdx.x * TILE + t; i < n; i += gridDim.x * TILE)
        atomicAdd(&own[in[i] % TILE], 1);
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (t == 0) {
        ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared,
                                  ptx::op_add, out, own,
                                  (uint32_t)sizeof own);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
}

int main(void)
{
    enum { N = BLOCKS * TILES * TILE };
    int *in, *out, *sums, want[TILE] = {0};
    CUDA(cudaMallocManaged(&in, N * sizeof *in));
    CUDA(cudaMallocManaged(&out, N * sizeof *out));
    CUDA(cudaMallocManaged(&sums, TILE * sizeof *sums));
    CUDA(cudaMemset(sums, 0, TILE * sizeof *sums));
    for (int i = 0; i < N; i++)
        in[i] = i * 31 % 1009;
    twice<<<BLOCKS, TILE>>>(in, out);
    CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < N; i++)
        CHECK(out[i] == 2 * in[i / TILE * TILE + TILE - 1 - i % TILE]);
    bins<<<BLOCKS, TILE>>>(in, N, sums);
    CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < N; i++)
        want[in[i] % TILE]++;
    for (int b = 0; b < TILE; b++)
        CHECK(sums[b] == want[b]);
    return 0;
}
