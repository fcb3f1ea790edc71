// SPDX-License-Identifier: MIT
/* dependent.h: a launch that may begin before the one in front of it in its
 * stream has ended. */
#ifndef DEPENDENT_H
#define DEPENDENT_H

#include "../check.h"

enum { THREADS = 128, BLOCKS = 6, N = BLOCKS * THREADS };

template <class... Parameters, class... Arguments>
static void launch_beside(void (*kernel)(Parameters...), cudaStream_t stream,
                          Arguments... arguments)
{
    cudaLaunchAttribute may;
    cudaLaunchConfig_t how = {};
    may.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    may.val.programmaticStreamSerializationAllowed = 1;
    how.gridDim = dim3(BLOCKS);
    how.blockDim = dim3(THREADS);
    how.stream = stream;
    how.attrs = &may;
    how.numAttrs = 1;
    CUDA(cudaLaunchKernelEx(&how, kernel, arguments...));
}

static int *cells(void)
{
    int *p;
    CUDA(cudaMalloc(&p, N * sizeof *p));
    CUDA(cudaMemset(p, 0, N * sizeof *p));
    return p;
}

#endif
