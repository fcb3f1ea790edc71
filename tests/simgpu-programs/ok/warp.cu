// SPDX-License-Identifier: MIT
/* warp.cu: communication within a warp: shuffles, votes, matches;
 * a compaction with one atomic per warp; tiles of 8. */
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>

#include "../check.h"

namespace cg = cooperative_groups;

enum { N = 1000, ALL = 0xffffffff };

__global__ void butterfly(const int *in, int *out)
{
    int v = in[threadIdx.x];
    for (int lanes = 16; lanes > 0; lanes /= 2)
        v = max(v, __shfl_xor_sync(ALL, v, lanes));
    int running = in[threadIdx.x];
    for (int step = 1; step < 32; step *= 2) {
        int other = __shfl_up_sync(ALL, running, step);
        if (threadIdx.x % 32 >= step)
            running += other;
    }
    out[2 * threadIdx.x] = v;
    out[2 * threadIdx.x + 1] = running;
}

/* Keeps the odd ones; the first of the lanes that keep asks for their room. */
__global__ void compact(const int *in, int n, int *out, int *count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool keep = i < n && in[i] % 2;
    unsigned keepers = __ballot_sync(ALL, keep);
    unsigned lane = threadIdx.x % 32;
    int base = 0;
    if (keepers == 0)
        return;
    int leader = __ffs(keepers) - 1;
    if (lane == leader)
        base = atomicAdd(count, __popc(keepers));
    base = __shfl_sync(ALL, base, leader);
    if (keep)
        out[base + __popc(keepers & ((1u << lane) - 1))] = in[i];
}

__global__ void groups(const int *in, int *same, int *scan)
{
    unsigned mates = __match_any_sync(ALL, in[threadIdx.x] % 5);
    same[threadIdx.x] = __popc(mates);
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    scan[threadIdx.x] = cg::exclusive_scan(tile, in[threadIdx.x]);
    if (__any_sync(ALL, in[threadIdx.x] < 0) ||
        !__all_sync(ALL, in[threadIdx.x] < 1000))
        scan[threadIdx.x] = -1;
}

static int in[N];

static void check_lanes(const int *d_in)
{
    int out[128], *d;
    CUDA(cudaMalloc(&d, sizeof out));
    butterfly<<<1, 64>>>(d_in, d);
    CUDA(cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost));
    for (int warp = 0; warp < 2; warp++) {
        int most = 0, sum = 0;
        for (int l = 0; l < 32; l++) {
            sum += in[warp * 32 + l];
            most = in[warp * 32 + l] > most ? in[warp * 32 + l] : most;
            CHECK(out[2 * (warp * 32 + l) + 1] == sum);
        }
        CHECK(out[64 * warp] == most && out[64 * warp + 62] == most);
    }
    CUDA(cudaFree(d));
}

static void check_compaction(const int *d_in)
{
    static int out[N];
    int *d, *count, n, want = 0;
    long long sum = 0, kept = 0;
    CUDA(cudaMalloc(&d, sizeof out));
    CUDA(cudaMalloc(&count, sizeof *count));
    CUDA(cudaMemset(count, 0, sizeof *count));
    compact<<<(N + 127) / 128, 128>>>(d_in, N, d, count);
    CUDA(cudaMemcpy(&n, count, sizeof n, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) {
        want += in[i] % 2;
        sum += in[i] % 2 ? in[i] : 0;
    }
    CHECK(n == want);
    CUDA(cudaMemcpy(out, d, n * sizeof *out, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        kept += out[i];
    CHECK(kept == sum);
    CUDA(cudaFree(d));
    CUDA(cudaFree(count));
}

static void check_groups(const int *d_in)
{
    int out[64], *d;
    CUDA(cudaMalloc(&d, sizeof out));
    groups<<<1, 32>>>(d_in, d, d + 32);
    CUDA(cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost));
    for (int l = 0; l < 32; l++) {
        int same = 0, before = 0;
        for (int k = 0; k < 32; k++)
            same += in[k] % 5 == in[l] % 5;
        for (int k = l / 8 * 8; k < l; k++)
            before += in[k];
        CHECK(out[l] == same && out[32 + l] == before);
    }
    CUDA(cudaFree(d));
}

int main(void)
{
    int *d_in;
    for (int i = 0; i < N; i++)
        in[i] = i * 7919 % 991;
    CUDA(cudaMalloc(&d_in, sizeof in));
    CUDA(cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice));
    check_lanes(d_in);
    check_compaction(d_in);
    check_groups(d_in);
    CUDA(cudaFree(d_in));
    return 0;
}
