// SPDX-License-Identifier: MIT
/*
 * occupancy.c: how many blocks of a kernel an SM holds at once.
 *
 *   cudaOccupancyMaxActiveBlocksPerMultiprocessor[WithFlags]
 *   cudaOccupancyAvailableDynamicSMemPerBlock
 *   cudaOccupancyMaxActiveClusters, cudaOccupancyMaxPotentialClusterSize
 *
 * blocks.h has the limits. Registers are those of cudaFuncGetAttributes, an
 * assumption, because PTX does not say: for a kernel that uses many the result
 * is too high.
 */
#include <string.h>

#include "../blocks.h"
#include "runtime.h"

static int blocks_of(const struct gpu_model *gpu,
                     const struct cudaFuncAttributes *f, int threads,
                     size_t dynamic)
{
    if (threads > f->maxThreadsPerBlock)
        return 0;
    return gpu_blocks(gpu, threads, f->numRegs, f->sharedSizeBytes + dynamic)
        .blocks;
}

/* Percent of shared memory that a kernel prefers to have; L1 has the rest. */
static int carveout(const struct rt_kernel *kernel)
{
    enum cudaFuncCache cache = kernel->cache;
    if (kernel->carveout)
        return kernel->carveout - 1;
    if (cache == cudaFuncCachePreferNone)
        cache = rt_device_cache;
    return cache == cudaFuncCachePreferL1      ? 0
           : cache == cudaFuncCachePreferEqual ? 50
                                               : 100;
}

/* The GPU with as much shared memory as it sets aside for a kernel: the least
 * that it can which is as much as the kernel prefers and holds one block. That
 * is what an H200 answers for each preference (tests/simgpu-programs/ok/
 * carveout); the sizes are the CUDA Programming Guide's. */
static struct gpu_model with_carveout(const struct gpu_model *gpu,
                                      const struct rt_kernel *kernel,
                                      size_t shared)
{
    static const size_t kib[] = {8, 16, 32, 64, 100, 132, 164, 196, 228};
    struct gpu_model carved = *gpu;
    size_t wanted = gpu->shared_sm * (size_t)carveout(kernel) / 100;
    size_t block = shared + gpu->shared_reserved;
    bool turing = gpu->cc_major == 7 && gpu->cc_minor == 5;

    for (size_t i = turing ? 2 : 0; i < sizeof kib / sizeof *kib; i++) {
        size_t bytes = kib[i] * 1024;
        if (bytes < gpu->shared_sm && bytes >= wanted && bytes >= block) {
            carved.shared_sm = bytes;
            break;
        }
    }
    return carved;
}

/* What kernel's blocks of this many bytes of dynamic shared memory meet. */
static cudaError_t describe(const void *function, size_t dynamic,
                            struct cudaFuncAttributes *f,
                            struct gpu_model *gpu)
{
    struct rt_kernel *kernel;
    cudaError_t error = rt_find_kernel(function, &kernel);
    if (!error)
        error = cudaFuncGetAttributes(f, function);
    const struct gpu_model *whole = error ? NULL : rt_gpu(&error);
    if (!error)
        *gpu = with_carveout(whole, kernel, f->sharedSizeBytes + dynamic);
    return error;
}

cudaError_t rt_occupancy(const void *function, int threads, size_t dynamic,
                         int *blocks)
{
    struct cudaFuncAttributes f;
    struct gpu_model gpu;
    cudaError_t error = describe(function, dynamic, &f, &gpu);
    if (!error)
        *blocks = blocks_of(&gpu, &f, threads, dynamic);
    return error;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *numBlocks, const void *func, int blockSize, size_t dynamicSMemSize,
    unsigned int flags)
{
    (void)flags;
    if (!numBlocks || blockSize <= 0)
        return DONE(cudaErrorInvalidValue);
    return DONE(rt_occupancy(func, blockSize, dynamicSMemSize, numBlocks));
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(
    int *numBlocks, const void *func, int blockSize, size_t dynamicSMemSize)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        numBlocks, func, blockSize, dynamicSMemSize, 0);
}

