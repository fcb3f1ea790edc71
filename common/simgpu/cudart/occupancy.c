// SPDX-License-Identifier: MIT
/*
 * occupancy.c: how many blocks of a kernel an SM holds at once.
 *
 *   cudaOccupancyMaxActiveBlocksPerMultiprocessor[WithFlags]
 *   cudaOccupancyAvailableDynamicSMemPerBlock
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
    size_t used = gpu->shared_reserved + f.sharedSizeBytes;
    size_t room = share > used ? share - used : 0;
    size_t most = gpu->shared_block_optin - f.sharedSizeBytes;
    *dynamicSmemSize = room < most ? room : most;
    return DONE(cudaSuccess);
}
