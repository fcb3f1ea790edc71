// SPDX-License-Identifier: MIT
/*
 * allow_shared.cuh: more than 48 KB of shared memory for a kernel's blocks.
 *
 *   shared_room    how many dynamic bytes a block of a kernel can have
 *   allow_shared   allows a kernel all shared memory that a block can have
 */
#ifndef WB_ALLOW_SHARED_CUH
#define WB_ALLOW_SHARED_CUH

#include <cuda_runtime.h>

// What a card can give a block, less what the kernel's own arrays take.
static inline cudaError_t shared_room(const void *kernel, int *room)
{
    struct cudaFuncAttributes about;
    int device;
    cudaError_t error = cudaGetDevice(&device);

    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(
            room, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    if (error == cudaSuccess)
        error = cudaFuncGetAttributes(&about, kernel);
    if (error == cudaSuccess)
        *room -= (int)about.sharedSizeBytes;
    return error;
}

// Launches by several threads, and those in graphs, ask for different amounts
// of shared memory: none may take from another what it was allowed.
static inline cudaError_t allow_shared(const void *kernel)
{
    struct cudaFuncAttributes about;
    int most;
    cudaError_t error = shared_room(kernel, &most);

    if (error == cudaSuccess)
        error = cudaFuncGetAttributes(&about, kernel);
    if (error != cudaSuccess)
        return error;
    return about.maxDynamicSharedSizeBytes >= most
               ? cudaSuccess
               : cudaFuncSetAttribute(
                     kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most);
}

#endif