/* As on an H200: no more than a launch may ask for now, and without what the
 * system reserves in each block taken off, so that one block fewer may fit. */
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize,
                                                      const void *func,
                                                      int numBlocks,
                                                      int blockSize)
{
    struct cudaFuncAttributes f;
    struct gpu_model gpu;
    cudaError_t error = describe(func, 0, &f, &gpu);
    if (error)
        return DONE(error);
    if (!dynamicSmemSize || numBlocks <= 0 ||
        blocks_of(&gpu, &f, blockSize, 0) < numBlocks)
        return DONE(cudaErrorInvalidValue);
    size_t unit = gpu_shared_unit(&gpu);
    size_t share = gpu.shared_sm / (size_t)numBlocks / unit * unit;
    size_t room = share > f.sharedSizeBytes ? share - f.sharedSizeBytes : 0;
    size_t most = (size_t)f.maxDynamicSharedSizeBytes;
    *dynamicSmemSize = room < most ? room : most;
    return DONE(cudaSuccess);
}

/* Blocks of a cluster: of the attribute, else of the code; 0: of neither. As on
 * an H200, an attribute that the code or the limit contradicts is refused. */
static cudaError_t blocks_of_cluster(const cudaLaunchConfig_t *config,
                                     const struct rt_kernel *kernel,
                                     size_t *blocks)
{
    const uint32_t *code = kernel->info.cluster;
    const size_t most = kernel->non_portable ? 16 : 8;

    *blocks = (size_t)code[0] * code[1] * code[2];
    for (unsigned i = 0; i < config->numAttrs; i++) {
        const cudaLaunchAttribute *a = &config->attrs[i];
        if (a->id != cudaLaunchAttributeClusterDimension)
            continue;
        const uint32_t of[3] = {a->val.clusterDim.x, a->val.clusterDim.y,
                                a->val.clusterDim.z};
        if (code[0] && memcmp(of, code, sizeof of) != 0)
            return cudaErrorInvalidClusterSize;
        *blocks = (size_t)of[0] * of[1] * of[2];
        if (*blocks == 0 || *blocks > most)
            return cudaErrorInvalidClusterSize;
    }
    return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveClusters(int *numClusters, const void *func,
                                           const cudaLaunchConfig_t *config)
{
    if (!numClusters || !config)
        return DONE(cudaErrorInvalidValue);
    struct cudaFuncAttributes f;
    struct gpu_model gpu;
    struct rt_kernel *kernel;
    size_t of_cluster;
    cudaError_t error = describe(func, config->dynamicSmemBytes, &f, &gpu);
    if (!error)
        error = rt_find_kernel(func, &kernel);
    if (!error)
        error = blocks_of_cluster(config, kernel, &of_cluster);
    if (error)
        return DONE(error);
    size_t threads = (size_t)config->blockDim.x * config->blockDim.y *
                     config->blockDim.z;
    if (threads == 0)
        return DONE(cudaErrorInvalidValue);
    int of_sm = blocks_of(&gpu, &f, (int)threads, config->dynamicSmemBytes);
    *numClusters = of_cluster ? gpu_clusters(&gpu, of_sm, (int)of_cluster) : 0;
    return DONE(cudaSuccess);
}

/* The largest cluster that is allowed, and of which the GPU holds one: as on an
 * H200 also where the code asks for a size, which its documentation promises
 * then; an attribute that contradicts the code is refused all the same. */
cudaError_t cudaOccupancyMaxPotentialClusterSize(
    int *clusterSize, const void *func, const cudaLaunchConfig_t *config)
{
    enum { PORTABLE = 8, NOT_PORTABLE = 16 };
    struct cudaFuncAttributes f;
    struct gpu_model gpu;
    struct rt_kernel *kernel;
    size_t asked;
    if (!clusterSize || !config)
        return DONE(cudaErrorInvalidValue);
    cudaError_t error = describe(func, config->dynamicSmemBytes, &f, &gpu);
    if (!error)
        error = rt_find_kernel(func, &kernel);
    if (!error)
        error = blocks_of_cluster(config, kernel, &asked);
    if (error)
        return DONE(error);
    size_t threads = (size_t)config->blockDim.x * config->blockDim.y *
                     config->blockDim.z;
    if (threads == 0)
        return DONE(cudaErrorInvalidValue);
    if (gpu.cc_major < 9)
        return DONE(cudaErrorNotSupported);
    int of_sm = blocks_of(&gpu, &f, (int)threads, config->dynamicSmemBytes);
    int size = kernel->non_portable ? NOT_PORTABLE : PORTABLE;
    while (size > 0 && size > of_sm * gpu.sms)
        size /= 2;
    *clusterSize = size;
    return DONE(cudaSuccess);
}
