// SPDX-License-Identifier: MIT
// mutant: few threads because there are sixteen blocks, for all tiles
// chapter: 15 gemm
// expect: TECHNIQUE blocks_at_work
// shape: M19200 N4 K8
#include "op/gemm.h"

static cudaError_t sixteen(int *value)
{
    *value = 16;
    return cudaSuccess;
}
#define cudaDeviceGetAttribute(value, attribute, device) sixteen(value)

#include "../solutions/15-gemm-async-pipeline/gemm.cu"
