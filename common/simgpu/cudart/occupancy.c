// SPDX-License-Identifier: MIT
/*
 * occupancy.c: how many blocks of a kernel an SM holds at once.
 *
 *   cudaOccupancyMaxActiveBlocksPerMultiprocessor[WithFlags]
 *   cudaOccupancyAvailableDynamicSMemPerBlock
 *   cudaOccupancyMaxActiveClusters
 *
 * blocks.h has the limits. Registers are those of cudaFuncGetAttributes, an
 * assumption, because PTX does not say: for a kernel that uses many the result
 * is too high.
 */
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

cudaError_t rt_occupancy(const void *function, int threads, size_t dynamic,
                         int *blocks)
{
    struct cudaFuncAttributes f;
    cudaError_t error = cudaFuncGetAttributes(&f, function);
    const struct gpu_model *gpu = error ? NULL : rt_gpu(&error);
    if (!error)
        *blocks = blocks_of(gpu, &f, threads, dynamic);
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
    cudaError_t error = cudaFuncGetAttributes(&f, func);
    const struct gpu_model *gpu = error ? NULL : rt_gpu(&error);
    if (!gpu)
        return error;
    if (!dynamicSmemSize || numBlocks <= 0 ||
        blocks_of(gpu, &f, blockSize, 0) < numBlocks)
        return DONE(cudaErrorInvalidValue);
    size_t unit = gpu_shared_unit(gpu);
    size_t share = gpu->shared_sm / (size_t)numBlocks / unit * unit;
    size_t room = share > f.sharedSizeBytes ? share - f.sharedSizeBytes : 0;
    size_t most = (size_t)f.maxDynamicSharedSizeBytes;
    *dynamicSmemSize = room < most ? room : most;
    return DONE(cudaSuccess);
}

static size_t blocks_of_cluster(const cudaLaunchConfig_t *config)
{
    for (unsigned i = 0; i < config->numAttrs; i++) {
        const cudaLaunchAttribute *a = &config->attrs[i];
        if (a->id == cudaLaunchAttributeClusterDimension)
            return (size_t)a->val.clusterDim.x * a->val.clusterDim.y *
                   a->val.clusterDim.z;
    }
    return 1;
}

/* The model knows no groups of multiprocessors, which on a GPU keep a cluster
 * together: a GPU may hold fewer. */
cudaError_t cudaOccupancyMaxActiveClusters(int *numClusters, const void *func,
                                           const cudaLaunchConfig_t *config)
{
    if (!numClusters || !config)
        return DONE(cudaErrorInvalidValue);
    struct cudaFuncAttributes f;
    cudaError_t error = cudaFuncGetAttributes(&f, func);
    const struct gpu_model *gpu = error ? NULL : rt_gpu(&error);
    if (!gpu)
        return error;
    size_t threads = (size_t)config->blockDim.x * config->blockDim.y *
                     config->blockDim.z;
    size_t of_cluster = blocks_of_cluster(config);
    if (threads == 0 || of_cluster == 0)
        return DONE(cudaErrorInvalidValue);
    int of_sm = blocks_of(gpu, &f, (int)threads, config->dynamicSmemBytes);
    *numClusters = (int)((size_t)of_sm * (size_t)gpu->sms / of_cluster);
    return DONE(cudaSuccess);
}
