// SPDX-License-Identifier: MIT
/*
 * pool.c: the one memory pool, of the device.
 *
 *   cudaDeviceGetDefaultMemPool, cudaDeviceGetMemPool, cudaDeviceSetMemPool
 *   cudaMemPoolSetAttribute, cudaMemPoolGetAttribute, cudaMemPoolTrimTo
 *   cudaMallocFromPoolAsync
 *
 * Freed memory returns to the device at once, so a pool never holds any.
 * Attributes about reuse and release thresholds are stored and returned, and
 * have no effect.
 */
#include "runtime.h"

struct CUmemPoolHandle_st {
    uint64_t release_threshold;
    int reuse[3];  /* indexed by attribute, from the first */
};

static struct CUmemPoolHandle_st the_pool = {.reuse = {1, 1, 1}};

static cudaError_t get_pool(cudaMemPool_t *pool, int device)
{
    if (!pool)
        return cudaErrorInvalidValue;
    *pool = &the_pool;
    return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *memPool, int device)
{
    return DONE(get_pool(memPool, device));
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *memPool, int device)
{
    return DONE(get_pool(memPool, device));
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t memPool)
{
    if (device != 0)
        return DONE(cudaErrorInvalidDevice);
    return DONE(memPool == &the_pool ? cudaSuccess : cudaErrorInvalidValue);
}

static int *reuse_of(enum cudaMemPoolAttr attr)
{
    return attr >= cudaMemPoolReuseFollowEventDependencies &&
                   attr <= cudaMemPoolReuseAllowInternalDependencies
               ? &the_pool.reuse[attr - cudaMemPoolReuseFollowEventDependencies]
               : NULL;
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t memPool,
                                    enum cudaMemPoolAttr attr, void *value)
{
    int *reuse = reuse_of(attr);
    if (memPool != &the_pool || !value)
        return DONE(cudaErrorInvalidValue);
    if (reuse)
        *reuse = *(const int *)value;
    else if (attr == cudaMemPoolAttrReleaseThreshold)
        the_pool.release_threshold = *(const uint64_t *)value;
    else
        return DONE(cudaErrorInvalidValue);
    return DONE(cudaSuccess);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t memPool,
                                    enum cudaMemPoolAttr attr, void *value)
{
    const int *reuse = reuse_of(attr);
    if (memPool != &the_pool || !value)
        return DONE(cudaErrorInvalidValue);
    if (reuse)
        *(int *)value = *reuse;
    else if (attr == cudaMemPoolAttrReleaseThreshold)
        *(uint64_t *)value = the_pool.release_threshold;
    else
        return DONE(rt_fail(cudaErrorNotSupported,
                            "what a memory pool holds is not simulated"));
    return DONE(cudaSuccess);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t memPool, size_t minBytesToKeep)
{
    (void)minBytesToKeep;
    return DONE(memPool == &the_pool ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMallocFromPoolAsync(void **ptr, size_t size,
                                    cudaMemPool_t memPool, cudaStream_t stream)
{
    return memPool == &the_pool ? cudaMallocAsync(ptr, size, stream)
                                : DONE(cudaErrorInvalidValue);
}
