// SPDX-License-Identifier: MIT
// options: -G
// arch: 80
/* debug_groups.cu: cooperative groups without optimisation. Their objects lie
 * in local memory, have bit-fields, which are set by reading their words first,
 * and padding, which is copied with the rest. In bug/debug_unset.cu a local
 * variable that nobody set is used. */
#include <cooperative_groups.h>

#include "../check.h"

namespace cg = cooperative_groups;

enum { BLOCKS = 2, THREADS = 64, ALL = BLOCKS * THREADS };

struct part {
    char kind;
    int from, to;
    unsigned small : 3, large : 20;
};

static __device__ struct part part_of(int i)
{
    struct part p;

    p.kind = 'a';
    p.from = i;
    p.to = i + 1;
    p.small = i & 7;
    p.large = i;
    return p;
}

__global__ void in_groups(int *x)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    cg::thread_group eight = cg::tiled_partition(block, 8);
    cg::coalesced_group now = cg::coalesced_threads();
    struct part mine = part_of(block.thread_rank()), copy = mine;

    eight.sync();
    block.sync();
    x[cg::this_grid().thread_rank()] =
        warp.shfl((int)copy.large, 3) + eight.thread_rank() + now.size() +
        copy.small + copy.to - copy.from;
}

__global__ void in_grid(const int *x, int *y)
{
    cg::grid_group grid = cg::this_grid();
    int i = grid.thread_rank(), last = grid.size() - 1;

    grid.sync();
    y[i] = x[last - i];
}

int main(void)
{
    int *x, *y, host[ALL];

    CUDA(cudaMalloc(&x, sizeof host));
    CUDA(cudaMalloc(&y, sizeof host));
    in_groups<<<BLOCKS, THREADS>>>(x);
    CUDA(cudaGetLastError());
    void *args[] = {&x, &y};
    CUDA(cudaLaunchCooperativeKernel((const void *)in_grid, dim3(BLOCKS),
                                     dim3(THREADS), args, 0, NULL));
    CUDA(cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < ALL; i++) {
        int t = (ALL - 1 - i) % THREADS;
        int expected = t / 32 * 32 + 3 + t % 8 + 32 + (t & 7) + 1;
        CHECK_OF(host[i] == expected, host[i], i);
    }
    return 0;
}
