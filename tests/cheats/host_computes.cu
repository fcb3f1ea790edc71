// SPDX-License-Identifier: MIT
// cheat: the host does the work; no kernel runs
// chapter: 05 forward
// expect: REFUSED device to the host
#include <stdlib.h>

#include "op/dwconv.h"

size_t dwconv_forward_workspace(struct dwconv_shape shape)
{
    (void)shape;
    return 0;
}

cudaError_t dwconv_forward(const float *x, const float *w, float *y,
                           struct dwconv_shape shape, void *workspace,
                           cudaStream_t stream)
{
    size_t n = (size_t)shape.B * shape.H * shape.L;
    size_t taps = (size_t)shape.H * shape.K;
    float *mine = (float *)malloc((2 * n + taps) * sizeof *mine);
    float *host_w = mine + n, *host_y = host_w + taps;

    (void)workspace;
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
    cudaMemcpyAsync(y, host_y, n * sizeof *y, cudaMemcpyHostToDevice, stream);
    cudaStreamSynchronize(stream);
    free(mine);
    return cudaSuccess;
}
