// SPDX-License-Identifier: MIT
// mutant: closes the connection to the simulated GPU, a file that it never
// opened
// chapter: 05 forward
// expect: LAUNCH
// say: The stage lost its GPU
#include <unistd.h>

#include "op/dwconv.h"

static __global__ void forward(float *y)
{
    y[0] = 0.0f;
}

size_t dwconv_forward_workspace(struct dwconv_shape shape)
{
    (void)shape;
    return 0;
}

cudaError_t dwconv_forward(const float *x, const float *w, float *y,
                           struct dwconv_shape shape, void *workspace,
                           cudaStream_t stream)
{
    enum { DEVICE = 5 };

    (void)x, (void)w, (void)shape, (void)workspace;
    close(DEVICE);
    forward<<<1, 1, 0, stream>>>(y);
    return cudaGetLastError();
}
