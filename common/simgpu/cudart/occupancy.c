// SPDX-License-Identifier: MIT
/*
 * occupancy.c: how many blocks of a kernel an SM holds at once.
 *
 *   cudaOccupancyMaxActiveBlocksPerMultiprocessor[WithFlags]
 *   cudaOccupancyAvailableDynamicSMemPerBlock
 *
 * Threads, block slots and shared memory limit the blocks as in the CUDA
 * Programming Guide's tables. Registers are those of cudaFuncGetAttributes, an
 * assumption, because PTX does not say: for a kernel that uses many the result
 * is too high.
 */
#include "runtime.h"

enum {
    WARP = 32,
    REGISTER_UNIT = 256, /* a warp's registers are allocated in these units */
    SHARED_UNIT = 128,   /* bytes */
};

static size_t round_up(size_t n, size_t unit)
{
    return (n + unit - 1) / unit * unit;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int blocks_of(const struct gpu_model *gpu,
                     const struct cudaFuncAttributes *f, int threads,
                     size_t dynamic)
{
    int warps = (threads + WARP - 1) / WARP;
    int registers = (int)round_up((size_t)f->numRegs * WARP, REGISTER_UNIT);
    size_t shared = round_up(f->sharedSizeBytes + dynamic +
                                 gpu->shared_reserved, SHARED_UNIT);
    if (threads > f->maxThreadsPerBlock ||
        f->sharedSizeBytes + dynamic > gpu->shared_block_optin)
        return 0;
    int n = least(gpu->max_blocks_sm, gpu->max_threads_sm / WARP / warps);
    n = least(n, gpu->registers_sm / registers / warps);
    return shared ? least(n, (int)(gpu->shared_sm / shared)) : n;
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
    size_t share = gpu->shared_sm / (size_t)numBlocks / SHARED_UNIT *
                   SHARED_UNIT;
    size_t used = gpu->shared_reserved + f.sharedSizeBytes;
    size_t room = share > used ? share - used : 0;
    size_t most = gpu->shared_block_optin - f.sharedSizeBytes;
    *dynamicSmemSize = room < most ? room : most;
    return DONE(cudaSuccess);
}
