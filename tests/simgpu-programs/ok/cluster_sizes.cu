// SPDX-License-Identifier: MIT
// finds: 5
// What the runtime says of clusters that cannot be; the report lists each
// launch that was refused.
// arch: 90
// since: 12
#include "../check.h"

__global__ void plain(int *x)
{
    if (threadIdx.x == 0)
        x[blockIdx.x] = 1;
}

__global__ void __cluster_dims__(2, 1, 1) pairs(int *x)
{
    if (threadIdx.x == 0)
        x[blockIdx.x] = 2;
}

// attribute is config's, and must live as long.
static cudaLaunchConfig_t of_clusters(unsigned blocks, unsigned threads,
                                      unsigned cluster,
                                      cudaLaunchAttribute *attribute)
{
    attribute->id = cudaLaunchAttributeClusterDimension;
    attribute->val.clusterDim.x = cluster;
    attribute->val.clusterDim.y = attribute->val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(threads);
    config.attrs = attribute;
    config.numAttrs = 1;
    return config;
}

static cudaError_t launch(void (*kernel)(int *), unsigned blocks,
                          unsigned cluster, int *x)
{
    cudaLaunchAttribute attribute;
    cudaLaunchConfig_t config = of_clusters(blocks, 32, cluster, &attribute);
    cudaError_t error = cudaLaunchKernelEx(&config, kernel, x);
    FAILS(error, cudaGetLastError());
    return error;
}

// A multiprocessor holds two blocks of 1024 threads, and a cluster of 8 needs
// room for eight. A GPU keeps each cluster in one group of multiprocessors and
// may hold fewer, even of clusters of one block.
static void clusters_at_a_time(void)
{
    int clusters = 0, blocks = 0, sms = 0;
    cudaLaunchAttribute attribute;
    cudaLaunchConfig_t config = of_clusters(8, 1024, 8, &attribute);
    cudaLaunchConfig_t of_two = config;
    of_two.numAttrs = 0; // pairs' code says it
    CUDA(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 1024,
                                                       0));
    CUDA(cudaOccupancyMaxActiveClusters(&clusters, plain, &config));
    CHECK_OF(clusters > 0 && clusters <= sms * blocks / 8, clusters, sms);
    CUDA(cudaOccupancyMaxActiveClusters(&clusters, pairs, &of_two));
    CHECK_OF(clusters > 0 && clusters <= sms * blocks / 2, clusters, sms);
    CUDA(cudaOccupancyMaxPotentialClusterSize(&clusters, pairs, &of_two));
    CHECK_OF(clusters == 8, clusters, 8); // an H200's; by its documentation, 2
    CUDA(cudaOccupancyMaxPotentialClusterSize(&clusters, plain, &of_two));
    CHECK_OF(clusters == 8, clusters, 8);
    attribute.val.clusterDim.x = 1;
    CUDA(cudaOccupancyMaxActiveClusters(&clusters, plain, &config));
    CHECK_OF(clusters > 0 && clusters <= sms * blocks, clusters, sms);
    FAILS(cudaErrorInvalidClusterSize,
          cudaOccupancyMaxActiveClusters(&clusters, pairs, &config));
    FAILS(cudaErrorInvalidClusterSize,
          cudaOccupancyMaxPotentialClusterSize(&clusters, pairs, &config));
    attribute.val.clusterDim.x = 16; // a GPU promises 8
    FAILS(cudaErrorInvalidClusterSize,
          cudaOccupancyMaxActiveClusters(&clusters, plain, &config));
    attribute.val.clusterDim.x = 0;
    FAILS(cudaErrorInvalidClusterSize,
          cudaOccupancyMaxActiveClusters(&clusters, plain, &config));
    config.numAttrs = 0; // no clusters at all: an H200 counts none
    CUDA(cudaOccupancyMaxActiveClusters(&clusters, plain, &config));
    CHECK_OF(clusters == 0, clusters, 0);
}

int main(void)
{
    int *x, *h;
    CUDA(cudaMalloc(&x, 32 * sizeof *x));
    CUDA(cudaMallocHost(&h, 32 * sizeof *h));
    clusters_at_a_time();
    CUDA(launch(plain, 32, 8, x));
    FAILS(cudaErrorInvalidClusterSize, launch(plain, 30, 8, x));
    FAILS(cudaErrorInvalidClusterSize, launch(plain, 32, 16, x));
    FAILS(cudaErrorInvalidClusterSize, launch(plain, 32, 0, x));
    FAILS(cudaErrorInvalidClusterSize, launch(pairs, 32, 4, x));
    pairs<<<31, 32>>>(x);
    FAILS(cudaErrorInvalidClusterSize, cudaGetLastError());
    CUDA(launch(pairs, 32, 2, x));
    CUDA(cudaFuncSetAttribute(
        plain, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    CUDA(launch(plain, 32, 16, x));
    FAILS(cudaErrorInvalidClusterSize, launch(plain, 64, 32, x));
    cudaFuncAttributes a;
    CUDA(cudaFuncGetAttributes(&a, pairs));
    CHECK_OF(a.requiredClusterWidth == 2 && a.requiredClusterHeight == 1,
             a.requiredClusterWidth, a.requiredClusterHeight);
    FAILS(cudaErrorInvalidValue,
          cudaFuncSetAttribute(pairs, cudaFuncAttributeRequiredClusterWidth,
                               4));
    CUDA(cudaMemcpy(h, x, 32 * sizeof *x, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; i++)
        CHECK(h[i] == 1);
    return 0;
}
