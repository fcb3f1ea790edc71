// SPDX-License-Identifier: MIT
/*
 * allow_shared.cuh: more than 48 KB of shared memory for a kernel's blocks.
 *
 *   allow_shared   allows a kernel all shared memory that a block can have
 */
#ifndef WB_ALLOW_SHARED_CUH
#define WB_ALLOW_SHARED_CUH

#include <cuda_runtime.h>

// Launches by several threads, and those in graphs, ask for different amounts
// of shared memory: none may take from another what it was allowed.
static inline cudaError_t allow_shared(const void *kernel)
{
    struct cudaFuncAttributes about;
    int device, most;
    cudaError_t error = cudaGetDevice(&device);

    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(
            &most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    if (error == cudaSuccess)
        error = cudaFuncGetAttributes(&about, kernel);
    if (error != cudaSuccess)
        return error;
    most -= (int)about.sharedSizeBytes;
    return about.maxDynamicSharedSizeBytes >= most
               ? cudaSuccess
               : cudaFuncSetAttribute(
                     kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most);
}

#endif
