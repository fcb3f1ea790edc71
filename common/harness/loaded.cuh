// SPDX-License-Identifier: MIT
/*
 * loaded.cuh: for which architecture a kernel was compiled.
 *
 *   loaded_for   cudaErrorNotSupported if the code that this device loaded is
 *                for an older virtual architecture than asked for
 *
 * A device newer than the library compiles the library's PTX, which may lack
 * instructions that the device has.
 */
#ifndef HARNESS_LOADED_CUH
#define HARNESS_LOADED_CUH

#include <cuda_runtime.h>

/* least: 80 for compute_80. */
static inline cudaError_t loaded_for(const void *kernel, int least)
{
    cudaFuncAttributes found;
    cudaError_t error = cudaFuncGetAttributes(&found, kernel);

    if (error == cudaSuccess && found.ptxVersion < least)
        error = cudaErrorNotSupported;
    return error;
}

#endif
