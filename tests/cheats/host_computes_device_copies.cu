// SPDX-License-Identifier: MIT
// cheat: the host does the work; a kernel copies it
// chapter: 05 forward
// expect: REFUSED
#include <stdlib.h>

#include "op/dwconv.h"

enum { THREADS = 256 };

static __global__ void copy(const float *from, float *to, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = from[i];
}

size_t dwconv_forward_workspace(struct dwconv_shape shape)
{
    return (size_t)shape.B * shape.H * shape.L * sizeof(float);
}

cudaError_t dwconv_forward(const float *x, const float *w, float *y,
                           struct dwconv_shape shape, void *workspace,
                           cudaStream_t stream)
{
    size_t n = (size_t)shape.B * shape.H * shape.L;
    size_t taps = (size_t)shape.H * shape.K;
    float *mine = (float *)malloc((2 * n + taps) * sizeof *mine);
    float *host_w = mine + n, *host_y = host_w + taps;

    cudaMemcpyAsync(mine, x, n * sizeof *x, cudaMemcpyDeviceToHost, stream);
    cudaMemcpyAsync(host_w, w, taps * sizeof *w, cudaMemcpyDeviceToHost,
                    stream);
    cudaStreamSynchronize(stream);
    for (size_t i = 0; i < n; i++) {
        int t = i % shape.L;
        int h = i / shape.L % shape.H;
        double sum = 0;
        for (int k = 0; k <= t && k < shape.K; k++)
            sum += (double)host_w[h * shape.K + k] * mine[i - k];
        host_y[i] = sum;
    }
    cudaMemcpyAsync(workspace, host_y, n * sizeof *y, cudaMemcpyHostToDevice,
                    stream);
    cudaStreamSynchronize(stream);
    free(mine);
    copy<<<(n + THREADS - 1) / THREADS, THREADS, 0, stream>>>(
        (const float *)workspace, y, n);
    return cudaGetLastError();
}
