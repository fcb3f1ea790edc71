// SPDX-License-Identifier: MIT
/*
 * memory.c: device memory.
 *
 *   cudaMalloc, cudaMallocAsync, cudaMallocFromPoolAsync, cudaMallocPitch
 *   cudaFree, cudaFreeAsync
 *   cudaMemGetInfo, cudaPointerGetAttributes
 *
 * The addresses belong to another process: a program that dereferences one on
 * the host crashes, as it does with a GPU. Managed memory is in mapped.c.
 */
#include "runtime.h"

enum { PITCH = 512 }; /* bytes: GPUs round rows up to a multiple of this */

/* on: the stream of cudaMallocAsync; 0: none. */
static cudaError_t allocate(void **devPtr, size_t size, uint64_t on)
{
    struct simwire_header m = {.op = OP_ALLOC, .stream = on,
                               .a = {size, on ? SIMWIRE_ALLOC_ASYNC
                                              : SIMWIRE_ALLOC}};
    if (!devPtr)
        return cudaErrorInvalidValue;
    *devPtr = NULL;
    if (size == 0)
        return cudaSuccess;
    cudaError_t error = rt_ask(&m, NULL, NULL, 0);
    if (error != cudaSuccess)
        return error;
    *devPtr = (void *)(uintptr_t)m.a[0];
    rt_note_memory(*devPtr, false);
    rt_early_device(*devPtr, size);
    return cudaSuccess;
}

cudaError_t rt_free(void *devPtr, uint64_t on)
{
    struct simwire_header m = {.op = devPtr ? OP_FREE : OP_SYNC, .stream = on,
                               .a = {(uintptr_t)devPtr, devPtr && on}};
    if (rt_mapped(devPtr) == RT_PINNED)
        return rt_fail(cudaErrorInvalidValue,
                       "pinned memory: cudaFreeHost frees it");
    cudaError_t error = rt_ask(&m, NULL, NULL, 0);
    if (error == cudaSuccess && devPtr) {
        rt_note_memory(devPtr, true);
        rt_unmap(devPtr);
        rt_pool_release(devPtr);
    }
    return error;
}

cudaError_t cudaMalloc(void **devPtr, size_t size)
{
    cudaError_t error = rt_refuse_while_capturing();
    return DONE(error ? error : allocate(devPtr, size, 0));
}

/* pool NULL: the device's current one. Under capture, the graph's memory is of
 * no pool that the program names. */
static cudaError_t allocate_async(void **p, size_t bytes, cudaMemPool_t pool,
                                  cudaStream_t stream)
{
    if (!rt_is_stream(stream))
        return cudaErrorInvalidResourceHandle;
    if (rt_is_capturing(stream))
        return rt_capture_alloc(p, bytes, stream);
    if (!rt_pool_has_room(pool, bytes))
        return rt_fail(cudaErrorMemoryAllocation,
                       "%zu bytes are more than the pool may hold", bytes);
    cudaError_t error = allocate(p, bytes, rt_stream_id(stream));
    if (!error && *p && !rt_pool_hold(pool, *p, bytes)) {
        rt_free(*p, rt_stream_id(stream));
        error = cudaErrorMemoryAllocation;
    }
    return error;
}

cudaError_t cudaMallocAsync(void **devPtr, size_t size, cudaStream_t hStream)
{
    return DONE(allocate_async(devPtr, size, NULL, hStream));
}

cudaError_t cudaMallocFromPoolAsync(void **ptr, size_t size,
                                    cudaMemPool_t memPool, cudaStream_t stream)
{
    size_t used;
    cudaError_t error =
        rt_pool_get(memPool, cudaMemPoolAttrUsedMemCurrent, &used);
    return DONE(error || memPool == rt_graph_pool()
                    ? cudaErrorInvalidValue
                    : allocate_async(ptr, size, memPool, stream));
}

cudaError_t cudaMallocPitch(void **devPtr, size_t *pitch, size_t width,
                            size_t height)
{
    size_t bytes;
    if (!pitch || width > SIZE_MAX - PITCH)
        return DONE(cudaErrorInvalidValue);
    *pitch = (width + PITCH - 1) / PITCH * PITCH;
    if (__builtin_mul_overflow(*pitch, height, &bytes))
        return DONE(cudaErrorInvalidValue);
    return DONE(allocate(devPtr, bytes, 0));
}

cudaError_t cudaFree(void *devPtr)
{
    return DONE(rt_free(devPtr, 0));
}

cudaError_t cudaFreeAsync(void *devPtr, cudaStream_t hStream)
{
    if (!rt_is_stream(hStream))
        return DONE(cudaErrorInvalidResourceHandle);
    return DONE(rt_is_capturing(hStream)
                    ? rt_capture_free(devPtr, hStream)
                    : rt_free(devPtr, rt_stream_id(hStream)));
}

cudaError_t cudaMemGetInfo(size_t *free, size_t *total)
{
    struct simwire_header m = {.op = OP_MEMORY};
    cudaError_t error = rt_ask(&m, NULL, NULL, 0);
    const struct gpu_model *gpu = error ? NULL : rt_gpu(&error);
    if (!gpu)
        return DONE(error);
    *free = m.a[0];
    *total = gpu->memory_bytes;
    return DONE(cudaSuccess);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes,
                                     const void *ptr)
{
    struct simwire_header m = {.op = OP_LOCATE, .a = {rt_address(ptr)}};
    cudaError_t error = rt_ask(&m, NULL, NULL, 0);
    void *address = (void *)(uintptr_t)ptr;
    if (error || !attributes)
        return DONE(error ? error : cudaErrorInvalidValue);
    *attributes = (struct cudaPointerAttributes){
        .type = cudaMemoryTypeUnregistered, .device = -2};
    enum rt_mapped_kind kind = rt_mapped(ptr);
    if (m.a[0]) {
        attributes->type = kind == RT_MANAGED  ? cudaMemoryTypeManaged
                           : kind == RT_PINNED ? cudaMemoryTypeHost
                                                 : cudaMemoryTypeDevice;
        attributes->device = 0;
        attributes->devicePointer = (void *)(uintptr_t)rt_address(ptr);
        attributes->hostPointer = kind ? address : NULL;
    } else if (rt_is_pinned(ptr)) {
        attributes->type = cudaMemoryTypeHost;
        attributes->device = 0;
        attributes->hostPointer = address;
    } else {
        attributes->hostPointer = address;
    }
    return DONE(cudaSuccess);
}
