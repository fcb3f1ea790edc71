// SPDX-License-Identifier: MIT
// Clusters: a sum over distributed shared memory, ranks and sizes, atomics on
// another block's memory, and what the runtime says of cluster sizes.
// arch: 90
// notes: equal_writes
#include <cooperative_groups.h>

#include "../check.h"

namespace cg = cooperative_groups;

enum { THREADS = 128, CLUSTER = 4, BLOCKS = 12 };

// Each block sums its own numbers; rank 0 adds up the cluster's.
__global__ void __cluster_dims__(CLUSTER, 1, 1) sum(const int *in, int *out)
{
    __shared__ int part;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0)
        part = 0;
    __syncthreads();
    atomicAdd(&part, in[blockIdx.x * THREADS + threadIdx.x]);
    cluster.sync();
    if (cluster.block_rank() == 0 && threadIdx.x == 0) {
        int all = 0;
        for (unsigned r = 0; r < cluster.num_blocks(); r++)
            all += *cluster.map_shared_rank(&part, r);
        out[blockIdx.x / CLUSTER] = all;
    }
    cluster.sync(); // part must stay until it was read
}

// A histogram whose bins lie in the blocks of a cluster.
__global__ void histogram(const int *in, int n, int *out)
{
    __shared__ int bins[THREADS];
    cg::cluster_group cluster = cg::this_cluster();
    bins[threadIdx.x] = 0;
    cluster.sync();
    int step = (int)(gridDim.x * blockDim.x);
    for (int i = (int)cg::this_grid().thread_rank(); i < n; i += step) {
        int bin = in[i] % (int)(cluster.num_blocks() * THREADS);
        int *there = cluster.map_shared_rank(bins, bin / THREADS);
        atomicAdd(&there[bin % THREADS], 1);
    }
    cluster.sync();
    atomicAdd(&out[cluster.block_rank() * THREADS + threadIdx.x],
              bins[threadIdx.x]);
}

struct place {
    unsigned rank, size, id[3], grid[3], within[3], blocks[3], is;
};

__global__ void where(struct place *out)
{
    unsigned block = blockIdx.x + gridDim.x * (blockIdx.y +
                                               gridDim.y * blockIdx.z);
    struct place p;
#define READ(at, name) asm volatile("mov.u32 %0, %%" name ";" : "=r"(at))
    READ(p.rank, "cluster_ctarank");
    READ(p.size, "cluster_nctarank");
    READ(p.id[0], "clusterid.x");
    READ(p.id[1], "clusterid.y");
    READ(p.id[2], "clusterid.z");
    READ(p.grid[0], "nclusterid.x");
    READ(p.grid[1], "nclusterid.y");
    READ(p.grid[2], "nclusterid.z");
    READ(p.within[0], "cluster_ctaid.x");
    READ(p.within[1], "cluster_ctaid.y");
    READ(p.within[2], "cluster_ctaid.z");
    READ(p.blocks[0], "cluster_nctaid.x");
    READ(p.blocks[1], "cluster_nctaid.y");
    READ(p.blocks[2], "cluster_nctaid.z");
    asm volatile("{ .reg .pred p; mov.pred p, %%is_explicit_cluster; "
                 "selp.u32 %0, 1, 0, p; }" : "=r"(p.is));
    out[block] = p;
}

static cudaError_t launch(void (*kernel)(struct place *), dim3 grid,
                          dim3 cluster, struct place *out)
{
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = cluster.x;
    attribute.val.clusterDim.y = cluster.y;
    attribute.val.clusterDim.z = cluster.z;
    cudaLaunchConfig_t config = {};
    config.gridDim = grid;
    config.blockDim = dim3(32);
    config.attrs = &attribute;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, kernel, out);
}

static void check_sum(void)
{
    int *in, *out;
    CUDA(cudaMallocManaged(&in, BLOCKS * THREADS * sizeof *in));
    CUDA(cudaMallocManaged(&out, BLOCKS / CLUSTER * sizeof *out));
    for (int i = 0; i < BLOCKS * THREADS; i++)
        in[i] = i % 17;
    sum<<<BLOCKS, THREADS>>>(in, out);
    CUDA(cudaDeviceSynchronize());
    for (int c = 0; c < BLOCKS / CLUSTER; c++) {
        int all = 0;
        for (int i = 0; i < CLUSTER * THREADS; i++)
            all += in[c * CLUSTER * THREADS + i];
        CHECK(out[c] == all);
    }
    CUDA(cudaFree(in));
    CUDA(cudaFree(out));
}

static void check_histogram(void)
{
    enum { N = 3000, BINS = 2 * THREADS };
    int *in, *out;
    CUDA(cudaMallocManaged(&in, N * sizeof *in));
    CUDA(cudaMallocManaged(&out, BINS * sizeof *out));
    CUDA(cudaMemset(out, 0, BINS * sizeof *out));
    for (int i = 0; i < N; i++)
        in[i] = i * i % 1009;
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = 2;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(6);
    config.blockDim = dim3(THREADS);
    config.attrs = &attribute;
    config.numAttrs = 1;
    CUDA(cudaLaunchKernelEx(&config, histogram, (const int *)in, (int)N, out));
    CUDA(cudaDeviceSynchronize());
    int want[BINS] = {0};
    for (int i = 0; i < N; i++)
        want[in[i] % BINS]++;
    for (int b = 0; b < BINS; b++)
        CHECK(out[b] == want[b]);
    CUDA(cudaFree(in));
    CUDA(cudaFree(out));
}

static void check_places(void)
{
    struct place *out;
    dim3 grid(4, 6, 2), cluster(2, 3, 1);
    CUDA(cudaMallocManaged(&out, 48 * sizeof *out));
    CUDA(launch(where, grid, cluster, out));
    CUDA(cudaDeviceSynchronize());
    for (unsigned n = 0; n < 48; n++) {
        unsigned x = n % 4, y = n / 4 % 6, z = n / 24;
        const struct place *p = &out[n];
        CHECK(p->rank == x % 2 + 2 * (y % 3) && p->size == 6 && p->is == 1);
        CHECK(p->id[0] == x / 2 && p->id[1] == y / 3 && p->id[2] == z);
        CHECK(p->grid[0] == 2 && p->grid[1] == 2 && p->grid[2] == 2);
        CHECK(p->within[0] == x % 2 && p->within[1] == y % 3 &&
              p->within[2] == 0);
        CHECK(p->blocks[0] == 2 && p->blocks[1] == 3 && p->blocks[2] == 1);
    }
    where<<<2, 32>>>(out);
    CUDA(cudaDeviceSynchronize());
    CHECK(out[1].rank == 0 && out[1].size == 1 && out[1].is == 0 &&
          out[1].id[0] == 1 && out[1].grid[0] == 2);
    CUDA(cudaFree(out));
}

int main(void)
{
    int has;
    CUDA(cudaDeviceGetAttribute(&has, cudaDevAttrClusterLaunch, 0));
    CHECK(has == 1);
    check_sum();
    check_histogram();
    check_places();
    return 0;
}
