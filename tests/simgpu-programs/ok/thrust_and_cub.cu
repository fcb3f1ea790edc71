// SPDX-License-Identifier: MIT
/* thrust_and_cub.cu: the toolkit's own algorithms, by containers and by
 * blocks. */
// since: 12
// options: -std=c++17
#include "../check.h"

#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>

#include <algorithm>
#include <vector>

enum { THREADS = 128, BLOCKS = 40, N = BLOCKS * THREADS };

__global__ void by_blocks(const int *x, int *sum, int *before)
{
    typedef cub::BlockReduce<int, THREADS> reduce;
    typedef cub::BlockScan<int, THREADS> scan;
    __shared__ union {
        typename reduce::TempStorage reduce;
        typename scan::TempStorage scan;
    } room;
    int i = blockIdx.x * THREADS + threadIdx.x, mine = x[i], first;
    int all = reduce(room.reduce).Sum(mine);
    __syncthreads(); /* the storage is reused */
    scan(room.scan).ExclusiveSum(mine, first);
    before[i] = first;
    if (threadIdx.x == 0)
        sum[blockIdx.x] = all;
}

int main(void)
{
    std::vector<int> h(N), sum(BLOCKS), before(N);
    unsigned random = 12345;
    long long total = 0;
    for (int i = 0; i < N; i++) {
        random = random * 1664525u + 1013904223u;
        h[i] = random >> 8;
        total += h[i] % 1000;
    }
    std::vector<int> small(h);
    for (int &x : small)
        x %= 1000;
    thrust::device_vector<int> x = small, s(BLOCKS), b(N);
    by_blocks<<<BLOCKS, THREADS>>>(thrust::raw_pointer_cast(x.data()),
                                   thrust::raw_pointer_cast(s.data()),
                                   thrust::raw_pointer_cast(b.data()));
    thrust::copy(s.begin(), s.end(), sum.begin());
    thrust::copy(b.begin(), b.end(), before.begin());
    for (int i = 0, running = 0; i < N; i++) {
        running = i % THREADS ? running : 0;
        CHECK(before[i] == running);
        running += small[i];
        CHECK(i % THREADS != THREADS - 1 || sum[i / THREADS] == running);
    }
    CHECK(thrust::reduce(x.begin(), x.end(), 0LL) == total);
    x = h;
    CHECK(*thrust::max_element(x.begin(), x.end()) ==
          *std::max_element(h.begin(), h.end()));
    thrust::sort(x.begin(), x.end());
    std::sort(h.begin(), h.end());
    thrust::copy(x.begin(), x.end(), before.begin());
    CHECK(before == h);
    return 0;
}
