// SPDX-License-Identifier: MIT
/*
 * tensor_roofs.c: the ceilings' library on a device that has no tensor cores.
 */
#include "op/roof.h"

cudaError_t roof_mma_fp16(const void *from, void *to, struct roof_shape shape,
                          void *workspace, cudaStream_t stream)
{
    (void)from, (void)to, (void)shape, (void)workspace, (void)stream;
    return cudaErrorNotSupported;
}

cudaError_t roof_mma_fp8(const void *from, void *to, struct roof_shape shape,
                         void *workspace, cudaStream_t stream)
{
    return roof_mma_fp16(from, to, shape, workspace, stream);
}
