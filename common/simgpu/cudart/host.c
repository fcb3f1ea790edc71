// SPDX-License-Identifier: MIT
/*
 * host.c: pinned host memory, and a list of it.
 *
 *   cudaMallocHost, cudaHostAlloc, cudaFreeHost
 *   cudaHostRegister, cudaHostUnregister
 *   cudaHostGetFlags, cudaHostGetDevicePointer
 *   rt_is_pinned
 *
 * Memory allocated here lies in pages that the device maps too (mapped.c), so
 * that kernels use the same address. The pages of registered memory are
 * replaced by such pages, which the device maps at another address.
 */
#include "runtime.h"

#include <pthread.h>
#include <stdlib.h>

struct block {
    struct block *next;
    char *start;
    size_t bytes;
    unsigned flags;
    bool ours; /* allocated here; else registered */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct block *blocks;

static cudaError_t add(void *start, size_t bytes, unsigned flags, bool ours)
{
    struct block *block = malloc(sizeof *block);
    if (!block)
        return cudaErrorMemoryAllocation;
    pthread_mutex_lock(&lock);
    *block = (struct block){blocks, start, bytes, flags, ours};
    blocks = block;
    pthread_mutex_unlock(&lock);
    return cudaSuccess;
}

/* The link to the block that contains p; the lock is held. */
static struct block **find(const void *p)
{
    struct block **link = &blocks;
    while (*link &&
           (uintptr_t)p - (uintptr_t)(*link)->start >= (*link)->bytes)
        link = &(*link)->next;
    return link;
}

/* Removes the block that starts at p from the list; false: there is none. */
static bool drop(const void *p, bool ours)
{
    pthread_mutex_lock(&lock);
    struct block **link = find(p), *block = *link;
    bool found = block && block->start == p && block->ours == ours;
    if (found)
        *link = block->next;
    pthread_mutex_unlock(&lock);
    if (found)
        free(block);
    return found;
}

bool rt_is_pinned(const void *p)
{
    pthread_mutex_lock(&lock);
    bool found = *find(p) != NULL;
    pthread_mutex_unlock(&lock);
    return found;
}

static cudaError_t allocate(void **pHost, size_t size, unsigned flags)
{
    cudaError_t error;
    if (!pHost || !rt_gpu(&error))
        return pHost ? error : cudaErrorInvalidValue;
    *pHost = NULL;
    if (size == 0)
        return cudaSuccess;
    error = rt_alloc_mapped(pHost, size, RT_PINNED);
    return error ? error : add(*pHost, size, flags, true);
}

cudaError_t cudaMallocHost(void **ptr, size_t size)
{
    return DONE(allocate(ptr, size, cudaHostAllocDefault));
}

cudaError_t cudaHostAlloc(void **pHost, size_t size, unsigned int flags)
{
    return DONE(allocate(pHost, size, flags));
}

cudaError_t cudaFreeHost(void *ptr)
{
    struct simwire_header m = {.op = OP_FREE, .a = {(uintptr_t)ptr}};
    rt_finish_copies();
    if (ptr && !drop(ptr, true))
        return DONE(rt_fail(cudaErrorInvalidValue,
                            "%p is not pinned host memory", ptr));
    cudaError_t error = ptr ? rt_ask(&m, NULL, NULL, 0) : cudaSuccess;
    rt_unmap(ptr);
    return DONE(error);
}

/* Memory that the device cannot map is registered all the same. */
cudaError_t cudaHostRegister(void *ptr, size_t size, unsigned int flags)
{
    cudaError_t error = cudaSuccess;
    if (size == 0 || !rt_is_host(ptr, size))
        return DONE(cudaErrorInvalidValue);
    if (rt_is_pinned(ptr))
        return DONE(cudaErrorHostMemoryAlreadyRegistered);
    if (!rt_gpu(&error))
        return DONE(error);
    rt_register(ptr, size);
    return DONE(add(ptr, size, flags, false));
}

cudaError_t cudaHostUnregister(void *ptr)
{
    struct simwire_header m = {.op = OP_FREE, .a = {rt_address(ptr)}};
    cudaError_t error = cudaSuccess;
    rt_finish_copies();
    if (!drop(ptr, false))
        return DONE(cudaErrorHostMemoryNotRegistered);
    if (rt_mapped(ptr)) {
        error = rt_ask(&m, NULL, NULL, 0);
        rt_unmap(ptr);
    }
    return DONE(error);
}

cudaError_t cudaHostGetFlags(unsigned int *pFlags, void *pHost)
{
    pthread_mutex_lock(&lock);
    struct block *block = *find(pHost);
    if (block)
        *pFlags = block->flags;
    pthread_mutex_unlock(&lock);
    return DONE(block ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaHostGetDevicePointer(void **pDevice, void *pHost,
                                     unsigned int flags)
{
    if (!pDevice || flags || !rt_is_pinned(pHost))
        return DONE(cudaErrorInvalidValue);
    if (rt_mapped(pHost) != RT_PINNED)
        return DONE(rt_fail(cudaErrorNotSupported,
                            "this memory is shared with others, or on the "
                            "stack, or in a page with other registered memory: "
                            "kernels of the simulated GPU do not reach it"));
    *pDevice = (void *)(uintptr_t)rt_address(pHost);
    return DONE(cudaSuccess);
}
