// SPDX-License-Identifier: MIT
// Stage 08, depthwise convolution, weight gradient, step 1 of 5: atomics.
// New: many threads share a sum, and meet in global memory.
// Since 05: a thread takes a slice of the batch; one atomic add at its end.
// Counter: global_atomics, 0 before.

#include "op/dwconv.h"

//> todo kernel (about 45 lines)
enum {
    THREADS = 32, // per block: cells are few, and many small blocks fit
    TIMES = 64    // products added up before they join the sum
};

static __global__ void weight_grad(const float *dy, const float *x, float *dw,
                                   struct dwconv_shape s)
{
    unsigned n = s.H * s.K;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n) // the last block has threads to spare
        return;

    int k = i % s.K; // neighbouring threads, neighbouring taps
    int h = i / s.K;

    float sum = 0.0f, excess = 0.0f; // what rounding added to the sum

    for (int b = 0; b < s.B; b++) {
        int row = (b * s.H + h) * s.L; // where dy[b,h,0] and x[b,h,0] stand

        for (int first = 0; first < s.L; first += TIMES) {
            float part = 0.0f;

            for (int t = first; t < min(s.L, first + TIMES); t++)
                if (k <= t) // x begins at time 0
                    part += dy[row + t] * x[row + t - k];

            float next = part - excess, old = sum;

            sum = old + next;
            excess = (sum - old) - next;
        }
    }
    dw[h * s.K + k] = sum;
}
//< todo

size_t dwconv_weight_grad_workspace(struct dwconv_shape shape)
{
    //> todo workspace (about 2 lines)
    (void)shape;
    return 0;
    //< todo
}

cudaError_t dwconv_weight_grad(const float *dy, const float *x, float *dw,
                               struct dwconv_shape shape, void *workspace,
                               cudaStream_t stream)
{
    //> todo launch (about 8 lines)
    (void)workspace;
    unsigned n = shape.H * shape.K;
    unsigned blocks = (n + THREADS - 1) / THREADS;

    weight_grad<<<blocks, THREADS, 0, stream>>>(dy, x, dw, shape);
    //< todo
    return cudaGetLastError();
}
