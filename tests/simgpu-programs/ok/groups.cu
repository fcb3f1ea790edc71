// SPDX-License-Identifier: MIT
/* groups.cu: cooperative groups in many sizes: tiles and tiles of tiles,
 * reductions and scans of a group, labels, halves by a predicate, coalesced
 * threads, copies by a group, an elected thread. */
// since: 12
// arch: 80
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "../check.h"

namespace cg = cooperative_groups;

enum { THREADS = 192, BLOCKS = 3, N = THREADS * BLOCKS };

template <int SIZE>
static __device__ int tile_sum(const cg::thread_block &block, int x)
{
    auto tile = cg::tiled_partition<SIZE>(block);
    int by_hand = x;
    for (int d = SIZE / 2; d; d /= 2)
        by_hand += tile.shfl_xor(by_hand, d);
    int sum = cg::reduce(tile, x, cg::plus<int>());
    return sum == by_hand ? sum : -1;
}

__global__ void tiles(const int *x, int *sum)
{
    auto block = cg::this_thread_block();
    int i = (int)cg::this_grid().thread_rank();
    sum[i] = tile_sum<2>(block, x[i]);
    sum[N + i] = tile_sum<8>(block, x[i]);
    sum[2 * N + i] = tile_sum<32>(block, x[i]);
}

__global__ void scans(const int *x, int *to)
{
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    int i = (int)cg::this_grid().thread_rank();
    to[i] = cg::inclusive_scan(tile, x[i]);
    to[N + i] = cg::exclusive_scan(tile, x[i], cg::greater<int>());
}

__global__ void parts(const int *x, int *label_sum, int *of_odd, int *few)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int i = (int)cg::this_grid().thread_rank();
    auto alike = cg::labeled_partition(warp, x[i] % 3);
    label_sum[i] = cg::reduce(alike, x[i], cg::plus<int>());
    auto half = cg::binary_partition(warp, x[i] % 2);
    of_odd[i] = (int)half.size();
    if (x[i] % 5 == 0) {
        auto active = cg::coalesced_threads();
        few[i] = (int)(active.size() * 100 + active.thread_rank());
        if (active.thread_rank() == 0)
            atomicAdd(&few[N], (int)active.size());
    }
}

__global__ void copied(const int *x, int *to)
{
    __shared__ int tile[THREADS];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, tile, x + block.group_index().x * THREADS,
                     sizeof tile);
    cg::wait(block);
    to[block.group_index().x * THREADS + block.thread_rank()] =
        tile[THREADS - 1 - block.thread_rank()];
    block.sync(); // nobody reads the tile any more
    cg::invoke_one(block, [&] { tile[0] = 7; });
    block.sync(); // tile[0] is 7
    to[N + block.group_index().x * THREADS + block.thread_rank()] = tile[0];
}

static int *cells(int n)
{
    int *p;
    CUDA(cudaMallocManaged(&p, n * sizeof *p));
    for (int i = 0; i < n; i++)
        p[i] = -1;
    return p;
}

int main(void)
{
    int *x = cells(N), *a = cells(3 * N), *b = cells(2 * N), *c = cells(2 * N);
    int *label = cells(N), *odd = cells(N), *few = cells(N + 1), fives = 0;
    for (int i = 0; i < N; i++)
        x[i] = i * 7 % 40;
    few[N] = 0;
    tiles<<<BLOCKS, THREADS>>>(x, a);
    scans<<<BLOCKS, THREADS>>>(x, b);
    parts<<<BLOCKS, THREADS>>>(x, label, odd, few);
    copied<<<BLOCKS, THREADS>>>(x, c);
    CUDA(cudaDeviceSynchronize());
    static const int sizes[] = {2, 8, 32};
    for (int s = 0; s < 3; s++)
        for (int i = 0; i < N; i++) {
            int sum = 0, first = i / sizes[s] * sizes[s];
            for (int k = first; k < first + sizes[s]; k++)
                sum += x[k];
            CHECK(a[s * N + i] == sum);
        }
    for (int i = 0; i < N; i++) {
        int sum = 0, most = 0;
        for (int k = i / 16 * 16; k < i; k++) {
            sum += x[k];
            most = x[k] > most ? x[k] : most;
        }
        CHECK(b[i] == sum + x[i]);
        if (i % 16)
            CHECK(b[N + i] == most);
        int alike = 0, odds = 0, rank = 0, size = 0;
        for (int k = i / 32 * 32; k < i / 32 * 32 + 32; k++) {
            alike += x[k] % 3 == x[i] % 3 ? x[k] : 0;
            odds += x[k] % 2 == x[i] % 2;
            size += x[k] % 5 == 0;
            rank += x[k] % 5 == 0 && k < i;
        }
        CHECK(label[i] == alike && odd[i] == odds);
        CHECK(few[i] == (x[i] % 5 ? -1 : size * 100 + rank));
        fives += x[i] % 5 == 0;
        CHECK(c[i] == x[i / THREADS * THREADS + THREADS - 1 - i % THREADS]);
        CHECK(c[N + i] == 7);
    }
    CHECK(few[N] == fives);
    return 0;
}
